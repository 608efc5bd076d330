"""What needs no model loads none, nor anything else that takes long to import."""

import subprocess
import sys

import pytest

from tests.support.stand_ins import ROOT

HEAVY = {"torch", "transformers", "sentence_transformers", "scipy", "sklearn", "statsmodels", "pandas", "numpy", "nltk"}
HEAVY |= {"xlsxwriter", "openpyxl", "jinja2", "plotly", "ray", "textblob"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "also"),
    [("--help", {"pydantic", "chattest.runner.run"}), ("plan", set()), ("list settings", set()), ("list cases", set())],
)
def test_commands_without_models_import_nothing_heavy(command: str, also: set[str]) -> None:
    code = (
        "import runpy, sys\n"
        f"sys.argv = ['main.py', *{command.split()!r}]\n"
        "try:\n    runpy.run_path('main.py', run_name='__main__')\n"
        "except SystemExit as ended:\n    assert not ended.code, ended.code\n"
        "print('loaded', *sorted(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.splitlines()[-1].split()[1:])
    assert loaded & (HEAVY | also) == set()
    assert "chattest.cli.commands" in loaded


def test_a_python_without_the_packages_says_what_to_do() -> None:
    ran = subprocess.run([sys.executable, "-S", "main.py", "view"], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 1
    assert "is not installed for this Python" in ran.stderr
    assert "source .venv/bin/activate" in ran.stderr
    assert "Traceback" not in ran.stderr
