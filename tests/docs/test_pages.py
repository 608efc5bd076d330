"""The pages hang together: links, anchors, pictures and paths lead somewhere, and the front page stays one."""

import re
from pathlib import Path

import pytest
import yaml

from tests.support.pages import PAGES, anchors, prose
from tests.support.stand_ins import ROOT

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_PATH = re.compile(r"`((?:chattest|chatters|testsets|tests|docs|benchmarks)/[\w./\-]+)`")
# What the recipes of CONTRIBUTING.md write, and what users have in folders of their own.
_EXAMPLES = {
    "chatters/greeter.py",
    "chatters/my_bot.py",
    "chattest/perturbations/shout.py",
    "tests/data/perturbations/shout.json",
    "chattest/cases/ml_x9.py",
    "tests/data/cases/ML-X9.toml",
    "chattest/scorers/brevity.py",
    "chattest/reports/writers/csv.py",
    "chattest/checks/brevity.py",
    "chattest/checks/relations/brevity.py",
    "tests/data/relations/golden/brevity.toml",
}


def _name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_every_link_leads_somewhere(page: Path) -> None:
    broken = []
    for link in _LINK.findall(prose(page)):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        file = (page.parent / target).resolve() if target else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=_name)
def test_every_path_that_a_page_names_is_there(page: Path) -> None:
    named = {path.rstrip("/") for path in _PATH.findall(prose(page))} - _EXAMPLES
    roots = (ROOT, ROOT / "docs", ROOT / "chattest", ROOT / "testsets")
    missing = [path for path in named if not any((root / path).exists() for root in roots)]
    assert missing == []


def test_the_front_page_stays_one() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    assert len(text.split()) <= 900
    assert len(re.findall(r"!\[", text)) <= 1


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=_name)
def test_no_page_is_long(page: Path) -> None:
    assert page.name == "licences.md" or len(page.read_text(encoding="utf-8").split()) <= 2500


def test_the_site_has_five_groups_of_at_most_eight_pages() -> None:
    groups = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    assert len(groups) == 5
    assert [name for group in groups for name, pages in group.items() if len(pages) > 8] == []


def test_every_page_is_reached_from_the_front_page() -> None:
    linked = set()
    for page in PAGES:
        linked |= {(page.parent / link.partition("#")[0]).resolve() for link in _LINK.findall(prose(page))}
    assert [page.name for page in PAGES if page.resolve() not in linked and page.name != "README.md"] == []


def test_every_heading_of_a_page_has_an_anchor_of_its_own() -> None:
    for page in PAGES:
        if page.name == "CHANGELOG.md":
            continue  # every version has an Added, as Keep a Changelog wants it
        headings = re.findall(r"^#+ .+$", prose(page), re.MULTILINE)
        assert len(anchors(page)) == len(headings), _name(page)
