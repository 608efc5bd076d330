"""Read `config.py` and `--set` into checked `Settings`, and find every problem before anything else happens."""

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from traceback import extract_tb
from types import ModuleType, UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import ValidationError

from chattest.errors import InputError, Problem, suggest
from chattest.files.reading import LARGEST_WRITTEN, read_text
from chattest.files.schema_errors import list_problems
from chattest.files.toml import parse_toml
from chattest.settings.codes import list_flat_names, normalize_code, parse_flat_name
from chattest.settings.declaration import Settings


def _find_entry_type(annotation: Any) -> Any:
    """Return the type of a dictionary's values, also if a dictionary is one of several choices; else `None`."""
    if get_origin(annotation) is dict:
        return get_args(annotation)[1]
    choices = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else ()
    return next((entry for entry in map(_find_entry_type, choices) if entry is not None), None)


_ENTRIES = {name: _find_entry_type(field.annotation) for name, field in Settings.model_fields.items()}
_DICTIONARIES = {name for name, entry in _ENTRIES.items() if entry is not None}
"""The settings that have entries."""
_NESTED = {name for name in _DICTIONARIES if _find_entry_type(_ENTRIES[name]) is not None}
"""The settings whose entries have entries."""

_SPELT = {"true": "True", "false": "False", "none": "None", "null": "None"}
"""How other languages spell what Python knows by another name."""

MOST_BITS = 10_000
"""Bits of the largest whole number; Python refuses to write one of more than 4,300 digits."""
DEEPEST = 50
"""Most lists and tables within one another."""

Values = dict[str, Any]
_EXAMPLES = {
    "": 'Examples: 3, true, "text", ["a", "b"], {name = "text", other = 3}',
    "p": "Example: --set p.ML-U3=0.2",
    "is_analyze": "Example: --set is_analyze.ML-I2=false",
    "maxsets": "Example: --set maxsets.ML-I1=3",
    "maxlength": "Example: --set maxlength.ML-I1=10",
    "perturbation": "Example: --set 'perturbation.ML-U3=\"ocr_typo\"'",
    "models": "Examples: --set 'models=\"reference\"', --set 'models.reader=\"reference\"'",
    "chatter_options": (
        "Example: 'chatter_options={http = {url = \"http://localhost:8000\"}}', or one option alone: "
        "'chatter_options.http.url=\"http://localhost:8000\"'"
    ),
}
"""Setting -> what a value of it looks like in TOML."""

Layer = dict[str | tuple[str, ...], Any]
"""Setting -> value; (dictionary setting, key) -> value of that entry; one more key for an entry of an entry."""


def read_settings(path: Path | None, overrides: Sequence[str] = ()) -> Settings:
    """Read the settings of a config file and of `--set`; see `read_with_places`."""
    return read_with_places(path, overrides)[0]


def read_with_places(
    path: Path | None,
    overrides: Sequence[str] = (),
    more_problems: Callable[[Values, dict[str, str]], list[Problem]] | None = None,
) -> tuple[Settings, dict[str, str]]:
    """Read the settings of a config file and of `--set`, and the place where each was given.

    Args:
        path: A Python file of plain assignments; `None` for the defaults alone. It is run: it is the user's own code.
        overrides: `name=value`, `name.key=value` or `chatter_options.NAME.option=value`, with a TOML value. A bare word
            counts as a text.
        more_problems: Returns further problems, so that the user sees all at once. It gets the values as they were
            read, and the place of each, and is called only if the settings are refused anyway.

    Raises:
        InputError: With every problem: unknown names, wrong values, flat names that disagree with dictionary entries.
    """
    problems: list[Problem] = []
    layers = (_run_config(path), _parse_overrides(overrides, problems))
    return _merge_layers(layers, problems, more_problems)


def read_values(values: Values) -> Settings:
    """Read settings that a caller gives by name, flat and dotted names included.

    Raises:
        InputError: With every problem, as for `read_with_places`.
    """
    return _merge_layers(((values, {name: name for name in values}),), [])[0]


def _merge_layers(
    layers: Iterable[tuple[Values, dict[str, str]]],
    problems: list[Problem],
    more_problems: Callable[[Values, dict[str, str]], list[Problem]] | None = None,
) -> tuple[Settings, dict[str, str]]:
    """Return the settings that several layers make, and the place of each that was given; later layers win."""
    places: dict[str, str] = {}
    merged: Layer = {}
    for values, found_at in layers:
        for name, value in _read_layer(values, found_at, problems, places).items():
            if isinstance(name, tuple):
                family, key, *inner = name
                entries = _dictionary(merged.get(family))
                others = {other: kept for other, kept in entries.items() if normalize_code(other) != key}
                merged[family] = {**others, key: {**_dictionary(entries.get(key)), inner[0]: value} if inner else value}
            else:
                merged[name] = value
    settings = _validate(merged, places, problems)
    if problems or settings is None:
        named = {name: value for name, value in merged.items() if isinstance(name, str)}
        raise InputError([*problems, *(more_problems(named, places) if more_problems is not None else ())])
    return settings, places


