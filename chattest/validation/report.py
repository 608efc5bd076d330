"""Reports of a validation: in the terminal, as JSON, as a workbook."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from chattest.files.atomic import write_whole
from chattest.records.version import VERSION
from chattest.reports.workbook.book import Book, Table, open_book
from chattest.reports.workbook.cells import Cell, Column
from chattest.storage.judge_accuracy import CHAT, MADE, SANITY
from chattest.text.format import align
from chattest.validation.measured import Validation


def lines(validations: Sequence[Validation]) -> list[str]:
    """Return the lines that the terminal shows."""
    text: list[str] = []
    rows: list[tuple[str, ...]] = [
        ("kind", "n", "accuracy", "precision", "recall", "specificity", "ROC AUC", "ECE", "threshold", "balanced")
    ]
    names = ("accuracy", "precision", "recall", "specificity", "roc_auc", "calibration_error")
    for validation in validations:
        figures = validation.figures()
        shown = [_number(figures[name]) for name in (*names, "threshold", "balanced_threshold")]
        rows.append((validation.kind, str(figures["n"]), *shown))
    text += [*align(rows), ""]
    for validation in validations:
        by_tag = validation.figures()["by_tag"]
        if by_tag:
            text += [f"{validation.kind}, accuracy by tag"]
            text += align((f"  {tag}", figures["n"], _number(figures["accuracy"])) for tag, figures in by_tag.items())
            text += [""]
    text += [
        f"{validation.kind}: {validation.not_judged} more cases are not judged: {_reason(validation)}"
        for validation in validations
        if validation.not_judged
    ]
    return text


def _reason(validation: Validation) -> str:
    if not validation.judge:
        return "their text is empty"
    return f"their text is empty, or {validation.judge} gave no verdict"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def write_json(
    validations: Sequence[Validation], path: Path, models: Mapping[str, str] = {}, sanity: Mapping[str, Any] = {}
) -> None:
    """Write the figures of each kind as JSON, with date, version, models and chat judges.

    Args:
        validations: The results.
        path: The file.
        models: Kind -> name of the model that judged.
        sanity: Figures of the sanity bots; empty if they were not measured.

    Raises:
        StoreError: The file cannot be written.
    """
    origin: dict[str, Any] = {"date": date.today().isoformat(), "version": VERSION, "models": dict(models)}
    chat = {validation.kind: validation.judge for validation in validations if validation.judge}
    origin |= {CHAT: chat} if chat else {}
    content = {MADE: origin} | {validation.kind: validation.figures() for validation in validations}
    content |= {SANITY: dict(sanity)} if sanity else {}
    write_whole(path, (json.dumps(content, indent=1) + "\n").encode())


def write_workbook(validations: Sequence[Validation], path: Path) -> None:
    """Write figures, accuracy by tag, ROC curve, reliability table and every case as a workbook.

    Raises:
        StoreError: The file cannot be written.
    """
    with open_book(path, make_folder=True) as workbook:
        figures = [{"kind": validation.kind} | validation.figures() for validation in validations]
        _write_sheet(workbook, "Figures", [{name: row[name] for name in row if name != "by_tag"} for row in figures])
        for validation in validations:
            tags = [{"tag": tag, **of_tag} for tag, of_tag in validation.figures()["by_tag"].items()]
            _write_sheet(workbook, f"{validation.kind} by tag", tags)
            _write_sheet(workbook, f"{validation.kind} reliability", validation.reliability())
            if len(set(validation.labels)) == 2:
                _write_sheet(workbook, f"{validation.kind} ROC", _roc_points(validation))
            _write_sheet(workbook, f"{validation.kind} cases", _cases(validation))


def _roc_points(validation: Validation) -> list[dict[str, float]]:
    """Return the points of the ROC curve, without the first, which has an infinite threshold."""
    from sklearn.metrics import roc_curve

    names = ("threshold", "false positive rate", "true positive rate")
    false_alarms, hits, thresholds = roc_curve(validation.labels, validation.values)
    points = zip(thresholds.tolist(), false_alarms.tolist(), hits.tolist(), strict=True)
    return [dict(zip(names, point, strict=True)) for point in points][1:]


def _cases(validation: Validation) -> list[dict[str, Any]]:
    judged = zip(validation.cases, validation.values, validation.predicted, validation.interpretations, strict=True)
    return [
        case.model_dump(mode="json")
        | {"value": value, "said": predicted, "right": predicted == case.label, "understood": understood}
        for case, value, predicted, understood in judged
    ]


def _write_sheet(workbook: Book, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a sheet with a column for each name in the rows; without rows it stays empty."""
    sheet = workbook.sheet(name)
    if not rows:
        return
    titles = list(dict.fromkeys(title for row in rows for title in row))
    table = Table(workbook, sheet, [Column(title, _style([row.get(title) for row in rows])) for title in titles])
    for row in rows:
        table.add([_cell(row.get(title)) for title in titles])
    table.finish()


def _style(values: Sequence[Any]) -> str:
    """Return the style of the column that holds the values."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {str, list}:
        return "wrap"
    return "text" if kinds == {bool} else "count" if kinds == {int} else "precise"


def _cell(value: Any) -> Cell:
    """Return a value as a cell holds it: lists are joined."""
    joined: Cell = " | ".join(map(str, value)) if isinstance(value, list) else value
    return joined
