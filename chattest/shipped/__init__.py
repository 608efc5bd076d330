"""The chatters and test sets that ship with chattest, and the files that `chattest init` starts a project from.

The folder of an installed package holds them all. In a checkout they lie beside the package, as `chatters/`,
`testsets/` and `config.py`; the chatters are then taken from there, so that `chattest.shipped.chatters.eliza` is the
same module in both.
"""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path


def _link(folder: Path) -> None:
    """Register a folder of chatters as the package `chattest.shipped.chatters`."""
    name = f"{__name__}.chatters"
    spec = spec_from_file_location(name, folder / "__init__.py", submodule_search_locations=[str(folder)])
    assert spec is not None
    assert spec.loader is not None, "a Python file has a loader"
    package = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(package)


if not (Path(__file__).parent / "chatters").is_dir():
    _link(Path(__file__).resolve().parents[2] / "chatters")
