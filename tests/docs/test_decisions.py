"""The decisions have one form, are numbered without gaps, are listed, and lead somewhere."""

import re
from pathlib import Path

import pytest

from tests.support.pages import anchors, prose
from tests.support.stand_ins import ROOT

FOLDER = ROOT / "docs" / "decisions"
DECISIONS = sorted(FOLDER.glob("[0-9]*.md"))
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def test_they_are_numbered_without_gaps() -> None:
    assert [int(page.name[:4]) for page in DECISIONS] == list(range(1, len(DECISIONS) + 1))


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.stem)
def test_a_decision_has_its_four_sections_in_100_to_400_words(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# {int(page.name[:4])}. ")
    assert re.findall(r"(?m)^## (.+)$", text) == ["Context", "Decision", "Measured reasons", "Consequences"]
    assert 100 <= len(text.split()) <= 400


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.stem)
def test_the_index_lists_it_by_its_title(page: Path) -> None:
    number, _, title = page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ").partition(". ")
    assert f"| {number} | [{title}]({page.name}) |" in (FOLDER / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [*DECISIONS, FOLDER / "index.md"], ids=lambda page: page.stem)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in _LINK.findall(prose(page)):
        target, _, anchor = link.partition("#")
        file = (page.parent / target).resolve()
        assert file.exists(), link
        assert not anchor or anchor in anchors(file), link