def _run_config(path: Path | None) -> tuple[Values, dict[str, str]]:
    """Run a config file, and return its public names with their places."""
    if path is None:
        return {}, {}
    source = read_text(path, LARGEST_WRITTEN)
    space: dict[str, Any] = {"__file__": str(path), "__name__": "config"}
    try:
        tree = ast.parse(source, filename=str(path))
        exec(compile(tree, str(path), "exec"), space)  # the user's own file is code by design
    except SyntaxError as error:
        raise InputError([Problem(f"{path}:{error.lineno}", f"is not Python: {error.msg}")]) from error
    except (Exception, SystemExit) as error:
        frames = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(path)]
        place = f"{path}:{frames[-1]}" if frames else str(path)
        name = error.name if isinstance(error, NameError) else None
        remedy = f"Write {_SPELT[name]}." if name in _SPELT else ""
        raise InputError([Problem(place, f"failed to run: {type(error).__name__}: {error}", remedy)]) from error
    lines: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            lines[node.id] = f"{path.name}:{node.lineno}"
    values = {
        name: value
        for name, value in space.items()
        if not name.startswith("_") and not isinstance(value, ModuleType) and not callable(value)
    }
    return values, {name: lines.get(name, path.name) for name in values}


def _parse_overrides(overrides: Sequence[str], problems: list[Problem]) -> tuple[Values, dict[str, str]]:
    values: Values = {}
    places: dict[str, str] = {}
    for override in overrides:
        name, sign, text = override.partition("=")
        name = name.strip()
        # What is given to a chatter may be a key, which no error may show.
        place = f"--set {name}" if name.startswith("chatter_options") else f"--set {override}"
        if not sign or not name:
            problems.append(Problem(place, "is not name=value", "Example: --set max_runs=2"))
            continue
        try:
            value = parse_toml(f"value = {text}")["value"]
        except ValueError:
            if not text or any(sign in text for sign in "[]{}\"'\n"):
                problems.append(Problem(place, "the value is not TOML", _EXAMPLES.get(name, _EXAMPLES[""])))
                continue
            value = None if text == "None" else text  # TOML has no word for it
        values[name] = value
        places[name] = place
    return values, places


def _read_layer(values: Values, places: dict[str, str], problems: list[Problem], all_places: dict[str, str]) -> Layer:
    """Turn flat and dotted names of a layer into dictionary entries, and note those that disagree as problems."""

    def enter(family: str, key: str, name: str, value: Any) -> None:
        former, kept = entries.setdefault((family, key), (name, value))
        if kept != value:
            what = f"{name} is {value!r}, but {former} is {kept!r} ({places[former]})"
            problems.append(Problem(places[name], what, "They are the same setting; keep one of the two."))

    layer: Layer = {}
    entries: dict[tuple[str, str], tuple[str, Any]] = {}
    for name, value in values.items():
        family, _, key = name.partition(".")
        if what := find_unwritable(value):
            problems.append(Problem(places[name], f"{name} {what}"))
        elif entry := parse_flat_name(name):
            enter(*entry, name, value)
        elif family in _NESTED and "." in key:
            # The last dot parts them: a chatter's name may hold dots ("package.module:Class").
            outer, _, inner = key.rpartition(".")
            layer[family, outer, inner] = value
            all_places[f"{family}.{outer}"] = all_places[family] = places[name]
        elif key and family in _DICTIONARIES:
            enter(family, normalize_code(key), name, value)
        elif name in Settings.model_fields:
            layer[name] = value
            all_places |= {f"{name}.{normalize_code(key)}": places[name] for key in _dictionary(value)}
            all_places[name] = places[name]
        else:
            remedy = suggest(name, [*Settings.model_fields, *list_flat_names()])
            problems.append(Problem(places[name], f'there is no setting "{name}"', remedy))
    for (family, key), (name, value) in entries.items():
        all_places[f"{family}.{key}"] = places[name]
        if family not in all_places or places[name].startswith("--set"):  # what came last made it wrong as a whole
            all_places[family] = places[name]
        named = layer.get(family)
        if named is None:
            layer[family, key] = value
        elif isinstance(named, dict) and key in named and named[key] != value:
            problems.append(
                Problem(
                    places[name],
                    f"{name} is {value!r}, but {family} has {named[key]!r} for {key} ({all_places[family]})",
                    "Keep one of the two.",
                )
            )
        elif isinstance(named, dict):
            layer[family] = {**named, key: value}
    return layer


def _dictionary(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, dict) else {}


def _validate(merged: Layer, places: dict[str, str], problems: list[Problem]) -> Settings | None:
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        given = {
            name: {normalize_code(key): entry for key, entry in value.items()} if isinstance(value, dict) else value
            for name, value in merged.items()
        }
        defaults = {name: field.get_default(call_default_factory=True) for name, field in Settings.model_fields.items()}
        for wrong in list_problems(error, defaults | given):  # what is given may be wrong only together with a default
            location = [str(part) for part in wrong.place]
            name, key = location[0], ".".join(location[:2])
            place = places.get(key) or places.get(name) or "default"
            field = Settings.model_fields.get(name)
            meaning = f"{name}: {field.description}" if field is not None else ""
            what = str(wrong) if place.startswith("--set") else str(wrong).replace("true or false", "True or False")
            problems.append(Problem(place, what, meaning))
        return None


def find_unwritable(value: Any, depth: int = 0) -> str:
    """Return what in a value cannot be written, as words that follow the setting's name; empty if all can."""
    if isinstance(value, str):
        return _find_unwritable_text(value)
    if isinstance(value, int):
        return "holds a number of thousands of digits" if value.bit_length() > MOST_BITS else ""
    if not isinstance(value, Mapping | list | tuple | set | frozenset):
        return ""
    if depth == DEEPEST:
        return f"has more than {DEEPEST} lists or tables within one another"
    inside = chain(value, value.values()) if isinstance(value, Mapping) else value
    return next((what for inner in inside if (what := find_unwritable(inner, depth + 1))), "")


def _find_unwritable_text(text: str) -> str:
    if "\0" in text:
        return "holds a NUL character"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "holds half a character"
    return ""
