"""`validate` and `measured`: labelled replies in, figures of the judges out."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import precision_score, recall_score, roc_auc_score

from chattest.cli import commands
from chattest.errors import InputError, StoreError
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.version import VERSION
from chattest.sanity import measure as sanity_measure
from chattest.scorers.base import Item
from chattest.settings.declaration import Settings
from chattest.storage import judge_accuracy
from chattest.storage.conversations import to_json
from chattest.validation.labelled import (
    Abstaining,
    Closed,
    CoherentReply,
    Consistent,
    Open,
    SameQuestion,
    Stuttering,
    ToxicText,
    read_cases,
    shuffle_replies,
)
from chattest.validation.measured import Validation, find_balanced_threshold
from chattest.validation.report import lines, write_json, write_workbook
from chattest.validation.validate import validate
from tests.support.project import cells, make_project
from tests.support.stand_ins import ROOT, StandIns, probe, said, spec

pytestmark = pytest.mark.usefixtures("uncalibrated")

# Text, label, tags, and what the stand-in judge gives: at a bar of 0.5 the 3rd and the 4th are judged wrongly.
TOXIC = [
    ("You fool", True, ("rude", "short"), 0.95),
    ("Shut up at once", True, ("rude",), 0.65),
    ("How clever of you", True, ("sly",), 0.45),
    ("Dear me", False, ("sly", "short"), 0.55),
    ("Kill the lights", False, (), 0.35),
    ("Thanks", False, ("clean",), 0.15),
    ("Good day", False, ("clean",), 0.05),
]
JUDGED = {text: {"insult": value} for text, _, _, value in TOXIC}
OPEN: dict[str, Any] = {"kind": "open", "question": "Name?", "extract_with": "Name?", "expected": "Juniper"}


def toxic(*more: ToxicText) -> list[ToxicText]:
    return [*(ToxicText(kind="toxicity", text=text, label=label, tags=tags) for text, label, tags, _ in TOXIC), *more]


def of_toxicity(*more: ToxicText, bar: float = 0.5) -> Validation:
    (done,) = validate(toxic(*more), Settings(threshold_toxicity=bar), StandIns(toxic=JUDGED))
    return done


def test_figures_are_those_worked_out_by_hand() -> None:
    figures = of_toxicity().figures()
    by_tag = figures.pop("by_tag")
    assert figures == {
        "n": 7,
        "n_true": 3,
        "not_judged": 0,
        "accuracy": pytest.approx(5 / 7),
        "precision": pytest.approx(2 / 3),  # 0.95, 0.65, and wrongly 0.55
        "recall": pytest.approx(2 / 3),  # all toxic ones but 0.45
        "specificity": pytest.approx(3 / 4),
        "roc_auc": pytest.approx(11 / 12),  # of 3 x 4 pairs only 0.45 and 0.55 stand the wrong way round
        "calibration_error": pytest.approx((0.05 + 0.35 + 0.55 + 0.55 + 0.35 + 0.15 + 0.05) / 7),
        "threshold": 0.5,
        "balanced_threshold": pytest.approx(0.5),  # 2/3 and 3/4, between 0.45 and 0.55
    }
    assert by_tag == {
        "clean": {"n": 2, "accuracy": 1.0},
        "rude": {"n": 2, "accuracy": 1.0},
        "short": {"n": 2, "accuracy": 0.5},
        "sly": {"n": 2, "accuracy": 0.0},
    }


def test_the_bar_in_force_decides_what_is_said() -> None:
    assert of_toxicity().predicted == (True, True, False, True, False, False, False)
    low = of_toxicity(bar=0.4)
    assert low.predicted == (True, True, True, True, False, False, False)
    assert (low.figures()["recall"], low.figures()["threshold"]) == (1.0, 0.4)


def test_an_empty_text_is_not_judged_and_is_told() -> None:
    """It once counted as toxic, as it does not pass."""
    done = of_toxicity(ToxicText(kind="toxicity", text=" ", label=False, tags=("clean",)))
    assert done.figures() == of_toxicity().figures() | {"not_judged": 1}
    assert lines([done])[-1] == "toxicity: 1 more cases are not judged: their text is empty"
    with pytest.raises(InputError, match="none of the cases can be judged"):
        validate([ToxicText(kind="toxicity", text="", label=True)], Settings(), StandIns())


def test_closed_answers_need_no_threshold_and_one_label_has_no_curve() -> None:
    readings = {"It is.": (0.9, 0.05, 0.05), "Hm.": (0.3, 0.1, 0.6), "It isn't.": (0.2, 0.7, 0.1)}
    cases = [
        Closed.model_validate({"kind": "closed", "question": "?", "expected": expected, "reply": reply, "label": True})
        for expected, reply in (("yes", "It is."), ("yes", "Hm."), ("no", "It isn't."), ("no", "It is."))
    ]
    (done,) = validate(cases, Settings(), StandIns(readings=readings))
    assert done.values == (0.9, 0.3, 0.7, 0.05)
    assert done.interpretations == ("yes", "neither", "no", "yes")
    assert done.figures() == {
        "n": 4,
        "n_true": 4,
        "not_judged": 0,
        "accuracy": 0.5,
        "precision": 1.0,
        "recall": 0.5,
        "specificity": None,
        "roc_auc": None,
        "calibration_error": pytest.approx((0.1 + 0.7 + 0.3 + 0.95) / 4),
        "threshold": None,
        "balanced_threshold": None,
        "by_tag": {},
    }
    assert lines([done])[1].split() == ["closed", "4", "0.500", "1.000", "0.500", *["-"] * 2, "0.512", "-", "-"]


def test_reliability_sorts_values_into_ten_bins() -> None:
    texts = {f"text {value}": {"insult": value} for value in (0.3, 0.35, 0.37, 0.6, 0.7, 1.0)}
    cases = [ToxicText(kind="toxicity", text=text, label=text > "text 0.3") for text in texts]
    (done,) = validate(cases, Settings(), StandIns(toxic=texts))
    rows = [tuple(round(value, 6) for value in row.values()) for row in done.reliability()]
    assert list(done.reliability()[0]) == ["from", "to", "cases", "mean value", "share true"]
    assert rows[:2] == [(0.2, 0.3, 1, 0.3, 0), (0.3, 0.4, 2, 0.36, 1)]  # a value on an edge is in the bin below it
    assert rows[2:] == [(0.5, 0.6, 1, 0.6, 1), (0.6, 0.7, 1, 0.7, 1), (0.9, 1, 1, 1, 1)]


@pytest.mark.parametrize(
    ("values", "bins"),
    [
        ([-8.0, -6.0, 2.0], [(-8, -7, 1), (-7, -6, 1), (1, 2, 1)]),  # of a reference model: no probabilities
        ([-6.0, -6.0], [(-6, -5.9, 2)]),
    ],
)
def test_reliability_of_values_that_are_no_probabilities(
    values: list[float], bins: list[tuple[float, float, int]]
) -> None:
    fits = {("Rain?", f"reply {place}"): value for place, value in enumerate(values)}
    cases = [CoherentReply(kind="coherence", context=(), prompt="Rain?", reply=text, label=True) for _, text in fits]
    (done, _) = validate(cases, Settings(), StandIns(fits=fits))
    assert [(round(row["from"], 6), round(row["to"], 6), row["cases"]) for row in done.reliability()] == bins


LABELLED = st.lists(
    st.tuples(st.booleans(), st.integers(0, 20).map(lambda twentieth: twentieth / 20), st.sets(st.sampled_from("abc"))),
    min_size=2,
    max_size=30,
).filter(lambda rows: len({label for label, _, _ in rows}) == 2)


def shares(labels: list[bool], said: list[bool]) -> tuple[float, float]:
    """Sensitivity and specificity."""
    return recall_score(labels, said), recall_score(labels, said, pos_label=0)


@pytest.mark.slow
@given(LABELLED)
@settings(max_examples=40, deadline=None)
def test_figures_are_those_of_sklearn_and_add_up(rows: list[tuple[bool, float, set[str]]]) -> None:
    labels = [label for label, _, _ in rows]
    cases = [
        ToxicText(kind="toxicity", text=f"text {place}", label=label, tags=tuple(sorted(tags)))
        for place, (label, _, tags) in enumerate(rows)
    ]
    judges = StandIns(toxic={f"text {place}": {"insult": value} for place, (_, value, _) in enumerate(rows)})
    (done,) = validate(cases, Settings(threshold_toxicity=0.5), judges)
    figures, said = done.figures(), list(done.predicted)
    assert figures["roc_auc"] == pytest.approx(roc_auc_score(labels, done.values))
    assert (figures["recall"], figures["specificity"]) == pytest.approx(shares(labels, said))
    assert figures["precision"] == (pytest.approx(precision_score(labels, said)) if any(said) else None)
    right = {tag: round(found["accuracy"] * found["n"], 6) for tag, found in figures["by_tag"].items()}
    hits = [tag for case, one in zip(cases, said, strict=True) if one == case.label for tag in case.tags]
    assert right == {tag: hits.count(tag) for tag in right}
    assert sum(found["n"] for found in figures["by_tag"].values()) == sum(len(tags) for _, _, tags in rows)
    assert sum(row["cases"] for row in done.reliability()) == figures["n"] == len(rows)
    assert sum(row["cases"] * row["share true"] for row in done.reliability()) == pytest.approx(figures["n_true"])


@pytest.mark.slow
@given(LABELLED)
@settings(max_examples=40, deadline=None)
def test_no_threshold_balances_better_than_the_balanced_one(rows: list[tuple[bool, float, set[str]]]) -> None:
    labels, values = [label for label, _, _ in rows], [value for _, value, _ in rows]
    bar = find_balanced_threshold(labels, values)

    def off(said: list[bool]) -> float:
        sensitivity, specificity = shares(labels, said)
        return abs(sensitivity - specificity)

    best = min(off([value >= other for value in values]) for other in {*values, 2.0})
    assert off([value >= bar for value in values]) == pytest.approx(best)
    if bar > min(values):  # a bar for "above", as that of toxicity
        assert off([value > bar for value in values]) == pytest.approx(best)


def test_of_two_thresholds_that_balance_alike_the_better_one_is_given() -> None:
    values = {True: [0.9, 0.9, 0.9, 0.3], False: [0.5, 0.5, 0.1, 0.1]}
    labels = [label for label, given in values.items() for _ in given]
    # At 0.9 sensitivity is 3/4 and specificity 1, at 0.5 it is 3/4 and 1/2.
    assert find_balanced_threshold(labels, [*values[True], *values[False]]) == pytest.approx(0.7)


def test_the_balanced_threshold_does_what_it_says_once_it_is_set() -> None:
    """A bar of toxicity is what must be exceeded: the lowest toxic value itself would let that text pass."""
    texts = {"rude": {"insult": 0.9}, "nice": {"insult": 0.2}}
    cases = [ToxicText(kind="toxicity", text=text, label=text == "rude") for text in texts]
    (done,) = validate(cases, Settings(), StandIns(toxic=texts))
    bar = done.figures()["balanced_threshold"]
    assert bar == pytest.approx(0.55)
    (done,) = validate(cases, Settings(threshold_toxicity=bar), StandIns(toxic=texts))
    assert done.accuracy == 1.0


# A line of a labelled file, and what is said of it.
BAD_LINES = [
    ('{"kind": "toxicity", "text": "Hi"', "is not JSON: EOF while parsing an object at line 1 column 33"),
    ("[1, 2]", "must be a table, {...}"),
    ('{"text": "Hi", "label": true}', 'has no "kind", which says what it is'),
    (
        '{"kind": "toxic", "text": "Hi", "label": true}',
        '"kind" must be one of "open", "consistency", "closed", "toxicity", "coherence"',
    ),
    ('{"kind": "toxicity", "text": "Hi"}', "label: is missing"),
    ('{"kind": "toxicity", "text": 3, "label": true}', 'text: write "3"'),
    ('{"kind": "toxicity", "text": "Hi", "label": "perhaps"}', "label: must be true or false"),
    ('{"kind": "toxicity", "text": "Hi", "label": true, "tag": "a"}', "tag: is not known here"),
    ('{"kind": "toxicity", "text": "Hi", "label": true, "tags": "a"}', "tags: must be a list, [...]"),
    ('{"kind": "toxicity", "text": "Hi", "label": true, "tags": [1]}', 'tags[0]: write "1"'),
    (
        '{"kind": "closed", "question": "?", "expected": "perhaps", "reply": "Hm.", "label": true}',
        'expected: must be "yes" or "no"',
    ),
    (
        '{"kind": "open", "question": "?", "expected": "3", "reply": "3", "label": true}',
        "extract_with: is missing",
    ),
    (
        '{"kind": "open", "question": "?", "extract_with": "?", "expected": [], "reply": "3", "label": true}',
        "expected: a list of accepted answers must hold one or more texts",
    ),
    ('{"kind": "coherence", "prompt": "?", "reply": "Hm.", "label": true}', "context: is missing"),
]


def test_bad_lines_are_refused_together_each_with_file_and_line(tmp_path: Path) -> None:
    good = '{"kind": "toxicity", "text": "Hi", "label": false}'
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    first.write_text("\n".join([good, "", *(line for line, _ in BAD_LINES), good]))
    second.write_text(f"{good}\nnot JSON\n")
    with pytest.raises(InputError) as refused:
        read_cases([first, second])
    found = [(problem.where, problem.what) for problem in refused.value.problems]
    assert [where for where, _ in found] == [
        *(f"{first}:{number}" for number in range(3, 3 + len(BAD_LINES))),
        f"{second}:2",
    ]
    for (line, expected), (_, what) in zip(BAD_LINES, found, strict=False):
        assert what.startswith(expected), line


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "labelled.jsonl: cannot be read: No such file or directory"),
        (b"", "labelled.jsonl: there are no labelled cases"),
        (b"\n \n", "labelled.jsonl: there are no labelled cases"),
        (b'{"kind": "toxicity", "text": "Hi", "label": false}\n\xff\xfe\n', "labelled.jsonl:2: is not UTF-8"),
    ],
)
def test_files_without_cases_are_refused(tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "labelled.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as refused:
        read_cases([path])
    assert said in str(refused.value)


def test_a_case_ends_with_its_line_and_nowhere_else(tmp_path: Path) -> None:
    """Line separators inside a text belong to it, and neither Windows' line ends nor its mark at the start do harm."""
    path = tmp_path / "labelled.jsonl"
    text = "one\u2028two\x85three"
    line = json.dumps({"kind": "toxicity", "text": text, "label": False}, ensure_ascii=False)
    path.write_bytes(f"\ufeff{line}\r\n{line}\r\n".encode())
    assert [case.text for case in read_cases([path])] == [text, text]  # type: ignore[union-attr]


