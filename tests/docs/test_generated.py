"""The parts of the docs that are made from the code are what the code makes of them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.stand_ins import ROOT

pytestmark = pytest.mark.slow

PROLOGUE = "import _generate as made"
COG = [sys.executable, "-m", "cogapp", "-U", "-I", "docs", "-I", ".", "-P"]
PAGES = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))]


def cog(*arguments: str, first: str = "") -> subprocess.CompletedProcess[str]:
    """Run cog in a process of its own. first: a statement that is run there before anything else."""
    command = [*COG, "-p", f"{first}{PROLOGUE}", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("machine", ["", "bare", "full"])
def test_the_parts_made_from_the_code_are_up_to_date_whatever_is_installed(machine: str) -> None:
    first = f"from tests.support import machine; machine.make_{machine}(); " if machine else ""
    done = cog("--check", "--diff", *PAGES, first=first)
    assert done.returncode == 0, f"run: make generate\n{done.stdout}{done.stderr}"


def test_what_a_check_needs_is_told_where_the_checks_are_listed() -> None:
    page = (ROOT / "docs" / "check-list.md").read_text(encoding="utf-8")
    assert "`wordnet_synonym` (needs WordNet (Debian's wordnet-base))" in page


def test_a_part_that_was_edited_by_hand_is_noticed_and_mended(tmp_path: Path) -> None:
    page = tmp_path / "cases.md"
    shutil.copy(ROOT / "docs" / "cases.md", page)
    right = page.read_text(encoding="utf-8")
    page.write_text(right.replace("### ML-U3", "### ML-U33"), encoding="utf-8")
    assert cog("--check", str(page)).returncode != 0
    assert cog("-r", str(page)).returncode == 0
    assert page.read_text(encoding="utf-8") == right


def test_makefile_checks_the_same_pages() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f'COG := $(BIN)/cog -U -I docs -I . -P -p "{PROLOGUE}"' in makefile
    assert "PAGES := README.md CONTRIBUTING.md $(wildcard docs/*.md)" in makefile
    assert "$(COG) --check" in makefile
