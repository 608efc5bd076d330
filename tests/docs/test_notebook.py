"""docs/library.ipynb runs from beginning to end, and what stands in it came out. To renew it: run this with RENEW=1."""

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.support.stand_ins import ROOT

NOTEBOOK = ROOT / "docs" / "library.ipynb"


def results(notebook: nbformat.NotebookNode) -> list[list[str]]:
    """What each cell of code gave, as text."""
    return [
        [output["data"]["text/plain"] for output in cell.outputs if output.output_type == "execute_result"]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Parsing dates involving:DeprecationWarning", "ignore::ResourceWarning")
def test_the_notebook_gives_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.chdir(tmp_path)
    shown = nbformat.read(NOTEBOOK, as_version=4)
    executed = nbformat.from_dict(shown.copy())
    before = results(shown)
    NotebookClient(executed, timeout=500, kernel_name="python3").execute()
    if os.environ.get("RENEW"):
        renew(executed)
    else:
        assert results(executed) == before
    assert list(tmp_path.iterdir()) == [], "the library writes nothing that was not asked for"


def renew(executed: nbformat.NotebookNode) -> None:
    """Writes the notebook without what depends on the machine: warnings, times."""
    for cell in executed.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.output_type == "execute_result"]
    nbformat.write(executed, NOTEBOOK)