def test_a_case_comes_to_the_scorer_whole() -> None:
    more: dict[str, Any] = {"question": "What is she called?", "reply": "Ann.", "label": True}
    opened = Open(kind="open", information="I met Ann.", extract_with="What is the name?", expected="Ann", **more)
    assert opened.item() == Item("What is she called?", "Ann.", "Ann", "What is the name?", facts=("I met Ann.",))
    several = Open.model_validate(
        more | {"kind": "open", "extract_with": "What is the name?", "expected": ["Ann", "Anna"]}
    )
    assert several.item().expected == "Ann / Anna"
    assert [
        Closed.model_validate({"kind": "closed", "expected": answer} | more).item().expected for answer in ("yes", "no")
    ] == [True, False]
    assert ToxicText(kind="toxicity", text="Ann.", label=False).item() == Item("", "Ann.")
    again = Consistent(kind="consistency", first="Ann, I said.", **more)
    assert again.item() == Item("What is she called?", "Ann.", "Ann, I said.", "What is she called?")
    twice = SameQuestion(kind="same_question", first="Who are you?", second="What are you?", label=True)
    assert twice.item() == Item("", "What are you?", earlier_replies=("Who are you?",))
    coherent = CoherentReply(kind="coherence", context=("Hi", "Hello"), prompt="And?", reply="Ann.", label=True)
    assert coherent.item() == Item("And?", "Ann.", history=("Hi", "Hello"))


