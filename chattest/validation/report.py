"""Shows what a validation came to: in the terminal, as JSON, as a workbook."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chattest.files.atomic import write_whole
from chattest.reports.workbook.book import Book, Cell, Column, Table, book
from chattest.text.format import aligned
from chattest.validation.validate import Validation


def lines(validations: Sequence[Validation]) -> list[str]:
    """The figures for the terminal."""
    text: list[str] = []
    rows: list[tuple[str, ...]] = [
        ("kind", "n", "accuracy", "precision", "recall", "specificity", "ROC AUC", "threshold", "balanced")
    ]
    for one in validations:
        figures = one.figures()
        names = ("accuracy", "precision", "recall", "specificity", "roc_auc", "threshold", "balanced_threshold")
        rows.append((one.kind, str(figures["n"]), *(_number(figures[name]) for name in names)))
    text += [*aligned(rows), ""]
    for one in validations:
        by_tag = one.figures()["by_tag"]
        if by_tag:
            text += [f"{one.kind}, accuracy by tag"]
            text += aligned((f"  {tag}", found["n"], _number(found["accuracy"])) for tag, found in by_tag.items())
            text += [""]
    text += [
        f"{one.kind}: {one.not_judged} more cases are not judged: their text is empty"
        for one in validations
        if one.not_judged
    ]
    return text


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def write_json(validations: Sequence[Validation], path: Path) -> None:
    """Kind -> figures, as JSON. Raises `StoreError` when the disk refuses."""
    content = {one.kind: one.figures() for one in validations}
    write_whole(path, (json.dumps(content, indent=1) + "\n").encode())


def write_workbook(validations: Sequence[Validation], path: Path) -> None:
    """Figures, accuracy by tag, ROC curve, reliability table and every case, as a workbook.

    Raises `StoreError` when the disk refuses.
    """
    with book(path, make_folder=True) as made:
        figures = [{"kind": one.kind} | one.figures() for one in validations]
        _write_sheet(made, "Figures", [{name: row[name] for name in row if name != "by_tag"} for row in figures])
        for one in validations:
            tags = [{"tag": tag, **of_tag} for tag, of_tag in one.figures()["by_tag"].items()]
            _write_sheet(made, f"{one.kind} by tag", tags)
            _write_sheet(made, f"{one.kind} reliability", one.reliability())
            if len(set(one.labels)) == 2:
                _write_sheet(made, f"{one.kind} ROC", _roc(one))
            _write_sheet(made, f"{one.kind} cases", _cases(one))


def _roc(validation: Validation) -> list[dict[str, float]]:
    """The points of the ROC curve, without the first, whose threshold is infinite."""
    from sklearn.metrics import roc_curve

    names = ("threshold", "false positive rate", "true positive rate")
    false_alarms, hits, thresholds = roc_curve(validation.labels, validation.values)
    points = zip(thresholds.tolist(), false_alarms.tolist(), hits.tolist(), strict=True)
    return [dict(zip(names, point, strict=True)) for point in points][1:]


def _cases(validation: Validation) -> list[dict[str, Any]]:
    judged = zip(validation.cases, validation.values, validation.said, validation.interpretations, strict=True)
    return [
        case.model_dump(mode="json")
        | {"value": value, "said": said, "right": said == case.label, "understood": understood}
        for case, value, said, understood in judged
    ]


def _write_sheet(made: Book, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """A sheet with a column for each name in the rows; without rows it stays empty."""
    sheet = made.sheet(name)
    if not rows:
        return
    table = Table(made, sheet, [Column(title, _style([row[title] for row in rows])) for title in rows[0]])
    for row in rows:
        table.add([_cell(value) for value in row.values()])
    table.finish()


def _style(values: Sequence[Any]) -> str:
    """The style of the column that holds the values."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {str, list}:
        return "wrap"
    return "text" if kinds == {bool} else "count" if kinds == {int} else "precise"


def _cell(value: Any) -> Cell:
    """A value as a cell holds it: lists are joined."""
    joined: Cell = " | ".join(map(str, value)) if isinstance(value, list) else value
    return joined
