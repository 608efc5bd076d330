"""Labelled replies of real bots: how they are read, judged again and counted."""

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.real_runs.figures import group_by_case, measure
from benchmarks.real_runs.judging import Judged, find_scorer, make_item, rejudge
from benchmarks.real_runs.rows import (
    CHOOSE,
    CONVERSATIONS,
    MEASURE,
    ROWS,
    Row,
    RowError,
    read_roles,
    read_rows,
    select_role,
)
from benchmarks.real_runs.table import (
    DOCS_HEAD,
    HEAD,
    describe_left_out,
    make_docs_table,
    make_table,
    to_markdown,
    to_text,
)
from chattest.records.conversation import Speaker
from chattest.settings.declaration import Settings
from tests.support.stand_ins import StandIns

FIELDS: dict[str, Any] = {
    "bot": "a-bot",
    "case": "ML-I3",
    "kind": "coherence",
    "reader_says": "pass",
    "context": [],
    "prompt": "Do you like rain?",
    "reply": "Only from indoors.",
}


def write(path: Path, *rows: dict[str, Any]) -> Path:
    text = "\n".join(json.dumps(FIELDS | row, ensure_ascii=False) for row in rows) + "\n"
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def make_row(right: bool | None = True, probability: float = 1.0, **fields: Any) -> Row:
    given = {"bot": "a-bot", "case": "ML-I3", "kind": "coherence", "texts": {}} | fields
    return Row(right=right, probability=probability, error_kind="", **given)


def judged(
    right: bool | None, passes: bool, score: float = 0.0, probability: float = 1.0, doubt: bool = False
) -> Judged:
    return Judged(make_row(right, probability), passes, score, doubt)


# Reading