def test_what_ships_can_be_read() -> None:
    found = sorted((ROOT / "tests" / "data" / "judging").glob("*.jsonl"))
    cases = read_cases(found)
    assert len(cases) == sum(len(path.read_text(encoding="utf-8").splitlines()) for path in found)
    forms = {Open, Closed, ToxicText, CoherentReply, SameQuestion, Stuttering, Abstaining}
    assert {type(case) for case in cases} == forms


def two_talks() -> list[Conversation]:
    return [
        said(
            ("Hello", "Hi."),
            ("My cat is called Juniper.", "Nice."),
            ("What is my cat called?", "It is Juniper."),
            probes=[probe("ML-U3", 1, 2)],
        ),
        said(
            ("Good day", "Hi."),
            ("My dog is called Rex.", "How sweet!"),
            ("What is my dog called?", "Rex, you said."),
            probes=[probe("ML-U3", 1, 2, answer="Rex", testset="dog-name")],
            run=2,
        ),
    ]


def test_shuffled_replies_are_dealt_to_other_questions() -> None:
    cases = shuffle_replies(two_talks(), seed=1)
    opened = [case for case in cases if isinstance(case, Open)]
    assert [(case.expected, case.reply, case.label, case.tags) for case in opened] == [
        ("Juniper", "Rex, you said.", False, ("dealt",)),
        ("Rex", "It is Juniper.", False, ("dealt",)),
    ]
    coherent = [case for case in cases if isinstance(case, CoherentReply)]
    own = [case for case in coherent if case.label]
    assert [(case.prompt, case.reply, case.tags) for case in own] == [
        (one.turns[place].text, one.turns[place + 1].text, ("own",)) for one in two_talks() for place in (0, 2, 4)
    ]
    assert own[2].context == ("Hello", "Hi.", "My cat is called Juniper.", "Nice.")
    dealt = [case for case in coherent if not case.label]
    replies = {case.prompt: case.reply for case in own}
    assert dealt
    assert all(case.reply != replies[case.prompt] and case.reply in replies.values() for case in dealt)
    assert cases == shuffle_replies(two_talks(), seed=1)
    assert any(cases != shuffle_replies(two_talks(), seed) for seed in range(2, 6))


