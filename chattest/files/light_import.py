"""Import a module of a package without the package's `__init__`, which may import far more than the module needs."""

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType


def import_alone(package: str, *modules: str) -> list[ModuleType]:
    """Return modules of a package, such as `("nltk", "chat.eliza")`, without running the package's `__init__`.

    nltk's imports scikit-learn and scipy, which takes seconds. If the package is imported already, it is used.
    Otherwise nothing of it stays in `sys.modules`, so that a later `import` runs it as usual.

    Raises:
        ImportError: a module is missing.
    """
    names = [f"{package}.{module}" for module in modules]
    spec = None if package in sys.modules else find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        return [import_module(name) for name in names]
    stand_in = ModuleType(package)
    stand_in.__path__ = list(spec.submodule_search_locations)
    sys.modules[package] = stand_in
    try:
        return [import_module(name) for name in names]
    finally:
        for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
            del sys.modules[name]
