"""Shows the figures of a validation: in the terminal, as JSON, as a workbook."""

import json
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from chattest.files.atomic import write_whole
from chattest.text.escape import visible
from chattest.text.format import aligned
from chattest.validation.validate import Validation


def lines(validations: Sequence[Validation]) -> list[str]:
    """The lines that the terminal shows."""
    text: list[str] = []
    rows: list[tuple[str, ...]] = [
        ("kind", "n", "accuracy", "precision", "recall", "specificity", "ROC AUC", "threshold", "balanced")
    ]
    for validation in validations:
        figures = validation.figures()
        names = ("accuracy", "precision", "recall", "specificity", "roc_auc", "threshold", "balanced_threshold")
        rows.append((validation.kind, str(figures["n"]), *(_number(figures[name]) for name in names)))
    text += [*aligned(rows), ""]
    for validation in validations:
        by_tag = validation.figures()["by_tag"]
        if by_tag:
            text += [f"{validation.kind}, accuracy by tag"]
            text += aligned((f"  {tag}", figures["n"], _number(figures["accuracy"])) for tag, figures in by_tag.items())
            text += [""]
    text += [
        f"{validation.kind}: {validation.not_judged} more cases are not judged: their text is empty"
        for validation in validations
        if validation.not_judged
    ]
    return text


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def write_json(validations: Sequence[Validation], path: Path) -> None:
    """Writes the figures of each kind as JSON. Raises `StoreError` when the file cannot be written."""
    content = {validation.kind: validation.figures() for validation in validations}
    write_whole(path, (json.dumps(content, indent=1) + "\n").encode())


def write_workbook(validations: Sequence[Validation], path: Path) -> None:
    """Writes a workbook with figures, accuracy by tag, ROC curve, reliability table and every case.

    Raises `StoreError` when the file cannot be written.
    """
    import pandas as pd
    from sklearn.metrics import roc_curve

    figures = [
        {"kind": validation.kind} | {k: v for k, v in validation.figures().items() if k != "by_tag"}
        for validation in validations
    ]
    content = BytesIO()
    # The texts come from strangers: what looks like a formula or a link must stay text.
    options = {"options": {"strings_to_formulas": False, "strings_to_urls": False}}
    with pd.ExcelWriter(content, engine="xlsxwriter", engine_kwargs=options) as book:
        pd.DataFrame(figures).to_excel(book, sheet_name="Figures", index=False)
        for validation in validations:
            tags = [{"tag": _cell(tag)} | of_tag for tag, of_tag in validation.figures()["by_tag"].items()]
            pd.DataFrame(tags).to_excel(book, sheet_name=f"{validation.kind} by tag", index=False)
            pd.DataFrame(validation.reliability()).to_excel(
                book, sheet_name=f"{validation.kind} reliability", index=False
            )
            if len(set(validation.labels)) == 2:
                false_alarms, hits, bars = roc_curve(validation.labels, validation.values)
                curve = {"threshold": bars, "false positive rate": false_alarms, "true positive rate": hits}
                pd.DataFrame(curve).iloc[1:].to_excel(book, sheet_name=f"{validation.kind} ROC", index=False)
            rows = [
                {key: _cell(value) for key, value in case.model_dump(mode="json").items()}
                | {"value": value, "said": said, "right": said == case.label, "understood": _cell(understood)}
                for case, value, said, understood in zip(
                    validation.cases, validation.values, validation.said, validation.interpretations, strict=True
                )
            ]
            pd.DataFrame(rows).to_excel(book, sheet_name=f"{validation.kind} cases", index=False)
    write_whole(path, content.getvalue())


def _cell(value: Any) -> Any:
    """A value as a cell may hold it: lists joined, control characters visible, text cut to what a cell can hold."""
    if isinstance(value, list):
        value = " | ".join(map(str, value))
    if isinstance(value, str):
        return visible(value)[:32_000]
    return value