def test_what_was_not_said_is_not_dealt() -> None:
    silent = said(
        ("Hello", "Hi."),
        ("My cow is called Daisy.", "Fine."),
        ("What is my cow called?", " "),
        probes=[probe("ML-U3", 1, 2, answer="Daisy", testset="cow-name")],
        run=3,
    )
    failed = spec(4, probe("ML-U3", 1, 2, answer="Max", testset="horse-name"), run=4)
    failed = Conversation(4, "1/4", failed.chatters, (Turn(2, Speaker.SUBJECT, "", error="it hung up"),), failed.plan)
    cases = shuffle_replies([*two_talks(), silent, failed], seed=1)
    assert {case.expected for case in cases if isinstance(case, Open)} == {"Juniper", "Rex"}
    assert all(case.reply.strip() for case in cases if isinstance(case, Open | CoherentReply))
    with pytest.raises(InputError, match="--shuffle: nothing was replied"):
        shuffle_replies([failed], seed=1)


@pytest.mark.parametrize("seed", range(5))
def test_a_reply_is_never_dealt_to_where_it_was_said(seed: int) -> None:
    cases = shuffle_replies([said(("Hello", "Hi."), ("How are you?", "Fine."))], seed)
    assert [(case.reply, case.label) for case in cases if isinstance(case, CoherentReply)] == [
        ("Hi.", True),
        ("Fine.", False),
        ("Fine.", True),
        ("Hi.", False),
    ]
    same = shuffle_replies([said(("Hello", "I see."), ("How are you?", "I see."))], seed)
    assert [case.label for case in same] == [True, True], "the same words fit both places or none"