def test_files_and_folders_are_read_packed_or_not(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", {"reply": "One\u2028line."}, {"reader_says": "cannot tell"})
    write(tmp_path / "b.jsonl.gz", {"bot": "other", "reader_says": "fail", "probability_drawn": 0.25})
    (tmp_path / "notes.txt").write_text("no rows")
    first, second, third = read_rows([tmp_path])
    assert (first.right, second.right, third.right) == (True, None, False)
    assert first.texts["reply"] == "One\u2028line."
    assert (first.weight, third.weight, third.bot) == (1.0, 4.0, "other")
    assert read_rows([tmp_path / "b.jsonl.gz"]) == [third]


def test_a_labelled_reply_of_a_conversation_is_a_row_of_five_cases(tmp_path: Path) -> None:
    turns = [
        ["d", "Hi."],
        ["s", "Why?", "yy-----", "yy-----"],
        ["d", "I ran."],
        ["s", "Why?", "yns-a--", "?n--a-0"],
        ["s", "."],
    ]
    file = tmp_path / "talk.jsonl"
    file.write_text(json.dumps({"bot": "b", "driver": "companion", "conversation": "b-1", "turns": turns}))
    rows = read_rows([file])
    assert [row.right for row in rows[:5]] == [True] * 5
    assert {row.case: row.right for row in rows[5:]} == {
        "ML-I2": False,
        "ML-I3": None,
        "ML-P1": True,
        "ML-A7": False,
        "ML-M9": None,
    }
    by_case = {row.case: row.texts for row in rows[5:]}
    assert by_case["ML-I2"] == {"context": ["Hi.", "Why?"], "prompt": "I ran.", "reply": "Why?"}
    assert by_case["ML-A7"]["asked_before"] == ["Why?"]
    assert all(find_scorer(row) for row in rows)


def test_a_wrong_code_of_a_reader_is_told_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text(json.dumps({"bot": "b", "turns": [["d", "Hi."], ["s", "Hello.", "yes"]]}))
    with pytest.raises(RowError, match=r"talk\.jsonl:1: 'yes' is no code"):
        read_rows([file])


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"reader_says": "maybe"}, "reader_says is 'maybe'; it must be one of pass, fail, cannot tell"),
        ({"probability_drawn": 0}, "probability_drawn is 0; it must be above 0 and at most 1"),
        ({"probability_drawn": 1.5}, "must be above 0 and at most 1"),
    ],
)
def test_a_wrong_row_is_named_with_its_file_and_line(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    path = write(tmp_path / "a.jsonl", {}, row)
    with pytest.raises(RowError, match=f"a.jsonl:2: .*{said}"):
        read_rows([path])


def test_what_is_no_row_or_no_file_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "a.jsonl"
    broken.write_text('{"bot": "x", "case": "ML-I3", "kind": "coherence"}\n')
    with pytest.raises(RowError, match=r"a.jsonl:1: 'reader_says' is missing"):
        read_rows([broken])
    broken.write_text("[1]\n")
    with pytest.raises(RowError, match=r"a\.jsonl:1: "):
        read_rows([broken])
    with pytest.raises(RowError, match="does not exist"):
        read_rows([tmp_path / "none.jsonl"])
    broken.write_text("\n")
    with pytest.raises(RowError, match="no rows"):
        read_rows([broken])


def test_a_bot_without_a_role_only_measures(tmp_path: Path) -> None:
    rows = [make_row(bot="known"), make_row(bot="new")]
    assert select_role(rows, CHOOSE, {"known": CHOOSE}) == rows[:1]
    assert select_role(rows, MEASURE, {"known": CHOOSE}) == rows[1:]
    path = tmp_path / "bots.toml"
    path.write_text('[roles]\nknown = "train"\n')
    with pytest.raises(RowError, match="train is no role"):
        read_roles(path)


def test_the_kept_rows_have_the_form_and_no_words_of_the_bot_under_another_licence() -> None:
    rows = read_rows([ROWS])
    assert {row.bot for row in rows} <= set(read_roles())
    assert "alice" not in {row.bot for row in rows}
    for row in rows:
        if find_scorer(row) and row.kind != "same_answer":
            assert make_item(row).reply


# Arithmetic


CHANCE = st.floats(0.01, 1)
LABELLED = st.builds(
    lambda right, wrong, rest: [(True, right), (False, wrong), *rest],
    CHANCE,
    CHANCE,
    st.lists(st.tuples(st.booleans(), CHANCE), max_size=28),
)
"""Labels with their probabilities; each label is there."""


@given(LABELLED)
def test_a_judge_that_is_always_right_has_one_everywhere(rows: list[tuple[bool, float]]) -> None:
    figures = measure([judged(right, right, float(right), probability) for right, probability in rows])
    assert (figures.right, figures.passes_right, figures.fails_right) == pytest.approx((1, 1, 1))
    assert (figures.balanced, figures.auc) == pytest.approx((1, 1))
    assert figures.errors_in_doubt is None


@given(LABELLED, st.booleans(), st.floats(-5, 5))
def test_a_constant_has_a_half(rows: list[tuple[bool, float]], passes: bool, score: float) -> None:
    figures = measure([judged(right, passes, score, probability) for right, probability in rows])
    assert (figures.balanced, figures.auc) == pytest.approx((0.5, 0.5))
    assert figures.always_passes is not None
    assert figures.right == pytest.approx(figures.always_passes if passes else 1 - figures.always_passes)


@given(LABELLED, st.lists(st.floats(0, 1), min_size=30, max_size=30))
def test_turning_the_scores_round_turns_the_area_round(rows: list[tuple[bool, float]], scores: list[float]) -> None:
    up = [judged(right, right, scores[i], chance) for i, (right, chance) in enumerate(rows)]
    area, other = measure(up).auc, measure([replace(each, score=-each.score) for each in up]).auc
    assert area is not None
    assert other == pytest.approx(1 - area)


def test_a_row_counts_for_the_verdicts_that_it_stands_for() -> None:
    """Three fails that were all drawn, and one pass that stands for nine."""
    rows = [judged(False, False)] * 2 + [judged(True, False), judged(True, True, probability=1 / 9)]
    figures = measure(rows)
    assert (figures.rows, figures.right, figures.fails_right) == pytest.approx((4, 11 / 12, 2 / 3))
    assert figures.balanced == pytest.approx((1 + 0.9) / 2)
    assert figures.always_passes == pytest.approx(10 / 12)
    copied = measure(rows[:3] + [judged(True, True)] * 9)
    assert replace(copied, rows=4).right == pytest.approx(figures.right)


def test_doubt_is_measured_by_the_errors_it_holds() -> None:
    rows = [judged(True, False, doubt=True), judged(True, False), judged(True, True, doubt=True), judged(False, False)]
    figures = measure(rows)
    assert (figures.in_doubt, figures.errors_in_doubt) == (0.5, 0.5)


def test_rows_that_the_reader_could_not_tell_count_nowhere() -> None:
    assert measure([judged(None, True)]) == replace(measure([]), rows=0)
    assert measure([judged(True, True), judged(None, False)]) == measure([judged(True, True)])


# Judging again


def test_each_kind_is_judged_as_it_ships() -> None:
    fields = {"context": (), "prompt": "Rain?"}
    rows = [
        make_row(True, texts=fields | {"reply": "Well"}),
        make_row(False, texts=fields | {"reply": "Bananas"}, bot="other"),
        make_row(None, texts=fields | {"reply": "Hm"}),
        make_row(False, case="ML-P1", kind="toxicity", texts={"text": "Well"}),
        make_row(True, case="mft.negation", kind="check", texts={"question": "Is it?", "reply": "No"}),
        make_row(True, case="ML-M8", kind="leak", texts={"question": "Code?", "secret": "not 5591", "reply": "No."}),
    ]
    fits = {("Rain?", "Well"): 0.9, ("Rain?", "Bananas"): 0.1, ("Rain?", "Hm"): 0.5}
    found = rejudge(rows, Settings(), StandIns(fits=fits, toxic={"Well": {"insult": 0.99}}))
    by_row = {id(each.row): each for each in found.judged}
    assert [by_row[id(row)].passes for row in (rows[0], rows[1], rows[3])] == [True, False, False]
    assert by_row[id(rows[0])].score > by_row[id(rows[1])].score
    assert list(found.whole_conversation) == rows[4:], "a leak without the conversation, and a check"
    left_out = describe_left_out(found)
    assert left_out[0] == "The reader could not tell: 1 rows (1 of ML-I3)."
    assert "2 rows (1 of mft, 1 of ML-M8)" in left_out[1]
    table = make_table(found, {"a-bot": CHOOSE})
    assert [line[:3] for line in table] == [
        *(("all", "ML-I3", "2"), ("all", "ML-P1", "1")),
        *(("choosing", "ML-I3", "1"), ("choosing", "ML-P1", "1")),
        ("measuring", "ML-I3", "1"),
    ]
    docs = make_docs_table(found, {"a-bot": CHOOSE})
    assert [(line[0], line[1], line[-3]) for line in docs] == [("ML-I3", "2", "1"), ("ML-P1", "1", "0")]
    assert {len(line) for line in docs} == {len(DOCS_HEAD)}
    assert to_markdown(DOCS_HEAD, docs).count("\n") == 1 + len(docs)
    assert [line.split()[:2] for line in to_text(HEAD, table).split("\n")[1:]] == [list(line[:2]) for line in table]


def test_a_contradiction_is_sought_in_the_whole_history() -> None:
    history = [["d", "Hello."], ["s", "I am 75 years old."], ["d", "My cat is black."], ["s", "How nice."]]
    texts = {"history": history, "prompt": "How old are you?", "reply": "I am 27."}
    item = make_item(make_row(False, case="ML-M9", kind="free_contradiction", texts=texts))
    assert [(turn.round, turn.speaker) for turn in item.turns] == [
        (0, Speaker.DRIVER), (0, Speaker.SUBJECT), (1, Speaker.DRIVER), (1, Speaker.SUBJECT), (2, Speaker.DRIVER),
    ]  # fmt: skip
    assert item.earlier_replies == ("I am 75 years old.", "How nice.")


def test_a_row_without_a_text_of_its_kind_is_named() -> None:
    with pytest.raises(RowError, match="a row of a-bot in ML-I3 of the kind coherence has no 'prompt'"):
        rejudge([make_row()], Settings(), StandIns())


def test_cases_of_one_family_share_a_line() -> None:
    rows = [replace(judged(True, True), row=make_row(case=case)) for case in ("ML-U3", "ML-I1", "ML-I2", "bias.gender")]
    assert list(group_by_case(rows)) == ["ML-I2", "recall (U3-U6, I1, I4-I7)", "two answers compared (checks)"]


def test_the_conversations_kept_have_two_readers_for_each_reply() -> None:
    rows = read_rows([CONVERSATIONS])
    assert {row.case for row in rows} == {"ML-I2", "ML-I3", "ML-P1", "ML-A7", "ML-M9"}
    assert all(row.texts.get("prompt", "-") for row in rows)
    assert sum(row.right is not None for row in rows) > 0.85 * len(rows)
    assert {bot for bot in read_roles() if bot in {row.bot for row in rows}} == {row.bot for row in rows}
