"""Accuracy, fairness and representation."""

from pathlib import Path
from typing import Any

import pytest

from chattest.checks.base import CheckContext, list_checks, pick_checks
from chattest.datasets.groups import find_group, find_mentioned_groups, read_groups
from chattest.datasets.questions import read_questions
from chattest.english import wordnet
from chattest.errors import InputError
from chattest.judging.bleu_rouge import OVERLAP, overlap
from chattest.judging.correctness import MEASURES, token_f1
from chattest.records.report import Gate
from chattest.records.result import Verdict
from chattest.runner.gates import find_unknown_patterns
from chattest.runner.questions.checks import plan_checks
from chattest.settings.declaration import Settings
from tests.support.answering_bots import models, right, wrong
from tests.support.asking import rows, tally
from tests.support.stand_ins import ROOT


@pytest.mark.parametrize("measure", [measure for measure in MEASURES if measure not in OVERLAP])
@pytest.mark.parametrize(("bot", "share"), [(right, 1.0), (wrong, 0.0)])
def test_accuracy_and_fairness(tmp_path: Path, measure: str, bot: Any, share: float) -> None:
    assert tally(tmp_path, bot, f"accuracy.{measure}", judges=models()).rate == share
    groups = rows(tmp_path, bot, f"fairness.gender.{measure}", judges=models())
    assert [row.group for row in groups] == ["male", "female", "unknown"]
    assert [row.score.value for row in groups] == [share] * 3
    assert {row.verdict for row in groups} == {Verdict.PASS if share else Verdict.FAIL}


def test_a_bot_that_is_right_about_men_alone_is_unfair(tmp_path: Path) -> None:
    groups = read_groups(ROOT / "testsets")["gender"]

    def partial(said: list[str]) -> Any:
        return wrong(said) if find_group("\n".join(said[::2]), groups) == "female" else right(said)

    found = {row.group: row.verdict for row in rows(tmp_path, partial, "fairness.gender.exact_match")}
    assert found == {"male": Verdict.PASS, "female": Verdict.FAIL, "unknown": Verdict.PASS}


def test_a_group_that_was_never_answered_is_not_applicable(tmp_path: Path) -> None:
    groups = read_groups(ROOT / "testsets")["gender"]

    def failing(said: list[str]) -> Any:
        if find_group("\n".join(said[::2]), groups) == "female":
            raise OSError("gone")
        return right(said)

    found = {row.group: row for row in rows(tmp_path, failing, "fairness.gender.exact_match") if row.label}
    assert found["female"].verdict is Verdict.NOT_APPLICABLE
    assert found["female"].reason == "no question about female was answered"
    assert found["male"].verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("expected", "said", "f1"),
    [
        ("red", "Red!", 1.0),
        ("on the bus", "It was on a bus", 2 * 2 / 6),
        ("Oslo", "Bergen", 0.0),
        ("the", "a", 0.0),
        ("two two", "two", 2 / 3),
    ],
)
def test_token_f1(expected: str, said: str, f1: float) -> None:
    assert token_f1(expected, said) == pytest.approx(f1)


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("Where is her car?", "female"),
        ("HE left.", "male"),
        ("Peter said so.", "male"),
        ("Maria and James met.", "unknown"),
        ("The sheriff and the heroes", "unknown"),
        ("rosa is a colour", "unknown"),
    ],
)
def test_the_group_a_text_is_about(text: str, group: str) -> None:
    assert find_group(text, read_groups(ROOT / "testsets")["gender"]) == group


def test_representation_counts_every_group(tmp_path: Path) -> None:
    found = rows(tmp_path, wrong, "representation")
    assert {row.check.partition(".")[2] for row in found} == {"gender", "ethnicity", "religion", "country"}
    for attribute in ("gender", "religion"):
        shares = [row.score.value or 0.0 for row in found if row.label == attribute]
        assert sum(shares) == pytest.approx(1.0)
    for check, least in (("gender", 0.4), ("religion", 0.8 / 6), ("ethnicity", 0.16), ("country", 0.2)):
        own = [row for row in found if row.label == check]
        assert [row.verdict is Verdict.PASS for row in own] == [(row.score.value or 0) >= least for row in own]


def write(folder: Path, questions: str, groups: str) -> Path:
    for kind, text in (("questions", questions), ("groups", groups)):
        (folder / "testsets" / kind).mkdir(parents=True)
        (folder / "testsets" / kind / "mine.toml").write_text(text)
    return folder


GROUPS = 'about = "x"\n[groups]\ncats = ["cat"]\ndogs = ["dog"]\n'


@pytest.mark.parametrize(
    ("texts", "verdicts"),
    [
        (["A cat?", "A dog?"], [Verdict.PASS, Verdict.PASS]),
        (["A cat?", "My cat?"], [Verdict.PASS, Verdict.FAIL]),
        (["A cow?"], [Verdict.NOT_APPLICABLE] * 2),
    ],
)
def test_word_lists_of_ones_own(tmp_path: Path, texts: list[str], verdicts: list[Verdict]) -> None:
    asked = 'about = "x"\n' + "".join(f'[[question]]\ntext = "{text}"\n' for text in texts)
    root = write(tmp_path, asked, GROUPS)
    assert [row.verdict for row in rows(tmp_path, wrong, "representation", root=root)] == verdicts
    assert find_mentioned_groups("Cats and a cat", {"cats": ("cat",), "dogs": ("dog",)}) == {"cats"}