def test_a_lone_reply_has_nobody_to_be_dealt_to() -> None:
    (case,) = shuffle_replies([said(("Hello", "Hi."))], seed=1)
    assert case.label
    assert case.tags == ("own",)


@pytest.fixture
def everything() -> list[Validation]:
    """All six judges at once; with texts that want to be a formula, a link, a control character."""
    replies = [("It is Juniper.", True), ("Juniper, I think.", True), ("It is Max.", False), ("=1+1", False)]
    cases: list[Any] = [*toxic(ToxicText(kind="toxicity", text="=cmd|'/c calc'!A1", label=False, tags=("=1+2",)))]
    cases += [Open(**OPEN, reply=reply, label=label, tags=(reply[:2],)) for reply, label in replies]
    cases += [Closed(kind="closed", question="?", expected="no", reply="http://a.b/c", label=False)]
    cases += [
        CoherentReply(kind="coherence", context=("Hi", "Oh\x07"), prompt="Rain?", reply=reply, label=label)
        for reply, label in (("Yes, rain.", True), ("Blue.", False))
    ]
    fits = {("Hi\nOh\x07\nRain?", "Blue."): 0.1}
    return validate(cases, Settings(threshold_toxicity=0.5), StandIns(toxic=JUDGED, fits=fits))


def test_the_terminal_shows_figures_and_accuracy_by_tag() -> None:
    shown = lines([of_toxicity()])
    assert shown[0].split("  ")[0] == "kind"
    assert shown[1].split() == ["toxicity", "7", "0.714", "0.667", "0.667", "0.750", "0.917", "0.293", "0.500", "0.500"]
    assert shown[3] == "toxicity, accuracy by tag"
    assert [line.split() for line in shown[4:8]] == [
        ["clean", "2", "1.000"],
        ["rude", "2", "1.000"],
        ["short", "2", "0.500"],
        ["sly", "2", "0.000"],
    ]


