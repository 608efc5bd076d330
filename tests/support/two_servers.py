"""Two `view` servers on one folder of runs, to which people write at once."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from chattest.storage.tags import read_tags
from chattest.storage.trash import list_trash
from tests.support.labelling import JSON, label_in_app, labelled_by

EACH = 9
"""Tags that each server gives a run: together fewer than a run may have."""


def tag_at_once(servers: list[httpx.Client], folder: Path) -> tuple[set[str], set[str]]:
    """Give a run tags by all servers at once; the tags that were acknowledged, and those that are kept."""

    def tag(number: int) -> set[str]:
        given = {f"tag {number} {each}" for each in range(EACH)}
        for word in sorted(given):
            answer = servers[number].post(f"/runs/{folder.name}/tags", data={"add": word}, headers=JSON)
            answer.raise_for_status()
        return given

    with ThreadPoolExecutor(len(servers)) as people:
        acknowledged = set().union(*people.map(tag, range(len(servers))))
    return acknowledged, set(read_tags(folder))


def label_at_once(servers: list[httpx.Client], folder: Path, most: int) -> tuple[int, int]:
    """Label a run by all servers at once, a person each; how many labels were acknowledged, and how many are kept."""

    def label(number: int) -> tuple[int, int]:
        by = f"person {number}"
        acknowledged, errors = label_in_app(servers[number], folder.name, by, most)
        assert not errors, errors
        return len(acknowledged), len(acknowledged & labelled_by(folder, by))

    with ThreadPoolExecutor(len(servers)) as people:
        counts = list(people.map(label, range(len(servers))))
    return sum(count for count, _ in counts), sum(kept for _, kept in counts)


def trash_at_once(servers: list[httpx.Client], folder: Path) -> None:
    """Move a run to the trash by all servers at once, and back: it is moved once, and leaves nothing behind."""
    reports = folder.parent
    before = len(list_trash(reports))

    def trash(server: httpx.Client) -> httpx.Response:
        return server.post(f"/runs/{folder.name}/trash", headers=JSON)

    with ThreadPoolExecutor(len(servers)) as people:
        answers = list(people.map(trash, servers))
    moved = [answer.json()["number"] for answer in answers if answer.status_code == 200]
    assert len(moved) == 1, [answer.text for answer in answers]
    assert not folder.exists(), sorted(folder.iterdir())
    assert [run.name for run in list_trash(reports)].count(folder.name) == 1 + before
    answer = servers[0].post(f"/trash/{moved[0]}/restore")
    assert answer.status_code == 303, answer.text
    assert (folder / "results.jsonl").exists()


def copies(folder: Path, number: int) -> list[Path]:
    """Copies of a run beside it."""
    made = [folder.with_name(f"{folder.name}-copy-{each}") for each in range(number)]
    for path in made:
        shutil.copytree(folder, path)
    return made
