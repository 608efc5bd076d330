"""Puts the project's own pages (README.md, CONTRIBUTING.md, ...) and the notebook into the site; a hook of mkdocs."""

import json
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "RELEASING.md": "releasing.md",
    "examples/README.md": "examples.md",
    "chatters/README.md": "chatter-examples.md",
    "docs/library.ipynb": "notebook.md",
}
"""File of the project -> its place in the site."""
_COMMENT = re.compile(r"^<!--.*?-->\n", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)#:\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that lie outside docs/, and the programs of examples/."""
    for source, place in PAGES.items():
        if (ROOT / source).exists():
            text = (ROOT / source).read_text(encoding="utf-8")
            content = _notebook(json.loads(text)) if source.endswith(".ipynb") else text
            files.append(File.generated(config, place, content=content))
    for program in sorted((ROOT / "examples").glob("*.py")):
        place = program.relative_to(ROOT).as_posix()
        files.append(File.generated(config, place, abs_src_path=str(program)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Leaves out comments, and turns links between files of the project into links between pages of the site."""
    sources = {place: source for source, place in PAGES.items()}
    source = ROOT / sources.get(page.file.src_uri, f"docs/{page.file.src_uri}")

    def moved(link: re.Match[str]) -> str:
        target = (source.parent / link[1]).resolve()
        if not target.is_relative_to(ROOT):
            return link[0]
        inside = target.relative_to(ROOT).as_posix()
        return f"]({PAGES.get(inside, inside.removeprefix('docs/'))}{link[2] or ''})"

    return _LINK.sub(moved, _COMMENT.sub("", markdown))


def _notebook(notebook: dict[str, Any]) -> str:
    """A notebook as Markdown: its texts, its code, and what came out."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        parts += [shown for output in cell.get("outputs", []) if (shown := _output(output))]
    return "\n\n".join(parts) + "\n"


def _output(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    if "text/html" in data:
        return f'<div class="output">{"".join(data["text/html"])}</div>'
    text = "".join(data.get("text/plain", output.get("text", "")))
    return f"```text\n{text.rstrip()}\n```" if text.strip() else ""
