"""Shows what a validation came to: in the terminal, as JSON, as a workbook."""

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
    import pandas as pd
    from sklearn.metrics import roc_curve

    figures = [{"kind": one.kind} | {k: v for k, v in one.figures().items() if k != "by_tag"} for one in validations]
    content = BytesIO()
    # Texts of strangers: nothing that looks like a formula or a link may become one.
    options = {"options": {"strings_to_formulas": False, "strings_to_urls": False}}
    with pd.ExcelWriter(content, engine="xlsxwriter", engine_kwargs=options) as book:
        pd.DataFrame(figures).to_excel(book, sheet_name="Figures", index=False)
        for one in validations:
            tags = [{"tag": _cell(tag)} | found for tag, found in one.figures()["by_tag"].items()]
            pd.DataFrame(tags).to_excel(book, sheet_name=f"{one.kind} by tag", index=False)
            pd.DataFrame(one.reliability()).to_excel(book, sheet_name=f"{one.kind} reliability", index=False)
            if len(set(one.labels)) == 2:
                false_alarms, hits, bars = roc_curve(one.labels, one.values)
                curve = {"threshold": bars, "false positive rate": false_alarms, "true positive rate": hits}
                pd.DataFrame(curve).iloc[1:].to_excel(book, sheet_name=f"{one.kind} ROC", index=False)
            rows = [
                {key: _cell(value) for key, value in case.model_dump(mode="json").items()}
                | {"value": value, "said": said, "right": said == case.label, "understood": _cell(understood)}
                for case, value, said, understood in zip(
                    one.cases, one.values, one.said, one.interpretations, strict=True
                )
            ]
            pd.DataFrame(rows).to_excel(book, sheet_name=f"{one.kind} cases", index=False)
    write_whole(path, content.getvalue())


def _cell(value: Any) -> Any:
    """A value as a cell may hold it: lists joined, control characters visible, at most as long as a cell can be."""
    if isinstance(value, list):
        value = " | ".join(map(str, value))
    if isinstance(value, str):
        return visible(value)[:32_000]
    return value
