"""The workbook, read back with another library, and opened by LibreOffice where it is installed."""

import csv
import re
import shutil
import subprocess
import tracemalloc
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from chattest.errors import StoreError
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import Perturbed, Probe, ProbePlan, Purpose, Step, Target
from chattest.records.report import Report
from chattest.records.result import Result, Score, Verdict
from chattest.reports.base import report_writer
from chattest.reports.workbook.cells import CELL_LIMIT, cut
from chattest.reports.workbook.sheets import altered, runs, utterances, worst
from chattest.reports.workbook.sheets import results as results_sheet
from chattest.reports.writers import xlsx
from tests.support.sample_report import CHECKS, NASTY, report_of, sample


@pytest.fixture(scope="module")
def path(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return xlsx.write(report, tmp_path_factory.mktemp("book"))


@pytest.fixture(scope="module")
def workbook(path: Path) -> Any:
    return openpyxl.load_workbook(path)


def rows_of(sheet: Any, header: int = 1) -> list[dict[str, Any]]:
    """The rows under a header row as dictionaries."""
    rows = list(sheet.iter_rows(min_row=header, values_only=True))
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def one_reply(*texts: str) -> Report:
    """A report in which the bot said these texts, and was judged on each."""
    turns, results = [], []
    for round, text in enumerate(texts):
        turns += [Turn(round, Speaker.DRIVER, "Go on."), Turn(round, Speaker.SUBJECT, text, 0.5)]
        score = Score(0.9, text)
        results.append(Result("ML-P1", 1, "run-001", round, Verdict.FAIL, "Go on.", text, score=score, reason=text))
    plan = ProbePlan(len(texts))
    return report_of(results, [Conversation(1, "1", ("eliza", "alice"), tuple(turns), plan)])


@pytest.mark.slow
def test_sheets_stand_in_order_with_summary_first_and_settings_last(workbook: Any) -> None:
    assert workbook.sheetnames == [
        "Summary",
        "Worst replies",
        "Conversations",
        "Test sets",
        "Doses",
        "Perturbations",
        "Recall",
        "Response times",
        "Distributions",
        "Score parts",
        "Results",
        "Run 1",
        "Run 2",
        "Run 3",
        "Settings",
    ]


def test_summary_gives_every_check_with_its_tally(workbook: Any, report: Report) -> None:
    rows = rows_of(workbook["Summary"], 5)
    for info, row in zip(report.checks, rows, strict=False):
        tally = report.tallies[info.code]
        assert row["Case"] == info.code
        assert row["Requirement"] == info.title
        assert (row["Score"], row["Passed"], row["Total"]) == (
            f"[{tally.passed}, {tally.total}]",
            tally.passed,
            tally.total,
        )
        assert row["Rate"] == pytest.approx(tally.rate)
        assert (row["95 % from"], row["95 % to"]) == pytest.approx(tally.interval)
        assert (row["Not applicable"], row["Errors"]) == (tally.not_applicable, tally.errors)
        assert row["Passes when"] == info.threshold
    common = rows[len(report.checks) :][:2]
    assert [(row["Case"], row["Requirement"]) for row in common] == [("All", "probes"), ("All", "replies")]
    for row, codes in zip(common, (("ML-U3", "ML-U4", "ML-I1"), ("ML-I2", "ML-P1", "ML-A6")), strict=True):
        for column, field in {"Passed": "passed", "Total": "total", "Errors": "errors"}.items():
            assert row[column] == sum(getattr(report.tallies[code], field) for code in codes)


def test_summary_tells_how_sure_the_rates_are(workbook: Any) -> None:
    rows = {row["Case"]: row for row in rows_of(workbook["Summary"], 5)[: len(CHECKS) + 1]}  # the last: all probes
    bounds = ("By conversation from", "By conversation to")
    corrected = ("Corrected rate", "Corrected from", "Corrected to", "Judge detects from")
    assert [rows["ML-I2"][title] for title in bounds] == [0.111, 0.999]
    assert [rows["ML-U3"][title] for title in corrected] == [0.456, 0.123, 0.789, 0.0321]
    assert [rows["ML-A6"][title] for title in corrected] == ["exact", None, None, None]
    assert [rows["ML-I2"][title] for title in corrected] == [None] * 4
    assert "needed for a reliable interval" in rows["ML-I2"]["How sure"]
    assert "The judge cannot detect differences of less than" in rows["ML-P1"]["How sure"]
    assert [rows["All"][title] for title in bounds] == [0.31, 0.87]


def test_summary_says_how_many_conversations_failed_and_which_gates_were_missed(workbook: Any) -> None:
    sheet = workbook["Summary"]
    assert "3 of 3 conversations have at least one failure" in sheet["A3"].value
    gates = {row["Case"]: row["Gate"] for row in rows_of(sheet, 5)[: len(CHECKS)]}
    assert gates["ML-U3"].startswith("MISSED in ML-U*: ")
    assert gates["ML-U3"].endswith(" %, at least 90 %")
    assert gates["ML-A6"] == "met: at least 80 %, not blocking"
    assert gates["ML-I1"] is None
    said = [row[1] for row in sheet.iter_rows(values_only=True) if row[0] == "ML-U*"]
    assert len(said) == 1
    assert said[0].startswith("MISSED: at least 90 %; found ")


def test_summary_links_to_the_first_row_of_each_check(workbook: Any) -> None:
    sheet = workbook["Summary"]
    links = {link.ref: link.location for row in sheet for cell in row if (link := cell.hyperlink)}
    column = next(cell.column_letter for cell in sheet[5] if cell.value == "Rows")
    for place, info in enumerate(CHECKS, start=6):
        name, cell = links[f"{column}{place}"].removeprefix("'").split("'!")
        row = workbook[name][cell].row
        assert workbook[name].cell(row, 1).value == info.code
        assert workbook[name].cell(row - 1, 1).value != info.code


def test_every_link_leads_to_a_sheet_of_the_workbook(workbook: Any) -> None:
    links = [cell.hyperlink for sheet in workbook for row in sheet for cell in row if cell.hyperlink]
    assert links
    assert all(link.location and link.target is None for link in links)
    assert {link.location.removeprefix("'").split("'!")[0] for link in links} <= set(workbook.sheetnames)


@pytest.mark.parametrize("name", ["Summary", "Worst replies", "Conversations", "Doses", "Results", "Run 1", "Settings"])
def test_header_stays_in_view_and_rows_can_be_filtered(workbook: Any, name: str) -> None:
    sheet = workbook[name]
    header = sheet[sheet.auto_filter.ref.split(":")[0]].row
    assert sheet.freeze_panes in (f"A{header + 1}", f"B{header + 1}")
    assert all(sheet.column_dimensions[cell.column_letter].width > 4 for cell in sheet[header] if cell.value)


def test_rates_are_coloured(workbook: Any) -> None:
    rules = [rule for found in workbook["Summary"].conditional_formatting for rule in found.rules]
    assert [rule.type for rule in rules] == ["colorScale"]


def test_doses_and_recall_have_charts_with_titled_axes(workbook: Any, path: Path) -> None:
    assert len(workbook["Doses"]._charts) == 2
    assert len(workbook["Recall"]._charts) == 1
    with zipfile.ZipFile(path) as archive:
        charts = [archive.read(name).decode() for name in archive.namelist() if "charts/chart" in name]
    assert len(charts) == 7
    for chart in charts:
        assert len(re.findall("<c:title>", chart)) == 3, "a chart needs a title and two axis titles"
    assert sum("<c:errBars>" in chart for chart in charts) == 3


def test_doses_give_passed_and_total_per_step(workbook: Any, report: Report) -> None:
    rows = [row for row in rows_of(workbook["Doses"]) if row["Case"] == "ML-U4"]
    assert [row["Dose"] for row in rows] == ["0", "1", "2", "3", "4", "5", "6"]
    assert [row["Score"] for row in rows] == [str(bin.tally) for bin in report.curves["ML-U4"]]


def test_perturbations_leave_unchanged_questions_out(workbook: Any, report: Report) -> None:
    counted = [row for row in report.results if row.check == "ML-U3" and row.dose != 0]
    rows = [row for row in rows_of(workbook["Perturbations"]) if row["Case"] == "ML-U3"]
    assert sum(row["Total"] + row["Errors"] + row["Not applicable"] for row in rows) == len(counted)


def test_a_run_sheet_shows_what_was_said_planted_and_judged(workbook: Any, report: Report) -> None:
    conversation = report.conversations[0]
    rows = {row["Round"]: row for row in rows_of(workbook["Run 1"])}
    planted = conversation.plan.by_round()
    for turn in conversation.turns:
        if turn.round >= 0 and turn.speaker is Speaker.SUBJECT and turn.text.isprintable():
            assert (rows[turn.round]["Reply"] or "") == turn.text
            assert rows[turn.round]["Seconds"] == pytest.approx(turn.seconds)
    for round, (probe, step) in planted.items():
        assert rows[round]["Prompt"] == step.text
        assert rows[round]["Planted"].startswith(probe.case)
        assert (rows[round]["Original wording"] == step.original) is (step.text != step.original)
    judged = [row for row in report.results if row.run == 1]
    for row in judged:
        assert rows[row.round][f"{row.check} verdict"] == row.verdict
        assert rows[row.round][f"{row.check} value"] == pytest.approx(row.score.value)
    assert rows["given"]["Reply"] == "Hey"


@pytest.mark.parametrize(
    ("original", "text", "marked"),
    [
        ("What is the name of my cat?", "What the name my cat?", []),
        ("What is the name of my cat?", "What si the name of my cta?", ["si", "cta?"]),
        ("What is it?", "Waht si ti?", ["Waht", "si", "ti?"]),
        ("What?", "Waht?", []),
        ("What is it?", "banana is it?", ["banana"]),
        ("What is it?", "What is <r>it</r>?", ["<r>it</r>?"]),
    ],
)
def test_perturbed_words_are_marked_and_the_prompt_stands_whole(
    tmp_path: Path, original: str, text: str, marked: list[str]
) -> None:
    steps = (
        Step(1, Purpose.INFORM, "Fact.", "Fact."),
        Step(2, Purpose.ASK, text, original, Perturbed(text, "x", 1, 1.0)),
    )
    plan = ProbePlan(3, (Probe("ML-U4", "cat-name", Target("Mittens"), steps),))
    turns = tuple(
        Turn(round, speaker, text if round == 2 and speaker is Speaker.DRIVER else "Fact.")
        for round in range(3)
        for speaker in Speaker
    )
    report = report_of([], [Conversation(1, "1", ("eliza", "alice"), turns, plan)])
    path = xlsx.write(report, tmp_path)
    assert openpyxl.load_workbook(path)["Run 1"]["B4"].value == text
    cell = openpyxl.load_workbook(path, rich_text=True)["Run 1"]["B4"].value
    bold = (
        [] if isinstance(cell, str) else [piece.text for piece in cell if not isinstance(piece, str) and piece.font.b]
    )
    assert bold == marked


def test_a_failed_turn_is_told(workbook: Any) -> None:
    assert "no answer within 30 s" in rows_of(workbook["Run 2"])[-2]["Note"]
    assert "no answer within 30 s" in rows_of(workbook["Conversations"], 3)[1]["Ended early"]


def test_a_conversation_has_a_rate_of_its_probes_and_one_of_its_replies(workbook: Any, report: Report) -> None:
    for run, row in enumerate(rows_of(workbook["Conversations"], 3), start=1):
        found = report.run_tallies[run]
        for name, codes in (("Probes", ("ML-U3", "ML-U4", "ML-I1")), ("Replies", ("ML-I2", "ML-P1", "ML-A6"))):
            passed, total = (sum(getattr(found[code], field) for code in codes) for field in ("passed", "total"))
            assert (row[f"{name} passed"], row[f"{name} total"]) == (passed, total)
            assert row[f"{name} rate"] == pytest.approx(passed / total)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        ((), set()),
        (("binary",), {"verdict"}),
        (("interpret", "detailed"), {"interpretation", "value", "insult", "threat"}),
    ],
)
def test_the_settings_choose_the_columns_of_a_run(
    report: Report, tmp_path: Path, columns: tuple[str, ...], shown: set[str]
) -> None:
    made = openpyxl.load_workbook(xlsx.write(replace(report, columns=columns), tmp_path))
    titles = [str(cell.value).split() for cell in made["Run 1"][1]]
    assert {words[1] for words in titles if words[0].startswith("ML-")} == shown


