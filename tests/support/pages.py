"""The pages of the docs: their blocks of code, their headings and links, and a project to try the blocks in."""

import os
import pty
import re
import select
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cache
from multiprocessing.process import BaseProcess
from pathlib import Path

from tests.support import warm
from tests.support.stand_ins import ROOT

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    ROOT / "SECURITY.md",
    ROOT / "RELEASING.md",
    ROOT / "examples" / "README.md",
    ROOT / "chatters" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
_BLOCK = re.compile(
    r'((?:^<!-- \w+(?:: [^\n]+)? -->\n)*)^```(\w*)(?: title="([^"\n]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL
)
_DIRECTIVE = re.compile(r"<!-- (\w+)(?:: ([^\n]+))? -->")
_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_COUNTED = re.compile(r"^\d+ of \d+ conversations finished.*\n", re.MULTILINE)
DIRECTIVES = {"slow", "untested", "typed", "copied", "thinned"}


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    line: int
    """Where its text begins, from 1."""
    language: str
    title: str
    """The file that its text belongs into; empty: none."""
    text: str
    directives: dict[str, str] = field(default_factory=dict)
    """What the comments before it say: `slow`, `untested` (why), `typed` (lines for the standard input, by `; `),
    `copied` (a file of the project `->` its place for this block), `thinned` (a number n: the labelled replies that its
    command reads are every nth of their file)."""

    @property
    def slow(self) -> bool:
        """Whether it is tried with the slow tests alone: it talks to a bot, or runs Python."""
        return "slow" in self.directives or (self.language == "python" and not self.title)


def blocks(page: Path) -> list[Block]:
    """All blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            line=text.count("\n", 0, match.start(4)) + 1,
            language=match[2],
            title=match[3] or "",
            text=match[4],
            directives={name: value for name, value in _DIRECTIVE.findall(match[1]) if name in DIRECTIVES},
        )
        for match in _BLOCK.finditer(text)
    ]


def prose(page: Path) -> str:
    """A page without its blocks and comments."""
    return re.sub(r"<!--.*?-->", "", _BLOCK.sub("", page.read_text(encoding="utf-8")), flags=re.DOTALL)


@cache
def anchors(page: Path) -> frozenset[str]:
    """What `#anchor` may name on a page: its headings as GitHub and the site spell them."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings)


def commands(block: Block) -> list[tuple[str, str]]:
    """The commands of a `console` block, each with the output that the block shows."""
    parts = re.split(r"^\$ ((?:.*\\\n)*.*)\n", block.text, flags=re.MULTILINE)
    return [(command.replace("\\\n", " "), shown) for command, shown in zip(parts[1::2], parts[2::2], strict=True)]


def pattern(shown: str) -> re.Pattern[str]:
    """What an output must be. A line `...` stands for any lines, and `...` in a line for anything in it."""
    lines = [
        "(?:.*\n)*" if line == "...\n" else re.escape(line).replace(r"\.\.\.", ".*")
        for line in shown.splitlines(keepends=True)
    ]
    return re.compile("".join(lines))


def first_difference(shown: str, printed: str) -> str:
    """The first line of a page's output that no longer fits what was printed; a log may be cut short after it."""
    lines = shown.splitlines(keepends=True)
    for count, line in enumerate(lines, 1):
        if not re.compile(pattern("".join(lines[:count])).pattern + "(?:.*\n)*").fullmatch(printed):
            return f"line {count} of the block is not what was printed: {line}"
    return "more was printed than the block shows"


def renewed(shown: str, printed: str) -> str:
    """What a page shows of an output, as it is now: the same parts of it, between the same lines `...`.

    A part reaches from the line that is most like its first one to the line that is most like its last. A line with
    `...` in it stays as it is where it still fits.
    """
    lines, rest = [], printed.splitlines(keepends=True)
    for count, part in enumerate(re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE)):
        lines += ["...\n"] * (count > 0)
        if old := part.splitlines(keepends=True):
            begin = _most_like(old[0], rest)
            end = begin + _most_like(old[-1], rest[begin:]) + 1
            lines, rest = lines + rest[begin:end], rest[end:]
    open_ended = [line for line in shown.splitlines(keepends=True) if "..." in line and line != "...\n"]
    return "".join(next((old for old in open_ended if pattern(old).fullmatch(line)), line) for line in lines)


