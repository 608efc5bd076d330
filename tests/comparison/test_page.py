"""The page on two compared runs, as a file and in a real browser."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from chattest.comparison.page import write_page_of
from chattest.comparison.runs import compare
from tests.support.browser import Browser, in_browser
from tests.support.page import CONTRAST, Parts
from tests.support.sample_report import NASTY
from tests.support.two_runs import F, P, all_runs, held

SAID = [text for text in NASTY if text.strip() and len(text) < 200]
FIRST = held("one", [*all_runs(*[P] * len(SAID)), *all_runs(*[F] * 5, check="ML-U4", expected="Juniper")])
SECOND = held(
    "two",
    [
        *(all_runs(*[F] * run, reply=said)[-1] for run, said in enumerate(SAID, start=1)),
        *all_runs(P, P, F, F, F, check="ML-U4", reply="It is Juniper.", expected="Juniper"),
    ],
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "comparison.html"
    write_page_of(compare(FIRST, SECOND), path)
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("home")) as found:
        yield found


def ready(browser: Browser, path: Path, place: str = "") -> None:
    browser.open(path.as_uri() + place)
    browser.wait("document.querySelectorAll('#rows li').length > 0")


def shown(browser: Browser) -> list[list[str]]:
    found: Any = browser.run(
        "[...document.querySelectorAll('#rows li')].map(item => "
        "[item.querySelector('h3').textContent, ...[...item.querySelectorAll('.pair p')].map(p => p.textContent)])"
    )
    return list(found)


def test_the_page_has_a_row_per_case_and_the_flips(path: Path) -> None:
    page = path.read_text("utf-8")
    parts = Parts(page)
    assert parts.loads == []
    assert len(parts.ids) == len(set(parts.ids))
    assert {link.split("?")[0].removeprefix("#") for link in parts.links} <= set(parts.ids)
    assert "Significantly worse: ML-U3" in parts.text
    row = page[page.index("#flips?case=ML-U4") :]
    row = row[: row.index("</tr>")]
    assert "0.0 %" in row
    assert "40.0 %" in row
    assert "+40.0" in row
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S).group(1))  # type: ignore[union-attr]
    assert len(data["rows"]) == len(SAID) + 2
    assert [flip["worse"] for flip in data["rows"]] == [True] * len(SAID) + [False] * 2
    assert data["rows"][-1]["second"][:2] == ["PASS", "It is Juniper."]


def test_runs_that_are_the_same_make_a_page_too(tmp_path: Path) -> None:
    write_page_of(compare(FIRST, FIRST), tmp_path / "same.html")
    page = (tmp_path / "same.html").read_text("utf-8")
    assert "No check is significantly worse." in page
    assert '"rows": []' in page or '"rows":[]' in page


@in_browser
def test_flips_stand_side_by_side_and_can_be_filtered(browser: Browser, path: Path) -> None:
    ready(browser, path)
    browser.wait("document.querySelector('#plot-0 .main-svg')")
    assert len(shown(browser)) == len(SAID) + 2
    browser.click("a[href='#flips?case=ML-U4']")
    browser.wait("document.querySelectorAll('#rows li').length === 2")
    assert shown(browser)[0] == [
        "ML-U4, run-001, round 3, cat-name better",
        "FAIL reply",
        "It is Juniper.",
    ]
    browser.click("button[type=reset]")
    browser.wait(f"document.querySelectorAll('#rows li').length === {len(SAID) + 2}")
    browser.run("document.querySelector('[name=text]').focus()")
    browser.type("JUNIPER")
    assert [row[2] for row in shown(browser)] == ["It is Juniper."] * 2
    assert browser.run("document.getElementById('count').textContent") == f"2 of {len(SAID) + 2} flipped questions"
    lefts = browser.run("[...document.querySelector('#rows li .pair').children].map(d => d.getBoundingClientRect().x)")
    assert lefts[0] < lefts[1]
    assert browser.said == []
    assert browser.asked == [path.as_uri()]


@in_browser
def test_what_a_bot_said_stays_text(browser: Browser, path: Path) -> None:
    ready(browser, path)
    replies = {row[2] for row in shown(browser)}
    assert "<script>document.title = 'owned'</script>" in replies
    assert browser.run("document.title") == "chattest: Comparison of one and two"
    assert browser.run("document.querySelectorAll('main img, main script').length") == 0
    assert browser.said == []


@in_browser
@pytest.mark.parametrize("dark", [False, True])
def test_it_can_be_read_in_light_and_dark_and_on_a_phone(browser: Browser, path: Path, dark: bool) -> None:
    browser.look(width=390, dark=dark)
    ready(browser, path)
    assert browser.run(CONTRAST) == []
    assert browser.run("document.documentElement.scrollWidth") <= 390
    tops = browser.run("[...document.querySelector('#rows li .pair').children].map(d => d.getBoundingClientRect().y)")
    assert tops[0] < tops[1]
    browser.look()


@in_browser
def test_a_screen_reader_finds_its_way(browser: Browser, path: Path) -> None:
    ready(browser, path)
    told = browser.accessible()
    for role in ("combobox", "searchbox", "button", "link", "image", "table", "region"):
        assert all(node["name"] for node in told if node["role"] == role), f"a {role} without a name"
    levels = browser.run("[...document.querySelectorAll('h1, h2, h3')].map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert max(after - before for before, after in pairwise(levels)) <= 1
