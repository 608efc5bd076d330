"""The shape of the code: small modules and functions, no circles, a light import, tests beside what they test.

Which package may import from which is import-linter's to check (`make lint`).
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

from tests.support.paths import ROOT

PACKAGE = ROOT / "chattest"
MODULES = sorted(PACKAGE.rglob("*.py"))

LONGEST_MODULE = 500
LONGER_MODULES: dict[str, int] = {}
"""Modules that are still too long, with their lines, which must not become more. A shorter one is taken out."""

MOST_FLOORS = 15

LONGEST_FUNCTION = 50
LONGER_FUNCTIONS: dict[str, int] = {}
"""Functions that are still too long, with their lines, likewise."""

HEAVY = ("torch", "transformers", "pandas", "pydantic", "numpy", "scipy", "sklearn", "nltk", "typer", "httpx")

ABOUT_NO_PACKAGE = {
    "benchmarks",
    "chatters",
    "data",
    "docs",
    "examples",
    "faults",
    "fuzz",
    "golden",
    "packaging",
    "soak",
    "support",
    "training",
}
"""Folders of tests that are about more, or other things, than one package of chattest."""


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def test_no_module_is_longer_than_500_lines() -> None:
    lines = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    _only_shrinks({name: length for name, length in lines.items() if length > LONGEST_MODULE}, LONGER_MODULES)


@pytest.mark.slow
def test_no_function_is_longer_than_50_lines() -> None:
    longer = {
        f"{name_of(path)}:{function.name}": length
        for path in MODULES
        for function, length in _functions(path)
        if length > LONGEST_FUNCTION
    }
    _only_shrinks(longer, LONGER_FUNCTIONS)


def _functions(path: Path) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, int]]:
    """Yield every function of a file, with its lines without those of its docstring."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            first = node.body[0]
            documented = ast.get_docstring(node, clean=False) is not None
            docstring = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
            yield node, node.end_lineno - node.lineno + 1 - docstring


def _only_shrinks(longer: dict[str, int], allowed: dict[str, int]) -> None:
    grown = {name: length for name, length in longer.items() if length > allowed.get(name, 0)}
    assert grown == {}, "split these; a module has 500 lines at most, a function 50"
    mended = allowed.keys() - longer.keys()
    assert mended == set(), "no longer too long: take them out of the list above"


def test_the_top_of_the_package_holds_six_modules_at_most() -> None:
    assert len(list(PACKAGE.glob("*.py"))) <= 6


@pytest.fixture(scope="module")
def imports() -> grimp.ImportGraph:
    """Every import of chattest from itself, those inside functions and for types only as well."""
    sys.path.insert(0, str(ROOT))  # where grimp looks for it, whatever the current folder is
    try:
        return grimp.build_graph("chattest", cache_dir=None)
    finally:
        sys.path.remove(str(ROOT))


def test_no_modules_import_each_other_in_a_circle(imports: grimp.ImportGraph) -> None:
    """`chattest` itself is left out: it names its public parts for type checkers, and loads them when they are used."""
    modules = imports.modules - {"chattest"}
    assert _circle({module: imports.find_modules_directly_imported_by(module) & modules for module in modules}) == []


def test_no_packages_import_each_other_in_a_circle(imports: grimp.ImportGraph) -> None:
    """Packages side by side, at every depth."""
    for package in {module.rpartition(".")[0] for module in imports.modules} - {""}:
        parts = imports.find_children(package)
        graph: dict[str, set[str]] = {part: set() for part in parts}
        for part in parts:
            for module in {part, *imports.find_descendants(part)}:
                for imported in imports.find_modules_directly_imported_by(module):
                    graph[part] |= {other for other in parts - {part} if f"{imported}.".startswith(f"{other}.")}
        assert _circle(graph) == []


def _circle(graph: dict[str, set[str]]) -> list[str]:
    """The nodes of one circle, in order; none where there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_contract_design_page_and_real_imports_name_the_same_floors() -> None:
    """A package's floor is one above the highest that it imports from, imports for types only left out."""
    sys.path.insert(0, str(ROOT))
    try:
        graph = grimp.build_graph("chattest", exclude_type_checking_imports=True, cache_dir=None)
    finally:
        sys.path.remove(str(ROOT))
    below: dict[str, set[str]] = {}
    for module in graph.modules - {"chattest"}:
        package = module.split(".")[1]
        imported = {name.split(".")[1] for name in graph.find_modules_directly_imported_by(module) if "." in name}
        below.setdefault(package, set()).update(imported - {package})
    floors: dict[str, int] = {}
    for package in TopologicalSorter(below).static_order():
        floors[package] = 1 + max((floors[other] for other in below[package]), default=0)
    real = [{name for name in floors if floors[name] == floor} for floor in range(max(floors.values()), 0, -1)]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    contract = next(one["layers"] for one in contracts if one["type"] == "layers")
    assert [set(layer.split(" | ")) for layer in contract] == real
    assert _floors_of_the_design_page() == real
    assert len(real) <= MOST_FLOORS


def _floors_of_the_design_page() -> list[set[str]]:
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    floors: list[set[str]] = []
    for number, packages in re.findall(r"^\| (\d*) ?\| ((?:`\w+(?:/|\.py)`(?:, )?)+) \|", page, re.MULTILINE):
        floors += [set()] if number else []
        floors[-1] |= set(re.findall(r"`(\w+)(?:/|\.py)`", packages))
    return floors


def test_a_circle_is_noticed() -> None:
    assert _circle({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert set(_circle({"a": {"b"}, "b": {"c"}, "c": {"a"}})) == {"a", "b", "c"}


def test_importing_chattest_loads_nothing_heavy() -> None:
    code = "import sys, chattest; print(*sorted(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert "chattest" in loaded
    assert loaded & set(HEAVY) == set()


def test_tests_lie_beside_what_they_test() -> None:
    packages = {path.parent.relative_to(PACKAGE) for path in PACKAGE.rglob("__init__.py")}
    folders = {path.parent.relative_to(ROOT / "tests") for path in (ROOT / "tests").rglob("test_*.py")}
    stray = {folder for folder in folders if folder not in packages and folder.parts[0] not in ABOUT_NO_PACKAGE}
    assert stray == set()


@pytest.mark.slow
def test_nothing_is_imported_from_a_test_or_a_conftest() -> None:
    """What tests share is in tests/support/."""
    wrong = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tests"):
                modules = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
                wrong += [
                    (path.name, name) for name in modules if name.split(".")[-1].startswith(("test_", "conftest"))
                ]
    assert wrong == []
