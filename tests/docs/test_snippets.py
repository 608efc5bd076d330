"""Every block of the docs does what it says. To renew the outputs: run these tests with RENEW=1."""

import ast
import json
import os
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

import chattest
from chattest.settings.file import read_settings
from tests.support.pages import (
    PAGES,
    Block,
    blocks,
    commands,
    first_difference,
    make_docs_project,
    pattern,
    renewed,
    run,
    thin_labelled_replies,
)
from tests.support.stand_ins import ROOT

# The conversations of chatters/README.md are held by tests/chatters/test_readme.py.
TRIED = [page for page in PAGES if page.name != "CHANGELOG.md" and page.parent.name != "chatters"]
ALL = [(page, block) for page in TRIED for block in blocks(page)]


def _name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def _tried(page: Path, slow: bool) -> list[Block]:
    return [block for block in blocks(page) if "untested" not in block.directives and (block.slow is slow)]


def _cases() -> list[object]:
    return [
        pytest.param(page, slow, id=f"{_name(page)}{'-slow' * slow}", marks=[pytest.mark.slow] * slow)
        for page in TRIED
        for slow in (False, True)
        if any(block.language in ("console", "python") for block in _tried(page, slow))
    ]


def _written(block: Block, project: Path) -> None:
    """Writes the file that a block names; lines of config.py come after all others, and so replace them."""
    path = project / block.title
    path.parent.mkdir(parents=True, exist_ok=True)
    before = (ROOT / "config.py").read_text(encoding="utf-8") if block.title == "config.py" else ""
    path.unlink(missing_ok=True)
    path.write_text(before + block.text, encoding="utf-8")


def _checked(page: Path, block: Block, project: Path) -> None:
    """Runs the commands of a block and compares what they print; a terminal's frames tell that it is one."""
    for command, shown in commands(block):
        code, printed = run(command, project, block.directives.get("typed", ""), terminal="┃" in block.text)
        if os.environ.get("RENEW") and shown and not pattern(shown).fullmatch(printed):
            now = page.read_text(encoding="utf-8").replace(shown, renewed(shown, printed))
            page.write_text(now, encoding="utf-8")
            continue
        assert code == 2 if "cannot continue" in shown else code in (0, 1), printed
        fits = not shown or pattern(shown).fullmatch(printed) is not None
        assert fits, f"{_name(page)}:{block.line}: $ {command}\n{first_difference(shown, printed)}{printed}"


def _executed(page: Path, block: Block, space: dict[str, object]) -> None:
    """Runs a Python block, then the tests that it defines."""
    code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
    exec(code, space)
    for statement in ast.parse(block.text).body:
        if isinstance(statement, ast.FunctionDef) and statement.name.startswith("test_"):
            space[statement.name]()  # type: ignore[operator]


@pytest.mark.slow
@pytest.mark.parametrize(("page", "slow"), _cases())
def test_the_blocks_of_a_page_do_what_it_says(
    page: Path, slow: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles = {block.title for block in blocks(page) if block.title}
    project = make_docs_project(tmp_path / "project", titles)
    monkeypatch.chdir(project)
    space: dict[str, object] = {"__name__": "docs"}
    for block in blocks(page):
        if block.title:
            _written(block, project)
        if "copied" in block.directives:
            source, _, place = block.directives["copied"].partition(" -> ")
            (project / place).parent.mkdir(exist_ok=True)
            (project / place).write_bytes((ROOT / source).read_bytes())
        if block.slow is slow and "untested" not in block.directives:
            if "thinned" in block.directives:
                thin_labelled_replies(project, int(block.directives["thinned"]))
            if block.language == "console":
                _checked(page, block, project)
            elif block.language == "python" and not block.title:
                if "import chattest" not in block.text and "def " not in block.text and "chattest" not in space:
                    raise AssertionError(f"{_name(page)}:{block.line}: a block of Python that stands alone")
                _executed(page, block, space)


@pytest.mark.parametrize(("page", "block"), ALL, ids=[f"{_name(page)}-{block.line}" for page, block in ALL])
def test_every_block_is_well_formed(page: Path, block: Block, tmp_path: Path) -> None:
    assert block.language in {"console", "python", "toml", "text", "json", "yaml", "pycon"}, (
        "a block without a language"
    )
    if block.language == "python":
        ast.parse(block.text)
    elif block.language == "toml":
        assert tomllib.loads(block.text)
    elif block.language == "json":
        for line in block.text.splitlines() if block.title.endswith(".jsonl") else [block.text]:
            json.loads(line)
    elif block.language == "yaml":
        assert yaml.safe_load(block.text)
    elif block.language == "console":
        assert commands(block), "a console block begins with a command: $ chattest ..."
        assert block.directives.get("untested", "a reason"), "<!-- untested: why -->"


@pytest.mark.parametrize("page", TRIED, ids=_name)
def test_settings_that_a_page_shows_are_right_unless_a_command_then_refuses_them(page: Path, tmp_path: Path) -> None:
    shown = blocks(page)
    refused = {before.line for before, after in pairwise(shown) if after.language == "console"}
    for block in shown:
        if block.title == "config.py" and block.line not in refused:
            _written(block, tmp_path)
            read_settings(tmp_path / "config.py")


def test_the_first_bot_has_eight_lines_and_the_library_needs_six() -> None:
    python = [block.text for block in blocks(ROOT / "README.md") if block.language == "python"]
    bot, library = (
        [line for line in text.splitlines() if line.strip() and not line.startswith("#")] for text in python[:2]
    )
    assert "(Chatter)" in python[0]
    assert len(bot) <= 8
    assert "chattest.run" in python[1]
    assert len(library) <= 6
    assert chattest.Chatter.__name__ in python[0]
