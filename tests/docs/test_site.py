"""The docs build as a site, with every link right, and nothing in it is fetched from elsewhere."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.pages import PAGES
from tests.support.stand_ins import ROOT

BUILDER = ROOT / ".venv-docs" / "bin" / "mkdocs"
# What a page loads by itself, other than links to click.
_LOADED = re.compile(r"""<(?:script|img|iframe|source)\b[^>]*\bsrc="([^"]+)"|<link\b[^>]*\bhref="([^"]+)\"""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    builder = str(BUILDER) if BUILDER.exists() else shutil.which("mkdocs", path=str(Path(sys.executable).parent))
    if builder is None:
        pytest.skip("the site's builder is not there; `make docs` installs it")
    folder = tmp_path_factory.mktemp("site")
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        [builder, "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_every_page_is_in_the_site(site: Path) -> None:
    folders = {"chatters": "chatter-examples", "examples": "examples"}
    expected = {folders.get(page.parent.name, {"README": "index"}.get(page.stem, page.stem.lower())) for page in PAGES}
    assert expected | {"notebook"} <= {page.stem for page in site.glob("*.html")}


@pytest.mark.slow
def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in set(site.rglob("*.html")) - {site / "404.html"}:
        loaded = [source or link for source, link in _LOADED.findall(page.read_text(encoding="utf-8"))]
        assert loaded
        for reference in loaded:
            assert "//" not in reference, f"{page.name} loads {reference}"
            assert (page.parent / reference.partition("?")[0].partition("#")[0]).exists(), f"{page.name}: {reference}"


@pytest.mark.slow
def test_files_that_only_build_the_site_are_left_out(site: Path) -> None:
    assert list(site.rglob("_*.py")) == []