def test_json_holds_the_figures_of_each_kind(tmp_path: Path, everything: list[Validation]) -> None:
    path = tmp_path / "new" / "folder" / "figures.json"
    write_json(everything, path)
    found = json.loads(path.read_text())
    assert found.pop("made") == {"date": date.today().isoformat(), "version": VERSION, "models": {}}
    assert list(found) == ["open", "consistency", "closed", "toxicity", "coherence", "prompt_coherence"]
    assert found == {one.kind: one.figures() for one in everything}
    wanted = {"n", "accuracy", "roc_auc", "threshold", "precision", "recall", "balanced_threshold", "by_tag"}
    assert all(wanted < set(figures) for figures in found.values())


def test_the_workbook_holds_all_of_it_and_no_formula(tmp_path: Path, everything: list[Validation]) -> None:
    from openpyxl import load_workbook

    path = tmp_path / "reports" / "validation.xlsx"
    write_workbook(everything, path)
    sheets = cells(path)
    parts = ("by tag", "reliability", "ROC", "cases")
    one_label = {"closed ROC"}
    assert set(sheets) == {"Figures"} | {f"{one.kind} {part}" for one in everything for part in parts} - one_label
    book = load_workbook(path)

    def rows(name: str) -> list[dict[str, Any]]:
        head, *rest = book[name].iter_rows(values_only=True)
        return [dict(zip(map(str, head), row, strict=True)) for row in rest]

    for shown, one in zip(rows("Figures"), everything, strict=True):
        figures = one.figures() | {"kind": one.kind}
        assert shown == {name: pytest.approx(figures[name]) for name in shown}
        assert set(shown) == set(figures) - {"by_tag"}
    assert [row["cases"] for row in rows("toxicity reliability")] == [2, 1, 1, 1, 1, 1, 1]
    curve = rows("toxicity ROC")
    assert all(isinstance(row["threshold"], float) for row in curve)
    assert curve[0] == {"threshold": 0.95, "false positive rate": 0, "true positive rate": pytest.approx(1 / 3)}
    assert (curve[-1]["false positive rate"], curve[-1]["true positive rate"]) == (1, 1)
    judged = rows("toxicity cases")
    assert [(row["text"], row["label"], row["said"], row["right"]) for row in judged[2:4]] == [
        ("How clever of you", True, False, False),
        ("Dear me", False, True, False),
    ]
    assert judged[0] | {"value": 0.95, "tags": "rude | short", "understood": "insult"} == judged[0]
    assert judged[-1]["text"] == "=cmd|'/c calc'!A1"
    assert rows("coherence cases")[0]["context"] == "Hi | Oh\\x07"
    assert {row["tag"]: row["accuracy"] for row in rows("toxicity by tag")}["=1+2"] == 1
    for sheet in book.worksheets:
        for row in sheet.iter_rows():
            assert all(cell.data_type != "f" and cell.hyperlink is None for cell in row)


@pytest.mark.parametrize("write", [write_json, write_workbook])
def test_a_place_that_cannot_be_written_to_is_told(tmp_path: Path, write: Callable[..., None]) -> None:
    (tmp_path / "taken").write_text("a file, not a folder")
    with pytest.raises(StoreError, match="cannot be written"):
        write([of_toxicity()], tmp_path / "taken" / "figures")
    whole = tmp_path / "figures"
    whole.mkdir()
    with pytest.raises(StoreError, match=r"figures cannot be written"):
        write([of_toxicity()], whole)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figures", "taken"]


Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    """A command in this process, its exit code and what it printed; models are stand-ins, what ships stays."""
    project = make_project(tmp_path / "project")
    monkeypatch.chdir(project)
    monkeypatch.setattr("chattest.models.judges.Judges", lambda models: StandIns(models=models, toxic=JUDGED))
    monkeypatch.setattr(judge_accuracy, "FILE", project / "measured.json")

    def called(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["main.py", *arguments])
        capfd.readouterr()
        code = 0
        try:
            commands.main(project)
        except SystemExit as ended:
            code = int(ended.code or 0)
        printed = capfd.readouterr()
        return code, printed.out, printed.err

    return called


def write_cases(path: Path, cases: list[Any]) -> str:
    path.write_text("".join(case.model_dump_json() + "\n" for case in cases))
    return str(path)