@pytest.mark.parametrize("check", ["accuracy.exact_match", "fairness.gender.exact_match", "invariance.uppercase"])
def test_questions_come_from_the_files_wanted(tmp_path: Path, check: str) -> None:
    wanted = {entry.question.shown for entry in read_questions(ROOT / "testsets", ["knowledge"])}
    asked: set[str] = set()

    def bot(said: list[str]) -> str:
        asked.add("\n".join(said[::2]).casefold())
        return "Hm."

    rows(tmp_path, bot, check, judges=models(), testsets=["knowledge", "co/*"])
    assert asked
    assert asked <= {text.casefold() for text in wanted}


@pytest.mark.parametrize("name", ["accuracy", "fairness", "invariance", "representation"])
def test_a_family_that_the_setting_leaves_no_question_is_refused(name: str) -> None:
    settings = Settings(checks=[name], testsets=["cat-name"])
    with pytest.raises(InputError) as refused:
        plan_checks(settings, ROOT)
    (problem,) = refused.value.problems
    what = f'{name} has no test set to draw from: testsets = ["cat-name"] selects none of testsets/questions'
    assert (problem.where, problem.what) == ("testsets", what)
    assert '"questions/*" selects all' in problem.remedy


LONG = "The museum opens at nine every morning except on Mondays."
HALF = "It opens at nine every morning, I believe, but ask at the desk."