def _most_like(line: str, lines: list[str]) -> int:
    return max(range(len(lines)), key=lambda at: SequenceMatcher(None, line, lines[at]).ratio(), default=0)


def make_docs_project(folder: Path, titles: set[str]) -> Path:
    """A project like a clone, into which blocks can be written without touching this one.

    titles: those of the blocks that will be written.
    """
    folder.mkdir()
    for name in ("main.py", "config.py"):
        (folder / name).write_bytes((ROOT / name).read_bytes())
    (folder / "tests").mkdir()
    for name in ("data", "support"):
        (folder / "tests" / name).symlink_to(ROOT / "tests" / name)
    tops = {title.partition("/")[0] for title in titles}
    for name in ("chattest", "testsets", "chatters"):
        if name in tops:
            _mirror(ROOT / name, folder / name)
        else:
            (folder / name).symlink_to(ROOT / name)
    return folder


def thin_labelled_replies(project: Path, step: int) -> None:
    """Put every nth line of each file of labelled replies in its place: the whole takes a minute to judge.

    Args:
        project: the folder that `make_docs_project` made.
        step: n.
    """
    data = project / "tests" / "data"
    data.unlink()
    data.mkdir()
    for path in (ROOT / "tests" / "data").iterdir():
        if path.name != "judging":
            (data / path.name).symlink_to(path)
    (data / "judging").mkdir()
    for path in (ROOT / "tests" / "data" / "judging").glob("*.jsonl"):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        (data / "judging" / path.name).write_text("".join(lines[::step]), encoding="utf-8")


def _mirror(source: Path, target: Path) -> None:
    """Folders of its own, with links to the files: a new file stays here."""
    for here, folders, files in os.walk(source):
        folders[:] = [name for name in folders if name != "__pycache__"]
        to = target / Path(here).relative_to(source)
        to.mkdir(parents=True)
        for name in files:
            (to / name).symlink_to(Path(here) / name)


def run(command: str, project: Path, typed: str = "", terminal: bool = False) -> tuple[int, str]:
    """A command of a `console` block, run in a project: its exit code and what it printed, with paths in the project.

    typed: lines for the standard input, by `; `. terminal: whether the output goes to a terminal of 118 columns, which
    shows tables in frames, and a bar in place of the lines that count conversations.
    """
    program, *arguments = shlex.split(command.replace("make run", "chattest"))
    assert program == "chattest", f"only chattest is tried here, not {program}; say <!-- untested: why -->"
    environment = os.environ | {"COLUMNS": "118", "NO_COLOR": "1", "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryDirectory() as kept:
        given, out, err = (Path(kept, name) for name in ("in", "out", "err"))
        given.write_text(typed.replace("; ", "\n") + "\n" if typed else "")
        out.touch()
        if not (project / "chattest").is_symlink():  # a block has added a module to it
            words = [sys.executable, "main.py", *arguments]
            with given.open() as typing, out.open("w") as printing:
                code = subprocess.run(
                    words, cwd=project, env=environment, stdin=typing, stdout=printing, stderr=printing, timeout=500
                ).returncode
            text = out.read_text()
        elif terminal:
            inner, outer = pty.openpty()
            running = warm.start(
                project, *arguments, environment=environment, stdin=given, stdout=os.ttyname(outer), stderr=err
            )
            printed = _read_while(running, inner)
            os.close(inner)
            os.close(outer)
            code, text = warm.ended(running), err.read_text() + printed
        else:
            running = warm.start(project, *arguments, environment=environment, stdin=given, stdout=out, stderr=out)
            code, text = warm.ended(running), out.read_text()
    plain = re.sub(r"[ \r]+$", "", _STYLE.sub("", text).replace(f"{project}/", ""), flags=re.MULTILINE)
    return code, _COUNTED.sub("", plain) if terminal else plain


def _read_while(running: BaseProcess, terminal: int) -> str:
    """What a process writes to a terminal until it ends."""
    chunks = []
    while (alive := running.is_alive()) or select.select([terminal], [], [], 0)[0]:
        if select.select([terminal], [], [], 0.05 if alive else 0)[0]:
            chunks.append(os.read(terminal, 65536))
    return b"".join(chunks).decode()
