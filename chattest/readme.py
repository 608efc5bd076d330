"""Writes the parts of README.md that are made from the code: `python -m chattest.readme`.

A part stands between `<!-- name -->` and `<!-- /name -->`. A test fails when README.md is not what this makes of it.
"""

import inspect
import re
from pathlib import Path

from chattest.cases.base import all_cases
from chattest.settings.declaration import Settings


def cases_part() -> str:
    """Every case with its specification, from the docstrings."""
    lines = []
    category = ""
    for found in all_cases():
        if found.name.partition(".")[0] != category:
            category = found.name.partition(".")[0]
            lines += [
                f"**{category.capitalize()}**",
                "",
                "| case | what it tests | passes | fails |",
                "|---|---|---|---|",
            ]
        title, _, body = inspect.cleandoc(found.__doc__ or "").partition("\n")
        about, _, examples = body.strip().partition("\n\nPasses: ")
        passes, _, fails = examples.partition("\nFails: ")
        what = f"**{title}** {about}"
        lines.append(f"| {found.code}<br>`{found.name}` | {_cell(what)} | {_cell(passes)} | {_cell(fails)} |")
    text = "\n".join(lines)
    return re.sub(r"\n\*\*([A-Z])", r"\n\n**\1", text)


def settings_part() -> str:
    """Every setting with meaning and default, from their declaration."""
    lines = []
    for section in Settings.sections:
        rows = []
        for name, field in Settings.model_fields.items():
            extra = field.json_schema_extra
            if isinstance(extra, dict) and extra["section"] == section:
                default = repr(field.default) if len(repr(field.default)) < 40 else "see `config.py`"
                rows.append(
                    f"| `{name}` | {_cell(field.description or '')} | `{_cell(default)}` |".replace(
                        "`see `", "see `"
                    ).replace("py``", "py`")
                )
        lines += [f"**{section}**", "", "| setting | meaning | default |", "|---|---|---|", *rows, ""]
    return "\n".join(lines).strip()


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


PARTS = {"cases": cases_part, "settings": settings_part}


def filled(text: str) -> str:
    """README's text with its made parts made anew."""
    for name, make in PARTS.items():
        begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        before, found, rest = text.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise ValueError(f"README.md lacks {begin} ... {end}")
        text = f"{before}{begin}\n{make()}\n{end}{after}"
    return text


if __name__ == "__main__":
    path = Path("README.md")
    path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
