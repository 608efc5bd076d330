"""Whether what a bot says stays text in everything that a run shows or leaves."""

import contextlib
import io
import json
import re
import zipfile
from collections.abc import Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

from markdown_it import MarkdownIt

from chattest.records.conversation import Conversation
from chattest.records.result import Result, Score, Verdict
from chattest.reports.base import DEFAULT_REPORTS, report_writer
from chattest.reports.content.text import shorten
from chattest.reports.writers.markdown import escape, format_code
from chattest.text.escape import visible
from tests.support.sample_report import report_of
from tests.support.stand_ins import said

READER = MarkdownIt("gfm-like", {"linkify": False})
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What makes a terminal do something, or turns the reading order of what follows."""
INERT = {"text", "text_special", "code_inline", "softbreak"}


def check_text(text: str) -> None:
    """A single text in the forms in which reports show it."""
    assert not HARMFUL.search(visible(text))
    line = shorten(text, 90)
    assert not HARMFUL.search(line)
    assert "\n" not in line
    assert len(line) <= 90
    ElementTree.fromstring(ElementTree.tostring(_element(text)))
    for made in (escape(text), format_code(text)):
        outer = READER.parse(f"1. place: {made}")
        inner = [child for token in outer for child in token.children or ()]
        kinds = {child.type for child in inner}
        assert kinds <= INERT, (kinds, made)
        assert len(outer) == 7, [token.type for token in outer]


def _element(text: str) -> ElementTree.Element:
    element = ElementTree.Element("system-out", name=visible(text))
    element.text = visible(text)
    return element


def check_outputs(texts: Sequence[str], folder: Path) -> None:
    """Everything that a run with these replies leaves in a folder and prints."""
    usual = _shapes(tuple("x" for _ in texts), folder)
    found = _shapes(tuple(texts), folder)
    for name, shape in found.items():
        assert shape <= usual[name], (name, shape - usual[name])
    rows = (folder / "results.jsonl").read_text("utf-8").split("\n")[:-1]
    assert [json.loads(row)["reply"] for row in rows] == list(texts)


@cache
def _usual_conversation(rounds: int) -> Conversation:
    return said(*[("Hey", "x")] * rounds)


def _shapes(texts: tuple[str, ...], folder: Path) -> dict[str, set[str]]:
    """File -> what there is in it besides text: tags with their attributes, kinds of links, characters that act."""
    clean = [text.encode("utf-8", "replace").decode() for text in texts]  # as the loop does on arrival
    held = said(*[(text or "Hey", text) for text in clean])
    rows = [
        Result("ML-P1", 1, "run-001", number, Verdict.FAIL, text, text, text, "cat-name", text, text, 0.5, 1, text,
               text, Score(0.5, text, {"insult": 0.5}, text), text)
        for number, text in enumerate(texts)
    ]  # fmt: skip
    report = report_of(rows, [held])
    for name in DEFAULT_REPORTS:
        report_writer(name)(report, folder)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        report_writer("console")(report, folder)
    tokens = READER.parse((folder / "report.md").read_text("utf-8"))
    kinds = {token.type for token in tokens} | {child.type for token in tokens for child in token.children or ()}
    page = _Tags()
    page.feed((folder / "report.html").read_text("utf-8"))
    test_cases = ElementTree.parse(folder / "junit.xml").iter()
    return {
        "console": set(HARMFUL.findall(printed.getvalue())) | {f"{printed.getvalue().count(chr(10))} lines"},
        "report.md": kinds - INERT,
        "report.html": page.found | {f"{page.scripts} scripts"},
        "junit.xml": {element.tag + " ".join(sorted(element.keys())) for element in test_cases},
        "workbooks": _workbook(folder / "report.xlsx") | _workbook(folder / "summary.xlsx"),
        "folder": {str(path.relative_to(folder)) for path in folder.rglob("*")},
    }


class _Tags(HTMLParser):
    """Every tag with the names of its attributes, and where links lead."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        self.found.add(f"{tag} {' '.join(sorted(name for name, _ in attrs))}")
        for name, value in attrs:
            if name in ("href", "src") and not (value or "").startswith("#"):
                self.found.add(f"{tag} to {value}")


def _workbook(path: Path) -> set[str]:
    """Names of parts, elements of all sheets with the names of their attributes, kinds of targets, formulas."""
    found: set[str] = set()
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            found.add(re.sub(r"\d+", "n", name))
            if not name.endswith((".xml", ".rels", ".vml")):
                continue
            for element in ElementTree.fromstring(archive.read(name)).iter():
                tag = element.tag.rpartition("}")[2]
                if name.endswith(".rels"):
                    found.add(f"rels {element.get('Type')} {element.get('TargetMode')}")
                elif tag == "f" and "worksheets" in name:
                    found.add(f"formula {element.text}")
                elif tag == "hyperlink":
                    found.add(f"hyperlink {sorted(element.keys())}")
    return found