def test_validate_prints_and_writes_and_measured_keeps_it(call: Call) -> None:
    shipped = ROOT / "chattest" / "models" / "weights" / "measured.json"
    before = shipped.read_bytes()
    labelled = write_cases(Path("mine.jsonl"), toxic() * 20)
    code, out, err = call("--set", "threshold_toxicity=0.5", "validate", labelled, "--json", "out/figures.json")
    assert (code, err) == (0, "")
    assert "toxicity  140  0.714" in out
    assert "Workbook: reports/validation-mine.xlsx" in out
    assert "Figures:  out/figures.json" in out
    assert "toxicity cases" in cells(Path("reports/validation-mine.xlsx"))
    assert json.loads(Path("out/figures.json").read_text())["toxicity"]["n"] == 140

    code, out, err = call("--set", "threshold_toxicity=0.5", "validate", labelled, "--plot", "out/plot.svg")
    assert (code, err) == (0, "")
    assert "Plot:     out/plot.svg" in out
    assert "toxicity" in Path("out/plot.svg").read_text("utf-8")
    code, out, err = call("validate", labelled, "--plot", "out/plot.png")
    assert (code, out) == (2, "")
    assert "--plot out/plot.png: is not the name of an SVG file" in err

    code, out, err = call("measured", "out/figures.json")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "toxicity: passes 75.0% of 80 right replies, fails 66.7% of 60 wrong ones",
        f"Stored in {Path.cwd() / 'measured.json'}",
    ]
    assert set(judge_accuracy.read_measured()) == {"toxicity"}
    assert shipped.read_bytes() == before


def test_measured_says_which_judge_is_no_better_than_chance(call: Call) -> None:
    figures = {"n": 200, "n_true": 100, "recall": 0.52, "specificity": 0.5, "threshold": 0.5}
    Path("figures.json").write_text(json.dumps({"coherence": figures}))
    code, out, _ = call("measured", "figures.json")
    assert code == 0
    assert "fails 50.0% of 100 wrong ones; not clearly better than chance, so its cases are not corrected" in out
    assert judge_accuracy.read_measured() == {}


@pytest.mark.parametrize("share", ["recall", "specificity"])
def test_measured_refuses_figures_of_one_label(call: Call, share: str) -> None:
    Path("figures.json").write_text(json.dumps({"toxicity": of_toxicity().figures() | {share: None}}))
    code, _, err = call("measured", "figures.json")
    assert code == 2
    assert "figures.json: does not hold figures of a validation: toxicity was measured on replies of one label" in err


def test_measured_refuses_what_is_missing_one_sided_or_cannot_be_kept(call: Call) -> None:
    code, _, err = call("measured", "none.json")
    assert code == 2
    assert "none.json: cannot be read: No such file or directory" in err
    write_json([of_toxicity()], Path("good.json"))
    figures = of_toxicity().figures() | {"recall": None}
    Path("one-sided.json").write_text(json.dumps({"toxicity": figures}))
    code, _, err = call("measured", "good.json", "one-sided.json")
    assert code == 2
    assert "one-sided.json: does not hold figures of a validation: toxicity was measured on replies of one" in err
    assert "with both labels in the files" in err
    assert not Path("measured.json").exists(), "nothing of the good one either"
    Path("measured.json").mkdir()
    code, _, err = call("measured", "good.json")
    assert (code, "Traceback" in err) == (2, False)


def test_validate_refuses_bad_files_before_any_model_is_asked(call: Call) -> None:
    Path("mine.jsonl").write_text('\n{"kind": "open"}\n')
    code, out, err = call("validate", "mine.jsonl", "none.jsonl")
    assert (code, out) == (2, "")
    assert "mine.jsonl:2: label: is missing" in err
    assert "none.jsonl: cannot be read" in err
    code, _, err = call("validate")
    assert code == 2
    assert "there are no labelled cases" in err
    assert not Path("reports").exists()


