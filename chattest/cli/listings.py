"""The lines that `plan`, `list` and `perturb` print."""

import inspect
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chattest.records.plan import Purpose
from chattest.text.format import aligned, many

if TYPE_CHECKING:
    from chattest.runner.base import Prepared
    from chattest.settings.declaration import Settings

LONGEST_DEFAULT = 60
"""Longest default, in characters, that `list settings` shows; longer ones are in config.py."""


def plan_lines(prepared: "Prepared") -> list[str]:
    """The plan of every run, and notes about cases that cannot be planned."""
    from chattest.planning.planner import misfits

    lines = []
    counts: dict[str, int] = {}
    for spec in prepared.specs:
        lines.append(f"Run {spec.run}: {spec.plan.length} rounds, {many(len(spec.plan.probes), 'probe')}")
        rows = []
        for probe, step in spec.plan.steps():
            counts[probe.case] = counts.get(probe.case, 0) + (step.purpose is Purpose.ASK)
            dose = f"{step.perturbed.kind} {step.perturbed.dose:.2f}" if step.perturbed else ""
            rows.append((f"  {step.round}", probe.case, probe.testset, step.purpose.value, dose, step.text))
        lines += [*aligned(rows), ""]
    lines += [
        "Questions planned over all runs:",
        *aligned((f"  {code}", count) for code, count in sorted(counts.items())),
        *_runs_needed({code: count / len(prepared.specs) for code, count in counts.items() if count}),
    ]
    if prepared.reference_runs:
        counts_of = ((f"  {reference.variant}", len(reference.specs)) for reference in prepared.reference_runs)
        lines += ["", "Reference runs, in conversations:", *aligned(counts_of)]
    return lines + [f"Note: {note}" for note in misfits(prepared.settings)]


def _runs_needed(questions: dict[str, float]) -> list[str]:
    """How many conversations it takes to notice that a bot got worse. questions: case -> questions in each of them."""
    from chattest.statistics.power import ALIKE, conversations_needed

    if not questions:
        return []
    rows = [
        (f"  {code}", *(str(conversations_needed(0.8, drop, per_run)) for drop in (0.1, 0.2, 0.3)))
        for code, per_run in sorted(questions.items())
    ]
    return [
        "",
        "Conversations needed in each run to notice, with a power of 80 %, that a pass rate of 80 % has fallen to:",
        f"(for each case; correlation of replies within a conversation: {ALIKE:g}):",
        *aligned([("  case", "70 %", "60 %", "50 %"), *rows]),
    ]


def listings(root: Path, settings: Callable[[], "Settings"]) -> dict[str, Callable[[], list[str]]]:
    """What can be listed -> a function that returns its lines. settings: loads the current settings."""
    return {
        "chatters": lambda: _chatters(root / "chatters"),
        "cases": _cases,
        "checks": lambda: _checks(root, settings()),
        "perturbations": _perturbations,
        "relations": _relations,
        "scorers": _scorers,
        "models": _models,
        "reports": _reports,
        "operators": _operators,
        "testsets": lambda: _testsets(root / "testsets"),
        "settings": _settings,
    }


def _first_line(text: str | None) -> str:
    return inspect.cleandoc(text or "").partition("\n")[0]


def _chatters(folder: Path) -> list[str]:
    from chattest.chatter.loader import chatter_names, find_chatter

    lines: list[str] = []
    for name in chatter_names(folder):
        cls = find_chatter(name, folder)
        lines.append(f"{name}: {_first_line(cls.__doc__)}")
        for option, field in cls.Options.model_fields.items():
            if option in cls.from_settings:
                continue
            default = "required" if field.is_required() else f"default {field.get_default(call_default_factory=True)!r}"
            lines.append(f"    {option}: {field.description or ''} ({default})")
    return lines


def _cases() -> list[str]:
    from chattest.cases.base import all_cases

    return aligned((case.code, case.name, case.title) for case in all_cases())


def _checks(root: Path, settings: "Settings") -> list[str]:
    from chattest.checks.base import CheckContext, picked

    all_testsets = settings.model_copy(update={"testsets": []})
    return aligned((check.code, check.title) for check in picked([], CheckContext(root, all_testsets)))


