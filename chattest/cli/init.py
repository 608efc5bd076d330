"""`chattest init`: the files that a project starts from."""

import json
import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from chattest import __version__
from chattest.errors import InputError, Problem
from chattest.files.shipped import shipped_file

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


def init_project(folder: Path, program: str = "chattest") -> list[str]:
    """Writes a project and returns what to tell the user about it.

    folder: where the files go; made if it is not there. program: how chattest was called; where that is not as an
    installed command, the user is told to install it. Raises `InputError` with every file that exists already, and then
    writes nothing.
    """
    texts = _texts()
    problems = [
        Problem(str(folder / name), "exists already", "Nothing was written. Name another folder, or move the file.")
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
    install = "" if program == "chattest" else f"pip install {shipped_file('config.py').parent} && "
    return [
        f"{folder} is a project now: a bot, a test set, the settings, a pytest file and a CI workflow. Next:",
        f"  {install}cd {folder} && chattest    # talks to chatters/my_bot.py and writes reports/first-run/",
        "  pytest    # fails where the bot falls below the rates in tests/test_my_bot.py",
        "  Then let chatters/my_bot.py call your own bot; config.py has every setting, testsets/qa/ what it is asked.",
    ]


def _texts() -> dict[str, str]:
    """File of the project -> its content."""
    copied = {name: (_TEMPLATES / template).read_text(encoding="utf-8") for name, template in _COPIED.items()}
    return {
        "config.py": _config(shipped_file("config.py").read_text(encoding="utf-8")),
        "quality_gates.yaml": _as_installed(shipped_file("quality_gates.yaml").read_text(encoding="utf-8")),
        "requirements.txt": f"# What CI installs. A wheel's path or address can stand here too.\n{_source()}\npytest\n",
        **copied,
    }


def _config(text: str) -> str:
    """The shipped settings, with the project's bot under test."""
    return re.sub(r'(?m)^chatters = \["eliza", "\w+"\]$', 'chatters = ["eliza", "my_bot"]', _as_installed(text))


def _as_installed(text: str) -> str:
    """A text of the checkout, for a project that has neither main.py nor requirements-ray.txt."""
    return text.replace("python main.py", "chattest").replace("-r requirements-ray.txt", "'chattest[ray]'")


def _source() -> str:
    """The requirement that installs this chattest again: from its repository if it came from one, else by version."""
    try:
        origin = json.loads(distribution("chattest").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        origin = {}
    if "vcs_info" in origin:
        return f"chattest @ {origin['vcs_info']['vcs']}+{origin['url']}@{origin['vcs_info']['commit_id']}"
    if origin.get("url", "").startswith("https://"):
        return f"chattest @ {origin['url']}"
    return f"chattest=={__version__}"
