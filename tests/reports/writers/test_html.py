"""The page: what stands in it, and what it does in a real browser."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from chattest.records.report import Report
from chattest.records.result import Result, Score, Verdict
from chattest.reports.writers import html
from tests.support.browser import Browser, in_browser
from tests.support.page import CONTRAST, Parts
from tests.support.sample_report import NASTY, report_of, sample


def data_of(page: str, **how: Any) -> Any:
    """What the page's scripts read."""
    written = re.search(r'id="data">(.*?)</script>', page, re.S)
    assert written is not None
    return json.loads(written.group(1), **how)


@pytest.fixture(scope="module")
def path(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return html.write(report, tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="module")
def parts(path: Path) -> Parts:
    return Parts(path.read_text("utf-8"))


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("browser")) as made:
        yield made


@pytest.fixture
def browser(chromium: Browser) -> Browser:
    chromium.look()
    return chromium


def ready(browser: Browser, path: Path, place: str = "") -> None:
    """Opens the page at a place and waits until its script has run."""
    browser.open(path.as_uri() + place)
    browser.wait("document.querySelectorAll('#rows tbody tr').length > 0")


def shown_rows(browser: Browser) -> list[list[str]]:
    rows: Any = browser.run(
        "[...document.querySelectorAll('#rows tbody tr')].map(r => [...r.cells].map(c => c.textContent))"
    )
    return list(rows)


def test_the_page_loads_nothing_and_every_link_has_its_place(parts: Parts) -> None:
    assert parts.loads == []
    assert len(parts.ids) == len(set(parts.ids))
    places = {link.split("?")[0].removeprefix("#") for link in parts.links}
    assert all(link.startswith("#") for link in parts.links)
    assert places <= set(parts.ids)


def test_the_overview_gives_every_check(parts: Parts, report: Report) -> None:
    for info in report.checks:
        assert info.title in parts.text
        assert f"#results?case={info.code}" in parts.links
    assert "3 of 3 conversations have at least one failure; 1 ended early, because a chatter failed." in parts.text
    assert "MISSED: at least 90 %" in parts.text
    assert parts.text.count("MISSED in ML-U*: ") == 2


def test_the_overview_tells_how_sure_the_rates_are(path: Path, parts: Parts) -> None:
    page = path.read_text("utf-8")
    row = page[page.index("#results?case=ML-U3") :]
    row = row[: row.index("</tr>")]
    assert '<td class="i" data-label="95 % interval">11 to 100 %<small>Wilson: ' in row
    corrected = "45.6 %<small>12 to 79 %; the judge can detect differences from 3.2 points</small>"
    assert f'<td data-label="corrected">{corrected}</td>' in row
    assert '<td data-label="corrected">exact</td>' in page
    assert "Only 1 to 3 conversations; at least 30 are needed for a reliable interval." in parts.text


def test_every_plot_comes_with_its_figures_as_a_table(path: Path, report: Report) -> None:
    page = path.read_text("utf-8")
    data = data_of(page)
    # Pass rates, two dose curves, recall, response times, three distributions.
    assert len(data["plots"]) == 8
    assert page.count("<summary>Figures of this plot</summary>") == 8
    assert len(data["rows"]) == len(report.results)


def test_transcripts_mark_probes_and_changed_words(path: Path, report: Report) -> None:
    page = path.read_text("utf-8")
    assert len(re.findall(r"<span>\d+ of \d+ probes passed, \d+ of \d+ replies passed; ", page)) == 3
    for conversation in report.conversations:
        for round, (probe, step) in conversation.plan.by_round().items():
            place = page.index(f'id="run-{conversation.run}-round-{round}"')
            said = page[place : page.index("</li>", place)]
            assert f'<span class="planted">{probe.case}' in said
            assert ("<mark>" in said) is (step.text != step.original)
    assert "no answer within 30 s" in page


def test_two_writes_give_the_same_page(report: Report, path: Path, tmp_path: Path) -> None:
    assert html.write(report, tmp_path).read_bytes() == path.read_bytes()


