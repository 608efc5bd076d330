"""`chattest init`: write the files of a new project."""

import json
import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from chattest.errors import InputError, Problem
from chattest.files.shipped import find_shipped_file
from chattest.records.version import VERSION

_TEMPLATES = Path(__file__).parent / "project"
_COPIED = {
    "chatters/my_bot.py": "my_bot.py",
    "testsets/qa/bakery-name.toml": "bakery-name.toml",
    "tests/test_my_bot.py": "test_my_bot.py",
    ".github/workflows/chattest.yml": "workflow.yml",
    "README.md": "README.md",
    ".gitignore": "gitignore",
}
"""File of the project -> its template."""
FIRST_RATE = 0.6
"""The least pass rate in the settings of a new project, which its bot reaches."""


def init_project(folder: Path, program: str = "chattest") -> list[str]:
    """Write a project, and return the lines to print.

    Args:
        folder: Where to write the files. It is created if it does not exist.
        program: How chattest was called. If that was not as an installed command, the lines explain how to install it.

    Raises:
        InputError: A file exists already, and nothing was written; or a file cannot be written.
    """
    texts = _make_texts()
    problems = [
        Problem(str(folder / name), "already exists", "Nothing was written. Choose another folder, or move the file.")
        for name in texts
        if (folder / name).exists()
    ]
    if problems:
        raise InputError(problems)
    for name, text in texts.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise InputError([Problem(str(path), f"cannot be written: {error}")]) from error
    install = "" if program == "chattest" else f"pip install {find_shipped_file('config.py').parent} && "
    return [
        f"Created a project in {folder}: a bot, a test set, the settings, a pytest file and a CI workflow. Next:",
        f"  {install}cd {folder} && chattest    # talks to chatters/my_bot.py and writes reports/first-run/",
        "  pytest    # fails if the bot falls below the rates in tests/test_my_bot.py",
        "  Then let chatters/my_bot.py call your own bot; config.py has the settings, testsets/qa/ the questions.",
    ]


def _make_texts() -> dict[str, str]:
    """Return the text of each file of the project."""
    copied = {name: (_TEMPLATES / template).read_text(encoding="utf-8") for name, template in _COPIED.items()}
    return {
        "config.py": _adapt_config(find_shipped_file("config.py").read_text(encoding="utf-8")),
        "requirements.txt": f"# What CI installs; the path or URL of a wheel works.\n{_find_requirement()}\npytest\n",
        **copied,
    }


def _adapt_config(text: str) -> str:
    """Return the text of the shipped config.py, with the project's bot, a rate to reach, and the installed command."""
    text = text.replace("python main.py", "chattest")
    text = text.replace("fail_under = None\n", f"fail_under = {FIRST_RATE}  # raise it as your bot gets better\n")
    return re.sub(r'(?m)^chatters = \["companion", "\w+"\]$', 'chatters = ["companion", "my_bot"]', text)


def _find_requirement() -> str:
    """Return the requirement that installs this chattest: by its repository or URL if it has one, else by version."""
    try:
        origin = json.loads(distribution("chattest").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        origin = {}
    if "vcs_info" in origin:
        return f"chattest @ {origin['vcs_info']['vcs']}+{origin['url']}@{origin['vcs_info']['commit_id']}"
    if origin.get("url", "").startswith("https://"):
        return f"chattest @ {origin['url']}"
    return f"chattest=={VERSION}"