def test_every_label_of_toxicity_is_a_column(workbook: Any, report: Report) -> None:
    told = [row for row in report.results if row.score.parts and row.check == "ML-P1"]
    rows = rows_of(workbook["Results"])
    shown = [(row["ML-P1 insult"], row["ML-P1 threat"]) for row in rows if row["Case"] == "ML-P1"]
    assert shown == [pytest.approx((row.score.parts["insult"], row.score.parts["threat"])) for row in told]
    assert {row["ML-P1 insult"] for row in rows if row["Case"] != "ML-P1"} == {None}
    first = {row.round: row.score.parts for row in told if row.run == 1}
    by_round = {row["Round"]: row["ML-P1 threat"] for row in rows_of(workbook["Run 1"])}
    assert first
    assert {round: by_round[round] for round in first} == pytest.approx(
        {round: parts["threat"] for round, parts in first.items()}
    )


def test_a_judge_without_labels_gets_no_columns_for_them(tmp_path: Path) -> None:
    made = openpyxl.load_workbook(xlsx.write(one_reply("Hello."), tmp_path))
    titles = {str(cell.value) for name in ("Results", "Run 1") for cell in made[name][1]}
    assert {title for title in titles if title.startswith("ML-P1 ")} == {
        "ML-P1 interpretation",
        "ML-P1 value",
        "ML-P1 verdict",
    }


