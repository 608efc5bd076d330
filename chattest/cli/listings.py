"""Make the lines that `list` and `perturb` print."""

import inspect
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from chattest.text.format import align, many

if TYPE_CHECKING:
    from chattest.settings.declaration import Settings

LONGEST_DEFAULT = 60
"""Longest default, in characters, that `list settings` shows; `config --all` shows longer ones."""
LONGEST_ANSWER = 32
"""Longest answer, in characters, that `list testsets` shows whole."""


def make_listings(root: Path, settings: Callable[[], "Settings"]) -> dict[str, Callable[[], list[str]]]:
    """Return a function for each thing that can be listed, which makes its lines.

    Args:
        root: The project's folder.
        settings: Loads the current settings.
    """
    return {
        "chatters": lambda: _chatters(root / "chatters"),
        "cases": _cases,
        "checks": lambda: _checks(root, settings()),
        "perturbations": _perturbations,
        "relations": _relations,
        "scorers": _scorers,
        "models": _models,
        "rubrics": _rubrics,
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

    lines = align((case.code, case.name, case.title) for case in all_cases())
    by_reason: dict[str, list[str]] = {}
    for case in all_cases():
        if case.why_experimental:
            by_reason.setdefault(case.why_experimental.rstrip("."), []).append(case.code)
    reasons = [f"{', '.join(codes)}: {why}. docs/judges.md says more." for why, codes in by_reason.items()]
    return [*lines, *([""] * bool(reasons)), *reasons]


def _checks(root: Path, settings: "Settings") -> list[str]:
    from chattest.checks.base import CheckContext, list_checks

    context = CheckContext(root, settings.model_copy(update={"testsets": []}))
    return align((check.code, check.described) for check in list_checks(context))


def _perturbations() -> list[str]:
    from chattest.perturbations.base import perturbations

    rows = []
    for perturbation in sorted(perturbations, key=lambda perturbation: (perturbation.family, perturbation.name)):
        missing = perturbation.unavailable()
        meaning = f"not available: {missing}" if missing else _first_line(perturbation.__doc__)
        rows.append(
            (perturbation.name, perturbation.family, perturbation.effect.value, "/".join(perturbation.kinds), meaning)
        )
    return align(rows)


def _relations() -> list[str]:
    from chattest.checks.relations.base import relations

    rows = []
    for relation in sorted(relations, key=lambda relation: relation.code):
        expected = "the opposite answer" if relation.inverse else "the same answer"
        rows.append((relation.name, relation.code, expected, _first_line(relation.__doc__)))
    return align(rows)


def _scorers() -> list[str]:
    from chattest.records.report import mark_experimental
    from chattest.scorers.base import scorers

    return align(
        (scorer.name, scorer.threshold or "-", mark_experimental(_first_line(scorer.__doc__), scorer.experimental))
        for scorer in scorers
    )


def _models() -> list[str]:
    from chattest.models.base import (
        KINDS,
        find_added_judge,
        find_judge_class,
        list_judge_names,
        list_kinds_with_reference,
    )
    from chattest.models.chat import CHAT_KINDS

    rows = [
        (
            kind,
            "embedded",
            "reference" if kind in list_kinds_with_reference() else "embedded",
            _first_line(find_judge_class(kind, "embedded").cls.__doc__),
        )
        for kind in KINDS
    ]
    lines = align([("kind", 'models = "embedded"', 'models = "reference"', "the embedded model"), *rows])
    added = [judge for kind in KINDS for name in list_judge_names(kind) if (judge := find_added_judge(kind, name))]
    own = [(f"models = {{{judge.kind!r}: {judge.name!r}}}", _first_line(judge.cls.__doc__)) for judge in added]
    chat = f'A chat model judges {", ".join(CHAT_KINDS)}: models = {{"match": "chat:openai"}}'
    return [*lines, *align(own), chat]


def _rubrics() -> list[str]:
    from chattest.judging.chat.rubric import FOLDER
    from chattest.models.chat import CHAT_KINDS

    rows = [(kind, "/".join(judged.verdicts), judged.about) for kind, judged in CHAT_KINDS.items()]
    return [*align(rows), f"Each is a text file in {FOLDER}; judge_rubrics names one of yours in its place."]


def _reports() -> list[str]:
    from chattest.reports.base import DEFAULT_REPORTS, list_file_writers, report_writer

    rows = []
    for name in list_file_writers():
        about = _first_line(inspect.getdoc(inspect.getmodule(report_writer(name))))
        rows.append((name, "by default" if name in DEFAULT_REPORTS else "on request", about))
    return align(rows)


def _operators() -> list[str]:
    from chattest.mutation.base import operators

    return align((operator.name, operator.dose, _first_line(operator.alter.__doc__)) for operator in operators)


def _testsets(folder: Path) -> list[str]:
    from chattest.datasets.questions import read_pairs, read_questions
    from chattest.datasets.testsets import read_testsets

    rows: list[tuple[Any, ...]] = []
    for kind, each in ((kind, each) for kind, testsets in read_testsets(folder).items() for each in testsets):
        answer = shorten(each.target.words or "(its own)", LONGEST_ANSWER, placeholder=" ...")
        rows.append((kind, each.name, answer, each.questions[0]))
    texts = [("questions", labelled.testset, labelled.question.text) for labelled in read_questions(folder)]
    texts += [("pairs", pair.testset, pair.original.text) for pair in read_pairs(folder)]
    counts = Counter((sort, name) for sort, name, _ in texts)
    for (sort, name), count in counts.items():
        first = next(text for *source, text in texts if source == [sort, name])
        rows.append((sort, name, many(count, sort[:-1]), first))
    return align(rows)


def _settings() -> list[str]:
    from chattest.settings.declaration import Settings, iter_settings

    lines: list[str] = []
    for section in Settings.sections:
        fields = [
            (name, Settings.model_fields[name]) for name, declared_in, _ in iter_settings() if declared_in == section
        ]
        defaults = [repr(field.default) for _, field in fields]
        shown = [default if len(default) <= LONGEST_DEFAULT else "see config --all" for default in defaults]
        rows = zip((f"  {name}" for name, _ in fields), shown, (field.description for _, field in fields), strict=True)
        lines += [section, *align(rows), ""]
    return lines


def list_perturbed(text: str, settings: "Settings", only: str | None) -> list[str]:
    """Return a table of a text after each perturbation, with the seed and the doses of the settings."""
    from chattest.cli.preview import preview_rows

    table = [
        (row.perturbation, row.kind, f"{row.dose:.2f} {row.dose_unit}" if row.text else "", row.text or f"({row.note})")
        for row in preview_rows(text, settings.seed, only, settings.dose_of)
    ]
    return align([("perturbation", "kind", "dose", "text"), *table])