def test_a_report_without_results_is_a_page_too(tmp_path: Path) -> None:
    parts = Parts(html.write(report_of([]), tmp_path).read_text("utf-8"))
    assert "0 of 0 answers failed" in parts.text


def test_conversations_past_the_limit_are_left_out_and_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "MOST", 2)
    parts = Parts(html.write(sample(3, 8), tmp_path).read_text("utf-8"))
    assert "The first 2 of 3 conversations are shown here" in parts.text
    assert "run-3" not in parts.ids


def test_rows_past_the_limit_are_left_out_what_passed_first(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = [row for row in report.results if row.verdict in (Verdict.FAIL, Verdict.ERROR)]
    monkeypatch.setattr(html, "MOST_ROWS", len(failed) + 5)
    page = html.write(report, tmp_path).read_text("utf-8")
    rows = data_of(page)["rows"]
    assert len(rows) == len(failed) + 5
    assert sum(row[1] in ("FAIL", "ERROR") for row in rows) == len(failed)
    assert f"<p>{len(report.results) - len(rows)} more results are in results.jsonl and the workbook;" in page


def test_single_questions_have_their_place_too(report: Report, tmp_path: Path) -> None:
    single = Result(
        "ML-U4", 0, "ML-U4", 6, Verdict.FAIL, "Is it?", "Perhaps.", perturbation="typo", kind="replace", dose=1.0
    )
    both = report_of([single, *report.results], report.conversations)
    data = data_of(html.write(both, tmp_path).read_text("utf-8"))
    assert [row[2] for row in data["rows"] if row[3] == "Is it?"] == ["ML-U4, question 7"]
    alone = Parts(html.write(report_of([single]), tmp_path).read_text("utf-8"))
    assert "alice is asked single questions; seed 1" in alone.text
    assert "1 of 1 answer failed." in alone.text
    assert "conversations" not in alone.ids


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_are_none_do_no_harm(tmp_path: Path, number: float) -> None:
    report = report_of([Result("ML-P1", 1, "run-001", 0, Verdict.ERROR, score=Score(number))])
    page = html.write(report, tmp_path).read_text("utf-8")
    data = data_of(page, parse_constant=pytest.fail)
    assert data["rows"][0][6] is None


@in_browser
def test_it_renders_without_network_or_console_errors(browser: Browser, path: Path) -> None:
    ready(browser, path)
    for place in range(8):
        browser.run(f"document.getElementById('plot-{place}').scrollIntoView()")
        browser.wait(f"document.querySelector('#plot-{place} .main-svg')")
    assert browser.said == []
    assert browser.asked == [path.as_uri()]
    assert browser.run("document.title") == "chattest: sample"


@in_browser
def test_the_table_filters(browser: Browser, path: Path, report: Report) -> None:
    ready(browser, path)
    assert browser.run("document.getElementById('count').textContent").startswith(f"{len(report.results)} of")
    browser.run(
        "(() => { const s = document.querySelector('[name=verdict]'); s.value = 'FAIL';"
        " s.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )
    failed = [row for row in report.results if row.verdict is Verdict.FAIL]
    assert len(shown_rows(browser)) == len(failed)
    browser.run("document.querySelector('[name=text]').focus()")
    browser.type("YOU SAID it")
    wanted = [row for row in failed if "you said it" in row.reply.lower()]
    assert 0 < len(wanted) < len(failed)
    assert [row[4] for row in shown_rows(browser)] == [row.reply for row in wanted]
    browser.click("button[type=reset]")
    browser.wait(f"document.getElementById('count').textContent.startsWith('{len(report.results)} of')")
    assert len(shown_rows(browser)) == 100
    browser.click("#more")
    assert len(shown_rows(browser)) == 200


@in_browser
def test_a_case_in_the_summary_leads_to_its_results_and_they_to_the_transcript(
    browser: Browser, path: Path, report: Report
) -> None:
    ready(browser, path)
    browser.click("a[href='#results?case=ML-U3']")
    browser.wait("[...document.querySelectorAll('#rows tbody tr')].every(row => row.cells[0].textContent === 'ML-U3')")
    assert len(shown_rows(browser)) == sum(row.check == "ML-U3" for row in report.results)
    assert not browser.run("document.querySelector('#run-1 > details').open")
    browser.click("#rows tbody a")
    place = browser.run("document.querySelector('#rows tbody a').hash")
    browser.wait(f"document.querySelector('#run-1 > details').open && document.activeElement.id === '{place[1:]}'")
    top = browser.run("document.activeElement.getBoundingClientRect().top")
    assert 0 <= top < 900
    assert browser.said == []


@in_browser
def test_an_address_with_a_round_opens_its_conversation(browser: Browser, path: Path) -> None:
    ready(browser, path, "#run-2-round-7")
    assert browser.run("document.querySelector('#run-2 > details').open")
    assert browser.run("document.activeElement.id") == "run-2-round-7"


@in_browser
def test_what_a_bot_says_stays_text(browser: Browser, tmp_path: Path, report: Report) -> None:
    said = [turn.text for conversation in report.conversations for turn in conversation.turns]
    assert {"<script>document.title = 'owned'</script>", '</script><img src=x onerror="document.title=1">'} <= set(said)
    ready(browser, html.write(report, tmp_path))
    browser.run("document.querySelectorAll('details').forEach(held => held.open = true)")
    for _ in range(3):
        browser.run("document.getElementById('more').click()")
    replies = browser.run("[...document.querySelectorAll('.subject p')].map(p => p.textContent)")
    plain = [text for text in NASTY if len(text) < 1000 and all(c.isprintable() or c in "\n\t" for c in text)]
    assert set(plain) <= set(replies) | {""}
    assert browser.run("document.title") == "chattest: sample"
    assert browser.run("document.querySelectorAll('main img, main script, main b b').length") == 0
    assert "<script>document.title = 'owned'</script>" in {row[4] for row in shown_rows(browser)}
    assert browser.said == []


@in_browser
@pytest.mark.parametrize("dark", [False, True])
def test_text_can_be_read_in_light_and_dark(browser: Browser, path: Path, dark: bool) -> None:
    browser.look(dark=dark)
    ready(browser, path)
    browser.run("document.querySelectorAll('details').forEach(held => held.open = true)")
    assert browser.run("getComputedStyle(document.body).backgroundColor") == (
        "rgb(18, 22, 28)" if dark else "rgb(246, 247, 249)"
    )
    assert browser.run(CONTRAST) == []
    browser.click("#theme")
    assert browser.run("getComputedStyle(document.body).backgroundColor") == (
        "rgb(246, 247, 249)" if dark else "rgb(18, 22, 28)"
    )
    assert browser.run(CONTRAST) == []
    assert browser.said == []


@in_browser
def test_a_phone_scrolls_down_only(browser: Browser, path: Path) -> None:
    browser.look(width=390)
    ready(browser, path)
    shown = browser.run(
        "[...document.querySelectorAll('.cases .rate, .cases .bar')].map(e => e.getBoundingClientRect())"
        ".map(r => r.width > 30 && r.right <= 390)"
    )
    assert len(shown) > 6
    assert all(shown)
    browser.run("document.getElementById('plot-1').scrollIntoView()")
    browser.wait("document.querySelector('#plot-1 .main-svg')")
    browser.run("document.querySelectorAll('details').forEach(held => held.open = true)")
    assert browser.run("document.documentElement.scrollWidth") <= 390


@in_browser
def test_a_screen_reader_and_the_keyboard_find_their_way(browser: Browser, path: Path) -> None:
    ready(browser, path)
    told = browser.accessible()
    for role in ("combobox", "searchbox", "button", "link", "image", "table", "region"):
        named = [node for node in told if node["role"] == role]
        assert all(node["name"] for node in named), f"a {role} without a name"
    headings = [node["name"] for node in told if node["role"] == "heading"]
    assert {"sample", "Overview", "Plots", "Results", "Conversations"} <= set(headings)
    levels = browser.run("[...document.querySelectorAll('h1, h2, h3')].map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert browser.run("document.querySelector('#count').getAttribute('role')") == "status"
    assert browser.run("document.documentElement.lang") == "en"