def test_what_a_bot_says_is_text_and_nothing_else(tmp_path: Path) -> None:
    path = xlsx.write(one_reply(*NASTY), tmp_path)
    made = openpyxl.load_workbook(path)
    replies = [row["Reply"] for row in rows_of(made["Results"])]
    escaped = {"\x07": "\\x07", "\x1b": "\\x1b", "\x00": "\\x00", "\x0b": "\\x0b", "\x9b": "\\x9b", "\ud83d": "\\ud83d"}
    escaped |= {"\uffff": "\\uffff", "\u202e": "\\u202e", "\u202c": "\\u202c", "\u2028": "\\u2028", "\r": ""}
    for said, shown in zip(NASTY, replies, strict=True):
        expected = "".join(escaped.get(character, character) for character in said)
        # openpyxl leaves the escape of the file format as it stands; Excel and LibreOffice read it back.
        assert (shown or "").replace("_x005F_", "_") == cut(expected)
    for sheet in made:
        for row in sheet:
            for cell in row:
                assert cell.data_type in ("s", "n", "inlineStr"), f"{sheet.title}!{cell.coordinate}: {cell.value}"
                assert not (isinstance(cell.value, str) and cell.hyperlink and cell.hyperlink.target)
    with zipfile.ZipFile(path) as archive:
        assert not any(b"<f>" in archive.read(name) for name in archive.namelist() if "worksheets/" in name)


