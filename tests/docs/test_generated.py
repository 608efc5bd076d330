"""The parts of the docs that are made from the code are what the code makes of them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.stand_ins import ROOT

pytestmark = pytest.mark.slow

COG = [sys.executable, "-m", "cogapp", "-U", "-I", "docs", "-I", ".", "-P", "-p", "import _generate as made"]
PAGES = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))]


def cog(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COG, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_parts_made_from_the_code_are_up_to_date() -> None:
    done = cog("--check", "--diff", *PAGES)
    assert done.returncode == 0, f"run: make generate\n{done.stdout}"


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
    assert 'COG := $(BIN)/cog -U -I docs -I . -P -p "import _generate as made"' in makefile
    assert "PAGES := README.md CONTRIBUTING.md $(wildcard docs/*.md)" in makefile
    assert "$(COG) --check" in makefile