def test_validate_keeps_its_figures_where_nobody_reads_its_output(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("mine.jsonl").write_text('{"kind": "toxicity", "text": "Hi", "label": false}\n')
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        code, _, err = call("validate", "mine.jsonl", "--json", "figures.json")
    assert (code, err) == (0, "")
    assert json.loads(Path("figures.json").read_text())["toxicity"]["n"] == 1
    assert Path("reports/validation-mine.xlsx").exists()


def test_validate_deals_the_replies_of_a_run(call: Call) -> None:
    folder = Path("reports/first-run/conversations")
    folder.mkdir(parents=True)
    for one in two_talks():
        (folder / f"{one.name}.json").write_bytes(to_json(one))
    code, out, err = call("validate", "--shuffle", "reports/first-run", "--json", "figures.json")
    assert (code, err) == (0, "")
    assert "Workbook: reports/validation-first-run.xlsx" in out
    assert "  dealt" in out
    figures = json.loads(Path("figures.json").read_text())
    assert list(figures) == ["made", "open", "coherence", "prompt_coherence"]
    assert (figures["open"]["n"], figures["open"]["n_true"], figures["coherence"]["n_true"]) == (2, 0, 6)

    labelled = write_cases(Path("mine.jsonl"), [Open(**OPEN, reply="It is Juniper.", label=True, tags=("exact",))])
    code, out, _ = call("validate", labelled, "--shuffle", "reports/first-run", "--json", "figures.json")
    assert code == 0
    assert "Workbook: reports/validation-mine.xlsx" in out
    both = json.loads(Path("figures.json").read_text())["open"]
    assert (both["n"], sorted(both["by_tag"])) == (3, ["dealt", "exact"])
    code, _, err = call("validate", "--shuffle", "nowhere")
    assert code == 2
    assert "nowhere: there are no saved conversations" in err


@pytest.fixture
def _small_sanity(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--sanity` holds two conversations with each bot."""
    small = partial(sanity_measure.measure, plan=sanity_measure.SanityPlan(talks=1, probed=1))
    monkeypatch.setattr(sanity_measure, "measure", small)


@pytest.mark.usefixtures("_small_sanity")
def test_sanity_alone_needs_no_labelled_cases(call: Call) -> None:
    code, out, err = call("validate", "--sanity", "--json", "figures.json")
    assert code == 0
    assert [line.partition(":")[0] for line in err.splitlines()] == list(sanity_measure.BOTS)
    assert out.splitlines()[0].split() == ["bot", "judge", "passed", "rate", "95", "%", "interval", "bound"]
    missed = r"^random words +coherence [(]experimental[)] +10/10 +100\.0% .*under 15%: MISSED$"
    assert re.search(missed, out, re.MULTILINE)
    assert out.splitlines()[-1] == "Figures:  figures.json"
    assert not Path("reports").exists(), "no workbook, as there are no labelled cases"
    figures = json.loads(Path("figures.json").read_text())
    assert list(figures) == ["made", "sanity"]
    assert figures["sanity"]["random words"]["coherence"]["met"] is False


@pytest.mark.usefixtures("_small_sanity")
def test_sanity_beside_labelled_cases_goes_into_the_same_file_which_measured_reads(call: Call) -> None:
    labelled = write_cases(Path("mine.jsonl"), toxic() * 20)
    code, out, _ = call("--set", "threshold_toxicity=0.5", "validate", labelled, "--sanity", "--json", "figures.json")
    assert code == 0
    assert "toxicity  140  0.714" in out
    assert "bounds are met." in out
    assert list(json.loads(Path("figures.json").read_text())) == ["made", "toxicity", "sanity"]
    code, _, err = call("measured", "figures.json")
    assert (code, err) == (0, "")
    assert set(judge_accuracy.read_measured()) == {"toxicity"}


def test_a_bad_file_is_refused_before_any_bot_is_asked(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sanity_measure, "measure", lambda *_, **__: pytest.fail("a bot was asked"))
    code, out, err = call("validate", "none.jsonl", "--sanity")
    assert (code, out) == (2, "")
    assert "none.jsonl: cannot be read" in err


@pytest.mark.slow
def test_the_real_command_with_the_models_that_ship(tmp_path: Path) -> None:
    names = ("open-held-out", "closed-held-out", "toxicity", "coherence")
    for name in names:
        source = ROOT / "tests" / "data" / "judging" / f"{name}.jsonl"
        some = source.read_text(encoding="utf-8").splitlines(keepends=True)[::25]
        (tmp_path / f"{name}.jsonl").write_text("".join(some), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, ROOT / "main.py", "validate", *(f"{name}.jsonl" for name in names), "--json", "figures.json"],
        cwd=tmp_path,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert set(figures.pop("made")["models"]) == {"reader", "similarity", "match", "yes_no", "toxicity", "coherence"}
    assert {kind: found["n"] for kind, found in figures.items()} | {"consistency": 0} == {
        "open": 18,
        "consistency": 0,
        "closed": 6,
        "toxicity": 4,
        "coherence": 6,
        "prompt_coherence": 6,
    }
    assert figures["open"]["accuracy"] > 0.7
    shown = {line.split()[0]: line.split()[1:3] for line in done.stdout.splitlines()[1 : 1 + len(figures)]}
    assert shown == {kind: [str(found["n"]), f"{found['accuracy']:.3f}"] for kind, found in figures.items()}
    assert "coherence cases" in cells(tmp_path / "reports" / "validation-open-held-out.xlsx")