def own(**columns: list[Any]) -> list[Any]:
    """Questions of one's own with these columns."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def saying(replies: dict[str, str]) -> Any:
    return lambda said: replies[said[-1]]


@pytest.mark.parametrize("measure", OVERLAP)
def test_overlap_of_long_answers(tmp_path: Path, measure: str) -> None:
    pytest.importorskip("sacrebleu" if measure == "bleu" else "rouge_score")
    asked = own(question=["When?", "And when?", "How many?"], answers=[["Never on a Monday, I fear.", LONG], LONG, "9"])
    bot = saying({"When?": LONG, "And when?": "A purple xylophone."})
    found = rows(tmp_path, bot, f"accuracy.{measure}", check_files=asked)
    # "9" is short: these measures say nothing about it, so it is not asked.
    assert [row.verdict for row in found[:2]] == [Verdict.PASS, Verdict.FAIL]
    assert found[0].score.value == pytest.approx(1.0)
    assert found[1].score.value == pytest.approx(0.0, abs=0.05)
    assert [row.verdict for row in found[2:]] == [Verdict.NOT_APPLICABLE] * (measure == "bleu")
    (half, *_) = rows(tmp_path / "half", lambda said: HALF, f"accuracy.{measure}", check_files=asked)
    assert 0.1 < (half.score.value or 0) < 0.9


def test_bleu_and_rouge_agree_with_figures_worked_out_by_hand() -> None:
    pytest.importorskip("sacrebleu")
    pytest.importorskip("rouge_score")
    said, right = "the old cat sat on the mat", ["the old cat lay on the mat"]
    # Runs of one to four words in common: 6 of 7, 4 of 6, 2 of 5, 0 of 4, which smoothing counts as a half.
    bleu = (6 / 7 * 4 / 6 * 2 / 5 * (0.5 / 4)) ** 0.25
    assert overlap("bleu", said, right) == pytest.approx(bleu)
    assert overlap("rouge_1", said, right) == pytest.approx(6 / 7)
    assert overlap("rouge_2", said, right) == pytest.approx(4 / 6)
    assert overlap("rouge_l", said, right) == pytest.approx(6 / 7)
    assert overlap("rouge_1", said, ["nothing alike", *right]) == pytest.approx(6 / 7)


def test_short_answers_and_missing_packages_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    short = own(question=["When?"], answers=["nine"])
    with pytest.raises(InputError, match='there is no accuracy check "bleu"'):
        plan_checks(Settings(checks=["accuracy.bleu"], check_files=short), ROOT)
    monkeypatch.setattr("chattest.judging.bleu_rouge.find_spec", lambda name: None)
    for name in ("accuracy.bleu", "fairness.gender.rouge_l"):
        with pytest.raises(InputError, match=r"the package (sacrebleu|rouge-score) is not installed") as refused:
            plan_checks(Settings(checks=[name], check_files=short), ROOT)
        assert refused.value.problems[0].remedy == "pip install '.[metrics]' in a clone of chattest"


def test_checks_are_listed_whether_or_not_their_package_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = own(question=["Is the rabbi in?", "Is the imam in?"], answers=[LONG, LONG])
    context = CheckContext(ROOT, Settings(check_files=asked))
    complete = {check.code: check.described for check in list_checks(context)}
    monkeypatch.setattr("chattest.judging.bleu_rouge.find_spec", lambda name: None)
    monkeypatch.setattr(wordnet, "explain_missing", lambda: "WordNet is not installed")
    assert {check.code: check.described for check in list_checks(context)} == complete
    assert complete["accuracy.bleu"].endswith("; needs the package sacrebleu (requirements-metrics.txt)")
    assert complete["fairness.religion.rouge_l"].endswith("; needs the package rouge-score (requirements-metrics.txt)")
    assert complete["invariance.wordnet_synonym"].endswith("; needs WordNet (Debian's wordnet-base)")
    assert not [words for code, words in complete.items() if "needs" in words and code.endswith((".judged", "_typo"))]
    run_here = {check.code for check in pick_checks([], context)}
    lacking = {"accuracy.bleu", "fairness.religion.rouge_l", "invariance.wordnet_synonym"}
    assert lacking <= set(complete)
    assert not lacking & run_here


@pytest.mark.parametrize("lacking", [True, False])
def test_a_gate_on_a_check_that_cannot_run_here_is_no_slip_of_the_pen(
    lacking: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wordnet, "explain_missing", lambda: "WordNet is not installed" if lacking else "")
    gates = [Gate("invariance.wordnet_synonym", 0.9), Gate("invariance.wordnet_synonyms", 0.9)]
    (problem,) = find_unknown_patterns((gate.pattern for gate in gates), [], CheckContext(ROOT, Settings()), "gates")
    assert "wordnet_synonyms" in problem.what


def test_fairness_between_groups_that_the_data_names(tmp_path: Path) -> None:
    asked = own(question=["A?", "B?", "C?", "D?"], answers=["x", "x", "x", "x"], group=["new", "old", "old", ""])
    bot = saying({"A?": "x", "B?": "x", "C?": "y", "D?": "y"})
    found = [row for row in rows(tmp_path, bot, "fairness", judges=models(), check_files=asked) if row.label]
    assert {row.check for row in found} == {f"fairness.group.{name}" for name in ("exact_match", "token_f1", "judged")}
    exact = [row for row in found if row.check.endswith("exact_match")]
    assert [(row.group, row.score.value) for row in exact] == [("new", 1.0), ("old", 0.5), ("unknown", 0.0)]
    assert [row.verdict for row in exact] == [Verdict.PASS, Verdict.FAIL, Verdict.FAIL]


def test_fairness_takes_every_attribute_whose_groups_the_questions_name() -> None:
    asked = own(question=["Is the rabbi in?", "Is the imam in?", "Is it open?"], answers=["x", "x", "x"])
    codes = [one.check.code for one in plan_checks(Settings(checks=["fairness"], check_files=asked), ROOT)]
    assert codes == ["fairness.religion.exact_match", "fairness.religion.token_f1", "fairness.religion.judged"]
    (one,) = plan_checks(Settings(checks=["fairness.judged"], check_files=asked), ROOT)
    assert [trial.row.group for trial in one.trials] == ["jewish", "muslim", "unknown"]
    named = plan_checks(Settings(checks=["fairness.country"], check_files=asked), ROOT)
    assert len(named) == 3
    with pytest.raises(InputError, match="fairness has nothing to check in these questions"):
        plan_checks(Settings(checks=["fairness"], check_files=own(question=["A?"], answers=["x"])), ROOT)


@pytest.mark.parametrize(
    ("least", "verdicts"),
    [
        (0, [Verdict.PASS, Verdict.PASS]),
        (2, [Verdict.PASS, Verdict.FAIL]),
        ({"old": 2}, [Verdict.PASS, Verdict.PASS]),
        ({"new": 2}, [Verdict.PASS, Verdict.FAIL]),
    ],
)
def test_representation_with_minimum_counts(tmp_path: Path, least: Any, verdicts: list[Verdict]) -> None:
    asked = own(question=["A?", "B?", "C?"], group=["old", "old", "new"])
    settings = {"check_min_share": 0.0, "check_min_count": least, "check_files": asked}
    found = rows(tmp_path, wrong, "representation.group", **settings)
    assert [row.verdict for row in found] == verdicts
    assert ("least 2" in found[1].reason) is (verdicts[1] is Verdict.FAIL)


def test_a_minimum_for_a_group_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InputError, match='there is no group "femal"') as refused:
        plan_checks(Settings(checks=["representation"], check_min_count={"femal": 3}), ROOT)
    assert 'Did you mean "female"?' in str(refused.value)


def test_several_accepted_answers_in_a_file_of_questions(tmp_path: Path) -> None:
    asked = """about = "x"
[[question]]
text = "Where?"
answers = ["NYC", "New York City"]
[[question]]
text = "Who?"
answer = ["Ida", "Ole"]
also = ["Eva"]
"""
    root = write(tmp_path, asked, GROUPS)
    replies = {"Where?": "New York City", "Who?": "Eva"}
    found = rows(tmp_path, saying(replies), "accuracy.exact_match", root=root)
    assert [(row.expected, row.verdict) for row in found] == [
        ("NYC / New York City", Verdict.PASS),
        ("Ida / Ole / Eva", Verdict.PASS),
    ]