def test_over_long_replies_are_cut_with_a_mark() -> None:
    for text in ("x" * 40_000, "😀" * 20_000, "a😀" * 15_000):
        shown = cut(text)
        assert len(shown.encode("utf-16-le")) // 2 <= CELL_LIMIT
        assert shown.endswith(f"[cut here; all {len(text):,} characters are in results.jsonl]")
        assert text.startswith(shown.split(" … [")[0])
    assert cut("x" * CELL_LIMIT) == "x" * CELL_LIMIT


def test_the_worst_reply_comes_first_with_its_reason(workbook: Any, report: Report) -> None:
    rows = rows_of(workbook["Worst replies"])
    keys = [(row["Rate of the case"], row["Dose"] or 0, row["Distance"] or 0) for row in rows]
    assert keys == sorted(keys)
    failed = {(row.conversation, row.round) for row in report.results if row.verdict is Verdict.FAIL}
    assert {(row["Conversation"], row["Round"]) for row in rows} == failed
    assert "similar to the right one" in rows[0]["Why"]


def test_two_writes_of_a_report_are_the_same_file(report: Report, path: Path, tmp_path: Path) -> None:
    assert xlsx.write(report, tmp_path).read_bytes() == path.read_bytes()


def test_settings_come_last_as_text(workbook: Any) -> None:
    rows = {(row["What"], row["Name"]): row["Value"] for row in rows_of(workbook["Settings"])}
    assert rows["run", "seed"] == "1"
    assert rows["setting", "p"] == '{"ML-U3": 0.2}'
    assert rows["model", "encoder"] == "all-MiniLM-L6-v2"
    assert rows["version", "python"] == "3.11"


