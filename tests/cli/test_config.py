"""`config`, which prints the settings in force as lines for config.py, and `--version`."""

import re
from pathlib import Path

import pytest

from chattest import __version__
from chattest.settings.declaration import Settings
from chattest.settings.file import read_settings
from tests.support import warm
from tests.support.stand_ins import ROOT

MINE = """
chatters = ("eliza", "my \\"own\\" bot:Class")
chatter_options = {"http": {"url": "http://localhost/ä", "headers": {"x": "${KEY}"}, "tries": 3, "stream": True}}
dose = {"ML-U3": (0.25, 1.0), "mask": "full"}
p_MLU3TC1 = 0.3
check_files = ["faq.csv", {"path": "more.csv", "columns": {"question": "q"}}]
gates = [{"pattern": "ML-U*", "min_pass_rate": 0.8}]
judge_prices = {"m": (0.4, 1.6)}
convarray_init = ["a\\nb", 'say "so"', "back\\\\slash", "\\x01"]
doubt_band = None
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "main.py").write_bytes((ROOT / "main.py").read_bytes())
    (tmp_path / "chattest").symlink_to(ROOT / "chattest")
    (tmp_path / "config.py").write_text(MINE)
    return tmp_path


def main(project: Path, *arguments: str) -> str:
    done = warm.main(project, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return str(done.stdout)


@pytest.mark.slow
def test_all_settings_in_force_can_be_pasted_into_a_config(project: Path) -> None:
    printed = main(project, "--set", "seed=7", "--set", "p.ML-U4=0.2", "config", "--all")
    (project / "pasted.py").write_text(printed)
    in_force = read_settings(project / "config.py", ["seed=7", "p.ML-U4=0.2"])
    assert read_settings(project / "pasted.py") == in_force
    assert re.findall(r"^(\w+) = ", printed, re.MULTILINE) == list(Settings.model_fields)
    assert re.findall(r"^# -+ (.+)$", printed, re.MULTILINE) == list(Settings.sections)
    assert max(map(len, printed.splitlines())) <= 120
    seed = (
        "# Seed of all randomness: the same seed gives the same plan.\n# Set by --set seed=7\n# Default: 1\nseed = 7\n"
    )
    assert seed in printed
    assert "# Set in config.py:5\n# Set by --set p.ML-U4=0.2\n# Default: {" in printed
    assert 'check_files = [{"path": "faq.csv"}, {"path": "more.csv", "columns": {"question": "q"}}]' in printed.replace(
        "\n    ", ""
    ).replace(",\n]", "]").replace("},{", "}, {")


@pytest.mark.slow
def test_only_what_differs_from_its_default_is_shown_with_its_place(project: Path) -> None:
    (project / "config.py").write_text('max_runs = 5\nchatters = ["eliza", "alice"]\n')
    assert main(project, "--set", "seed=7", "config") == (
        "# 2 settings differ from their defaults. `python main.py config --all` prints every setting.\n\n"
        '# Set by --set seed=7\nseed = 7\n\n# Set in config.py:2\nchatters = ["eliza", "alice"]\n'
    )
    (project / "config.py").write_text("max_runs = 5\n")
    nothing = "# No setting differs from its default. `python main.py config --all` prints every setting.\n"
    assert main(project, "config") == nothing


def test_version(project: Path) -> None:
    assert main(project, "--version") == f"chattest {__version__}\n"
