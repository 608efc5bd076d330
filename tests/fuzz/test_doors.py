"""What fuzzing tries by the hundred thousand (`make fuzz`), here with few inputs, and every crash it ever found."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.fuzz.doors import DOORS
from tests.fuzz.outputs import check_outputs, check_text
from tests.fuzz.seeds import TOKENS, seeds
from tests.support.paths import DATA
from tests.support.sample_report import NASTY

CRASHES = sorted(path for path in (DATA / "crashes").rglob("*") if path.is_file())
SEEDS = {door: list(seeds(door)) for door in DOORS}

texts = st.text(st.characters(exclude_categories=[]), max_size=60) | st.sampled_from([*NASTY[:-2], *TOKENS])
"""Any text of Python's, halves of surrogate pairs included."""


@st.composite
def spoiled(draw: st.DrawFn, door: str) -> bytes:
    """An input that gets far, with some of it replaced, left out or said again."""
    data = draw(st.sampled_from(SEEDS[door]))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 12)))
        piece = draw(st.binary(max_size=6) | st.sampled_from([t.encode("utf-8", "surrogatepass") for t in TOKENS]))
        data = data[:start] + piece + data[draw(st.sampled_from([start, end])) :]
    return data


@pytest.mark.parametrize("path", CRASHES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_once_crashed_does_so_no_more(path: Path) -> None:
    DOORS[path.parent.name](path.read_bytes())


@pytest.mark.parametrize("door", DOORS)
def test_what_fuzzing_starts_from(door: str) -> None:
    for data in SEEDS[door]:
        DOORS[door](data)


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
@given(data=st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_strangers_text_does_no_harm(door: str, data: st.DataObject) -> None:
    DOORS[door](data.draw(spoiled(door)))


@given(texts)
@settings(max_examples=200, deadline=None)
@example("\x9b2J").via("a single byte that terminals obey")
def test_a_text_in_every_form_of_a_report(text: str) -> None:
    check_text(text)


@pytest.mark.slow
@given(said=st.lists(texts, min_size=30, max_size=30))
@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
def test_replies_stay_text_in_all_that_a_run_leaves(said: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    # One can be seen: a report on replies that are all empty says so in a line of its own.
    check_outputs([*said, "x"], tmp_path_factory.mktemp("report"))


def test_the_checks_see_harm() -> None:
    """They would be worth nothing if they passed everything."""
    from tests.fuzz import outputs

    page = outputs._Tags()
    page.feed("<p>x</p><a href='http://example.org'>x</a><script>1</script>")
    assert {"a href", "a to http://example.org", "script "} <= page.found
    assert outputs.HARMFUL.search("a\x1b[2Jb")