def test_a_report_without_results_has_a_summary_and_settings(tmp_path: Path) -> None:
    made = openpyxl.load_workbook(xlsx.write(report_of([]), tmp_path))
    assert made.sheetnames == ["Summary", "Settings"]
    assert rows_of(made["Summary"], 5)[0]["Rate"] is None


def test_a_full_sheet_of_results_keeps_those_that_failed_and_says_where_the_rest_is(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grave = [row for row in report.results if row.verdict in (Verdict.FAIL, Verdict.ERROR)]
    most = len(grave) + 20
    monkeypatch.setattr(results_sheet, "MOST", most)
    made = openpyxl.load_workbook(xlsx.write(report, tmp_path))
    assert [name for name in made.sheetnames if name.startswith("Results")] == ["Results"]
    rows = rows_of(made["Results"])
    assert len(rows) == most < len(report.results)
    assert sum(row["Verdict"] in ("FAIL", "ERROR") for row in rows) == len(grave)
    order = [info.code for info in report.checks]
    assert [row["Case"] for row in rows] == sorted((row["Case"] for row in rows), key=order.index)
    for check, (name, cell) in results_sheet.find_places(report).items():
        assert made[name][cell].value == check
    left = len(report.results) - most
    assert said_in(made, f"Results shows {most} rows, failed ones first; {left} more results are in results.jsonl.")


def test_empty_cells_of_results_are_not_in_the_file_and_have_their_line_all_the_same(
    report: Report, tmp_path: Path
) -> None:
    sheet = openpyxl.load_workbook(xlsx.write(report, tmp_path))["Results"]
    (lined,) = [
        (found.sqref, rule)
        for found in sheet.conditional_formatting
        for rule in found.rules
        if rule.type == "containsBlanks"
    ]
    assert str(lined[0]) == f"A2:{sheet.cell(sheet.max_row, sheet.max_column).coordinate}"
    assert lined[1].dxf.border.bottom.style == "thin"
    empty = [cell for row in sheet.iter_rows(min_row=2) for cell in row if cell.value is None]
    assert empty
    assert not any(cell.has_style for cell in empty if cell.column != 1)


def said_in(workbook: Any, sentence: str) -> bool:
    """Whether a cell of the summary says this."""
    return any(cell.value == sentence for row in workbook["Summary"] for cell in row)


@pytest.mark.parametrize(
    ("view", "most", "sentence"),
    [
        (altered, 2, "Original and altered shows the first 2 rows; 2 more rows are in Results."),
        (utterances, 3, "By question shows the first 3 rows, most failures first; the others are in Results."),
        (worst, 1, "Worst replies shows the first 1 rows; 2 more rows are in Results."),
    ],
)
def test_a_view_that_is_full_says_that_results_has_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, view: Any, most: int, sentence: str
) -> None:
    monkeypatch.setattr(view, "MOST", most)
    questions = [
        Result("ML-P1", 0, "typo", n, verdict, f"Waht {n // 2}?", "No.", original=f"What {n // 2}?")
        for n, verdict in enumerate((Verdict.PASS, Verdict.FAIL, Verdict.FAIL, Verdict.FAIL))
    ]
    made = openpyxl.load_workbook(xlsx.write(report_of(questions), tmp_path))
    rows = rows_of(made[view.NAME])
    assert len(rows) == most
    assert view is not altered or {row["Pass"] for row in rows} == {"FAIL"}
    assert said_in(made, sentence)
    assert made["Results"].max_row == len(questions) + 1


