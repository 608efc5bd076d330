"""The index of the app is made anew whatever has become of its file, and shows nothing else than the runs do."""

from pathlib import Path

import httpx
import pytest

from chattest.web.index.base import FILE, Index
from chattest.web.index.results import open_results
from chattest.web.project import Project
from tests.soak import flipped_bits


def test_no_bit_that_turns_shows_something_else(place: Project) -> None:
    assert flipped_bits.of_index(place, ["questions"], 40) == []


@pytest.mark.slow
def test_no_bit_that_turns_shows_another_conversation(place: Project) -> None:
    assert flipped_bits.of_index(place, ["first", "questions"], 200) == []


@pytest.mark.parametrize("content", [b"", b"x", b"no database at all" * 500, None])
def test_the_app_goes_on_when_the_index_breaks(client: httpx.Client, place: Project, content: bytes | None) -> None:
    pages = ["/", "/runs/first", "/runs/first/results?verdict=FAIL", "/runs/first/rejudge?threshold_toxicity=0.01"]
    before = [client.get(page).text for page in pages]
    path = place.reports / FILE
    with Index(place.reports).open() as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    sound = path.read_bytes()
    for page, text in zip(pages, before, strict=True):
        path.write_bytes(sound[:4096] + b"\xff" * (len(sound) - 4096) if content is None else content)
        answer = client.get(page)
        assert (answer.status_code, answer.text) == (200, text)


def test_a_link_in_place_of_the_index_is_not_followed(place: Project, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    (place.reports / FILE).unlink(missing_ok=True)
    (place.reports / FILE).symlink_to(victim)
    results = open_results(place)
    assert results.prepare("first") is None
    assert results.sums("first")
    assert victim.read_bytes() == b"mine"