def _perturbations() -> list[str]:
    from chattest.perturbations.base import perturbations

    rows = []
    for perturbation in sorted(perturbations, key=lambda perturbation: (perturbation.family, perturbation.name)):
        missing = perturbation.unavailable()
        meaning = f"not available: {missing}" if missing else _first_line(perturbation.__doc__)
        rows.append(
            (perturbation.name, perturbation.family, perturbation.effect.value, "/".join(perturbation.kinds), meaning)
        )
    return aligned(rows)


def _relations() -> list[str]:
    from chattest.checks.relations.base import relations

    rows = []
    for relation in sorted(relations, key=lambda relation: relation.code):
        expected = "the opposite answer" if relation.inverse else "the same answer"
        rows.append((relation.name, relation.code, expected, _first_line(relation.__doc__)))
    return aligned(rows)


def _scorers() -> list[str]:
    from chattest.scorers.base import scorers

    return aligned((scorer.name, scorer.threshold or "-", _first_line(scorer.__doc__)) for scorer in scorers)


def _models() -> list[str]:
    from chattest.models.base import KINDS, added_judge, judge_class, judge_names, kinds_with_reference

    rows = [
        (
            kind,
            "embedded",
            "reference" if kind in kinds_with_reference() else "embedded",
            _first_line(judge_class(kind, "embedded").cls.__doc__),
        )
        for kind in KINDS
    ]
    lines = aligned([("kind", 'models = "embedded"', 'models = "reference"', "the embedded model"), *rows])
    added = [judge for kind in KINDS for name in judge_names(kind) if (judge := added_judge(kind, name))]
    own = [(f"models = {{{judge.kind!r}: {judge.name!r}}}", _first_line(judge.cls.__doc__)) for judge in added]
    return [*lines, *aligned(own)]


def _reports() -> list[str]:
    from chattest.reports.base import DEFAULT_REPORTS, file_writers, report_writer

    rows = []
    for name in file_writers():
        about = _first_line(inspect.getdoc(inspect.getmodule(report_writer(name))))
        rows.append((name, "by default" if name in DEFAULT_REPORTS else "on request", about))
    return aligned(rows)


def _operators() -> list[str]:
    from chattest.mutation.base import operators

    return aligned((operator.name, operator.dose, _first_line(operator.alter.__doc__)) for operator in operators)


def _testsets(folder: Path) -> list[str]:
    from chattest.datasets.questions import read_pairs, read_questions
    from chattest.datasets.testsets import read_testsets

    rows: list[tuple[Any, ...]] = []
    for kind, testsets in read_testsets(folder).items():
        for testset in testsets:
            target = testset.target.answer
            answer = {True: "yes", False: "no", None: "(its own)"}.get(target, target)  # type: ignore[arg-type]
            rows.append((kind, testset.name, answer, testset.questions[0]))
    texts = [("questions", labelled.testset, labelled.question.text) for labelled in read_questions(folder)]
    texts += [("pairs", pair.testset, pair.original.text) for pair in read_pairs(folder)]
    counts = Counter((sort, name) for sort, name, _ in texts)
    for (sort, name), count in counts.items():
        first = next(text for *source, text in texts if source == [sort, name])
        rows.append((sort, name, many(count, sort[:-1]), first))
    return aligned(rows)


def _settings() -> list[str]:
    from chattest.settings.declaration import Settings, declared

    lines: list[str] = []
    for section in Settings.sections:
        fields = [(name, Settings.model_fields[name]) for name, declared_in, _ in declared() if declared_in == section]
        defaults = [repr(field.default) for _, field in fields]
        shown = [default if len(default) <= LONGEST_DEFAULT else "see config.py" for default in defaults]
        rows = zip((f"  {name}" for name, _ in fields), shown, (field.description for _, field in fields), strict=True)
        lines += [section, *aligned(rows), ""]
    return lines


def perturbed_lines(text: str, seed: int, only: str | None) -> list[str]:
    """A table of the text after each perturbation."""
    from chattest.cli.preview import rows

    table = [
        (row.perturbation, row.kind, f"{row.dose:.2f} {row.dose_unit}" if row.text else "", row.text or f"({row.note})")
        for row in rows(text, seed, only)
    ]
    return aligned([("perturbation", "kind", "dose", "text"), *table])