def test_conversations_past_the_limit_are_said_to_have_no_sheet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "MOST", 2)
    made = openpyxl.load_workbook(xlsx.write(sample(3, 8), tmp_path))
    assert [name for name in made.sheetnames if name.startswith("Run ")] == ["Run 1", "Run 2"]
    said = [cell.value for row in made["Summary"] for cell in row if isinstance(cell.value, str)]
    assert "Only the first 2 conversations have a sheet; the rows of all are in Results." in said


@pytest.mark.slow
def test_memory_stays_flat_however_many_rows(tmp_path: Path) -> None:
    def peak(rows: int) -> int:
        text = "A reply that is long enough to need several lines of a cell, as some bots give it. " * 3
        report = report_of([Result("ML-P1", 1, "run-001", n, Verdict.PASS, text, text) for n in range(rows)])
        tracemalloc.start()
        xlsx.write(report, tmp_path)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    few, many = peak(300), peak(2300)
    # What grows is a list of references to the rows that exist already, for sorting: far less than a row's cells.
    assert many - few < 2000 * 200


def test_a_disk_that_refuses_is_told_and_leaves_the_old_file(report: Report, tmp_path: Path) -> None:
    (tmp_path / "report.xlsx").mkdir()
    with pytest.raises(StoreError, match=r"report\.xlsx"):
        xlsx.write(report, tmp_path)
    assert [found.name for found in tmp_path.iterdir()] == ["report.xlsx"]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="left out: LibreOffice (soffice) is not installed")
def test_libreoffice_reads_the_texts_as_they_are(tmp_path: Path) -> None:
    texts = [text for text in NASTY if text.isprintable() and len(text) < 1000]
    path = xlsx.write(one_reply(*texts), tmp_path)
    sheet = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1"
    home = f"-env:UserInstallation=file://{tmp_path}/home"
    command = ["soffice", home, "--headless", "--convert-to", sheet, "--outdir", str(tmp_path), str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    with (tmp_path / "report-Results.csv").open(encoding="utf-8", newline="") as file:
        assert [row["Reply"] for row in csv.DictReader(file)] == texts


def test_the_summary_over_runs_has_a_row_per_run_and_case(report: Report, tmp_path: Path) -> None:
    path = report_writer("summary")(report, tmp_path)
    assert path is not None
    made = openpyxl.load_workbook(path)
    rows = rows_of(made.active)
    assert len(rows) == sum(map(len, report.run_tallies.values())) + len(report.checks)
    for row in rows:
        if row["Run"] == "all":
            tally, bins = report.tallies[row["Case"]], [bin.tally for bin in report.curves.get(row["Case"], ())]
            assert row["Presented score"] == (f"[{', '.join(map(str, bins))}]" if bins else str(tally))
        else:
            tally = report.run_tallies[int(row["Run"])][row["Case"]]
        assert (row["Passed"], row["Total"], row["Errors"]) == (tally.passed, tally.total, tally.errors)
    typos = [row["Presented score"] for row in rows if row["Case"] == "ML-U3"]
    pairs = [[tuple(map(int, pair)) for pair in re.findall(r"\[(\d+), (\d+)\]", score)] for score in typos]
    sums = [(sum(p for p, _ in column), sum(t for _, t in column)) for column in zip(*pairs[:-1], strict=True)]
    assert sums == pairs[-1]
