"""The settings as fields of a form and as lines of config.py: what each takes, and how a value is written."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from chattest.files.toml import write_toml
from chattest.settings.declaration import Scope, Settings, iter_settings


class Kind(StrEnum):
    """What a field takes."""

    CHOICE = "choice"
    """One of a few words, `true` and `false` among them."""
    NUMBER = "number"
    TEXT = "text"
    """A text without quotes around it."""
    VALUE = "value"
    """A list or a table, as TOML."""


@dataclass(frozen=True, slots=True)
class Field:
    """A setting as a field."""

    name: str
    section: str
    scope: Scope
    meaning: str
    kind: Kind
    choices: tuple[str, ...]
    """The words of a choice."""
    default: str
    """The text of the field by default."""
    nullable: bool
    """Whether `None` is allowed."""

    def written(self, value: Any) -> str:
        """Return the text of the field for a value of the kinds that JSON has."""
        if value is None or self.kind is not Kind.TEXT or not isinstance(value, str):
            return str(value) if self.kind is Kind.CHOICE and isinstance(value, str) else write_toml(value)
        return value

    def override(self, text: str) -> str:
        """Return what `--set` takes for a text of the field."""
        if self.kind is Kind.TEXT and not (self.nullable and text == "None"):
            return f"{self.name}={write_toml(text)}"
        return f"{self.name}={text.strip()}"


def list_fields() -> list[Field]:
    """Return every setting as a field, in the order of the sections."""
    defaults = Settings.model_construct().model_dump(mode="json")
    every = [_make_field(name, section, scope, defaults[name]) for name, section, scope in iter_settings()]
    return sorted(every, key=lambda field: Settings.sections.index(field.section))


def write_fields(settings: Settings) -> dict[str, str]:
    """Return the text of the field of each setting."""
    values = settings.model_dump(mode="json")
    return {field.name: field.written(values[field.name]) for field in list_fields()}


def make_config_lines(settings: Settings, names: Sequence[str]) -> str:
    """Return the lines of config.py that give these settings their values."""
    values = dump_values(settings)
    return "".join(f"{name} = {format_python(values[name])}\n" for name in names)


def dump_values(settings: Settings) -> dict[str, Any]:
    """Return the value of each setting as config.py states it: texts, numbers, lists and tables.

    What an entry leaves to its default is left out, as in a gate or a file of questions.
    """
    plain = settings.model_dump(mode="json")
    return {name: _dump_value(getattr(settings, name), plain[name]) for name in plain}


def _dump_value(value: Any, plain: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_defaults=True)
    return list(map(_dump_value, value, plain)) if isinstance(value, list) else plain


_ENDLESS = 10**9
"""Width of a line that is never broken."""


def format_python(value: Any, indent: str = "", width: int = 116) -> str:
    """Return a text, number, list or table as Python, with double quotes.

    What is longer than `width` is broken into lines, and so is a list of several tables.
    """
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if not isinstance(value, Mapping | list | tuple):
        return repr(value)
    opening, closing = "{}" if isinstance(value, Mapping) else "[]"
    inner = f"{indent}    "

    def parts(limit: int) -> list[str]:
        if isinstance(value, Mapping):
            return [f"{format_python(key)}: {format_python(entry, inner, limit)}" for key, entry in value.items()]
        return [format_python(entry, inner, limit) for entry in value]

    whole = f"{opening}{', '.join(parts(_ENDLESS))}{closing}"
    tables = isinstance(value, list | tuple) and len(value) > 1 and isinstance(value[0], Mapping)
    if (len(indent) + len(whole) <= width and not (tables and width < _ENDLESS)) or not value:
        return whole
    lines = "".join(f"{inner}{part},\n" for part in parts(width))
    return f"{opening}\n{lines}{indent}{closing}"


def make_command_line(program: str, overrides: Sequence[str], config: str = "") -> str:
    """Return the command that runs with these settings, for a shell.

    Args:
        program: How the user calls chattest.
        overrides: Settings, each as `name=value`.
        config: The settings file, if it is not the project's.
    """
    options = (["--config", config] if config else []) + [part for each in overrides for part in ("--set", each)]
    return " ".join([program, *map(shlex.quote, options)])


def find_changed_fields(before: Mapping[str, str], given: Mapping[str, str]) -> Iterator[tuple[Field, str]]:
    """Yield the fields whose text has changed, with the new text.

    Args:
        before: Field -> text.
        given: Field -> new text; other fields are as before.
    """
    for field in list_fields():
        text = given.get(field.name, before[field.name]).replace("\r\n", "\n")
        if text.strip() != before[field.name].strip():
            yield field, text


def _make_field(name: str, section: str, scope: Scope, default: Any) -> Field:
    declaration = Settings.model_fields[name]
    kinds = [_strip_checks(part) for part in _split_union(declaration.annotation)]
    nullable = NoneType in kinds
    kinds = [kind for kind in kinds if kind is not NoneType]
    words = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    kind = Kind.VALUE
    if kinds == [bool]:
        kind, words = Kind.CHOICE, ["true", "false"]
    elif words and len(kinds) == 1:
        kind = Kind.CHOICE
    elif kinds and all(each in (int, float) for each in kinds):
        kind = Kind.NUMBER
    elif kinds == [str]:
        kind = Kind.TEXT
    choices = (*map(str, words), *(["None"] if nullable else [])) if kind is Kind.CHOICE else ()
    blank = Field(name, section, scope, declaration.description or "", kind, choices, "", nullable)
    return Field(name, section, scope, blank.meaning, kind, choices, blank.written(default), nullable)


def _split_union(annotation: Any) -> tuple[Any, ...]:
    """Return the choices of a union type, or the type alone."""
    return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)


def _strip_checks(annotation: Any) -> Any:
    """Return a type without the checks that `Annotated` adds."""
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
