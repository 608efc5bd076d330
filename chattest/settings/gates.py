"""Reads gates from a file: a TOML list, or YAML by families of tests.

[[gate]]                                  behavioral_tests:
pattern = "invariance.*"                    invariance:
min_pass_rate = 0.9                           typo_introduction:
blocking = true                                 min_pass_rate: 0.9
                                                blocking: true
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from chattest.errors import InputError, Problem, suggest
from chattest.files.reading import LARGEST_WRITTEN, read_text
from chattest.files.schema_errors import list_problems
from chattest.files.toml import find_toml_line, parse_toml
from chattest.settings.declaration import GateSetting

FAMILIES = {"directionality": "directional", "minimum_functionality": "mft"}
"""Name of a family in a YAML file -> ours; others are the same."""

TESTS = {
    "invariance.typo_introduction": "invariance.letter_typo",
    "invariance.case_change": "invariance.*case",
    "invariance.fairness_gender": "bias.gender*",
    "invariance.fairness_race": "bias.ethnicity*",
}
"""`family.test` of a YAML file -> the pattern of our checks that test it; others are their own pattern."""


MOST_NODES = 100_000
"""Most values of a YAML file, those that an alias repeats counted each time."""


def read_gates(path: Path) -> tuple[GateSetting, ...]:
    """Read the gates of a `.toml`, `.yaml` or `.yml` file.

    Raises:
        InputError: With everything that is wrong with the file.
    """
    if path.suffix not in (".toml", ".yaml", ".yml"):
        raise InputError([Problem(str(path), "is no file of gates", "Its name must end in .toml, .yaml or .yml.")])
    text = read_text(path, LARGEST_WRITTEN)
    problems: list[Problem] = []
    gates: list[GateSetting] = []
    for number, (place, values) in enumerate(_read_entries(path, text, problems)):
        try:
            gates.append(GateSetting.model_validate(values))
        except ValidationError as error:
            for wrong in list_problems(error, values):
                line = find_toml_line(text, ("gate", number, *wrong.place)) if path.suffix == ".toml" else None
                remedy = suggest(str(wrong.place[-1]), GateSetting.model_fields) if wrong.unknown else ""
                problems.append(Problem(f"{path}:{line}" if line else str(path), f"{place}: {wrong}", remedy))
    if not gates and not problems:
        problems.append(Problem(str(path), "there are no gates in it"))
    if problems:
        raise InputError(problems)
    return tuple(gates)


def _read_entries(path: Path, text: str, problems: list[Problem]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and the values of each gate in a file, and note what is wrong as problems."""
    if path.suffix == ".toml":
        try:
            content = parse_toml(text)
        except ValueError as error:
            problems.append(Problem(str(path), f"is not TOML: {error}"))
            return
        gates = content.get("gate")
        if set(content) != {"gate"} or not isinstance(gates, list):
            problems.append(Problem(str(path), "holds something other than gates", "Write [[gate]] above each."))
            return
        for number, values in enumerate(gates, start=1):
            yield f"gate {number}", values
        return
    import yaml

    try:
        what = find_yaml_fault(yaml.compose(text, yaml.SafeLoader))
        content = {} if what else yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # a date that is none, brackets without end
        problems.append(Problem(str(path), f"is not YAML: {' '.join(str(error).split())}"))
        return
    if what:
        problems.append(Problem(str(path), what, "Keep one of the two." if "twice" in what else ""))
        return
    families = content.get("behavioral_tests") if isinstance(content, dict) else None
    if not isinstance(families, dict):
        problems.append(
            Problem(str(path), "has no behavioral_tests", "It holds families of tests, and these hold the tests.")
        )
        return
    for family, tests in families.items():
        if not isinstance(tests, dict) or not all(isinstance(values, dict) for values in tests.values()):
            problems.append(Problem(str(path), f"{family}: is no family of tests with their gates"))
            continue
        for test, values in tests.items():
            pattern = TESTS.get(f"{family}.{test}", f"{FAMILIES.get(family, family)}.{test}")
            yield f"{family}.{test}", {"pattern": pattern, **values}


def find_yaml_fault(root: Any) -> str:
    """Return why a composed YAML document is refused: a repeated key, or aliases that multiply.

    PyYAML takes the last of two equal keys silently, so that a gate would be lost. Nine aliases of nine aliases, nine
    deep, make a billion values.

    Args:
        root: The node of the document; `None` for an empty one.
    """
    sizes: dict[int, int] = {}

    def size(node: Any) -> int:
        if id(node) in sizes:
            return sizes[id(node)]
        sizes[id(node)] = MOST_NODES + 1  # a node within itself has no end
        pairs = node.value if isinstance(node.value, list) else []
        inner = [part for pair in pairs for part in (pair if isinstance(pair, tuple) else (pair,))]
        sizes[id(node)] = 1 + sum(map(size, inner))
        return sizes[id(node)]

    if root is not None and size(root) > MOST_NODES:
        return f"has more than {MOST_NODES:,} values, those of its aliases counted"
    return next(_find_repeated_keys(root), "") if root is not None else ""


def _find_repeated_keys(node: Any) -> Iterator[str]:
    """Yield a message for every key that a mapping has twice, with both lines."""
    lines: dict[str, int] = {}
    for part in node.value if isinstance(node.value, list) else ():
        key, value = part if isinstance(part, tuple) else (None, part)
        if key is not None and isinstance(key.value, str):
            line = key.start_mark.line + 1
            if key.value != "<<" and key.value in lines:
                yield f'the key "{key.value}" is there twice, in lines {lines[key.value]} and {line}'
            lines[key.value] = line
        yield from _find_repeated_keys(value)
