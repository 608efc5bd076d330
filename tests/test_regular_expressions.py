"""Every regular expression of ours takes time in proportion to the text, whatever the text.

Patterns are collected from the source: constants handed to `re` and `regex`, what modules have compiled when they are
imported, and what stands in tables, so that a new one is tried without being named here. Each is run over texts made to
send it back and forth: single characters, pairs and the pattern's own words, many times over, with an end that fits
nothing.

Every such text of 8 kB must take less than 8 ms, and the one that took longest less than 100 ms at 100 kB. It is CPU
time of this thread, not wall time, so that a busy machine does not matter. A slow machine may need more: then the time
at 100 kB must be less than 8 times that at 25 kB, where a linear pattern takes 4 times as long and a quadratic one 16
times. A pattern that is exponential is found at 24 characters.
"""

import ast
import importlib
import re
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import regex

from chattest.english import word_lists
from chattest.rules import answer_values, tables
from chattest.rules.values import numerals, sums
from tests.support.stand_ins import ROOT

PARTS = 12
"""The patterns are tried in so many tests, so that workers can share them and collecting tests imports nothing."""
SHORT = (16, 24, 500)
SCREENED = 8_000
LONG = 100_000
CALLS = {"compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}
UNITS = [
    *"aA1 \t\n.,;:?!-_'\"([{<>@/&$#*%=+|\\~`^",
    "é",
    "\u200d",
    "\U0001f642",
    "a ",
    " a",
    "a.",
    "a, ",
    "A. ",
    "1,",
    "1.",
    "\r\n",
    " \n",
    "a-",
    "a'",
    "ab",
    "aA",
    "?!",
    ". ",
    "({",
    "[a]",
    "{a}",
    "<a ",
    "a=",
    "no ",
    "not ",
    "is ",
    "the ",
    "very ",
]
ENDS = ("", "\x00")
REWRITINGS = ("contracted", "in_words", "in_digits")
AT_MOST = {"chattest.text.words._SENTENCE_START": 40, "chattest.text.edits._ARTICLE": 40}
"""Patterns that are only ever given so many characters: those before a word."""


def _flags(call: ast.Call) -> int:
    found = 0
    for node in ast.walk(call):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("re", "regex"):
            found |= int(getattr(re, node.attr, 0)) if node.attr.isupper() else 0
    return found


def _sources() -> list[Path]:
    own = (ROOT / "chattest").rglob("*.py")
    return sorted([*own, *(ROOT / "chatters").rglob("*.py")])


def _written(path: Path) -> Iterator[tuple[str, str, int]]:
    """Place, pattern and flags of every constant pattern of a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in CALLS:
            continue
        owner = node.func.value
        if isinstance(owner, ast.Name) and owner.id in ("re", "regex") and node.args:
            pattern = node.args[0]
            if isinstance(pattern, ast.Constant) and isinstance(pattern.value, str):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", pattern.value, _flags(node)


def _compiled() -> Iterator[tuple[str, Any]]:
    """Place and pattern of everything that modules hold compiled, in dictionaries and sequences too."""
    # By file: `chattest.shipped` has the whole project in its path, so that walking packages would never end.
    modules = sorted((ROOT / "chattest").rglob("*.py"))
    for name in [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in modules]:
        for key, value in vars(importlib.import_module(name)).items():
            inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
            for pattern in (value, *inner):
                if isinstance(pattern, re.Pattern | regex.Pattern):
                    yield f"{name}.{key}", pattern


def _in_tables() -> Iterator[tuple[str, Any]]:
    """Place and pattern of everything that the tables of the rules and of the alterations hold."""
    folder = ROOT / "chattest" / "rules"
    for path in sorted(folder.glob("*.toml")):
        held = set(re.findall(r"%(\w+)%", path.read_text(encoding="utf-8")))  # tried in the patterns that hold them
        for name, value in tables.read_table(path.stem).items() if path.stem != "words" else ():
            if name not in held and isinstance(value[0] if isinstance(value, list) else value, str):
                parts = [tables.pattern(path.stem, name)] if name != "frames" else map(re.compile, value)
                yield from ((f"{path.relative_to(ROOT)}:{name}", part) for part in parts)
    for old, _ in (rule for name in REWRITINGS for rule in answer_values._read_rules(name)):
        yield f"chattest/rules/answer_values.toml:{old.pattern[:20]}", old
    for old in (sums._unfinished(), *(old for old, _ in numerals._read_moved_units())):
        yield f"chattest/rules/values/values.toml:{old.pattern[:20]}", old
    for section, rows in word_lists.read_table("patterns").items():
        for name in rows:
            yield f"chattest/english/patterns.toml:{section}.{name}", word_lists.pattern(section, name)


@cache
def patterns() -> dict[str, Any]:
    """Place -> compiled pattern, each pattern once. To find them, every module is imported."""
    found: dict[tuple[str | bytes, int], tuple[str, Any]] = {}
    for place, pattern in (*_compiled(), *_in_tables()):
        found.setdefault((pattern.pattern, pattern.flags), (place, pattern))
    for path in _sources():
        for place, text, flags in _written(path):
            made: Any
            try:
                made = re.compile(text, flags)
            except re.error:  # what only `regex` knows
                made = regex.compile(text, flags)
            found.setdefault((made.pattern, made.flags), (place, made))
    return dict(found.values())


def literals(pattern: str | bytes) -> list[str]:
    """Words and marks that stand in a pattern, which get an attack past its beginning."""
    pattern = pattern.decode() if isinstance(pattern, bytes) else pattern
    return (
        sorted(set(re.findall(r"[A-Za-z']{2,}", pattern)), key=len)[-6:]
        + re.findall(r"\\([.?!()\[\]{}$|])", pattern)[:4]
    )


def seconds(pattern: Any, text: str) -> float:
    """CPU time of looking for the pattern everywhere in a text, and in the whole of it."""
    given = text.encode() if isinstance(pattern.pattern, bytes) else text
    began = time.thread_time()
    for _ in pattern.finditer(given):
        pass
    pattern.fullmatch(given)
    return time.thread_time() - began


def attack(unit: str, end: str, size: int) -> str:
    return unit * (size // len(unit)) + end


def problem(place: str, pattern: Any) -> str:
    """What is wrong with the time that a pattern takes, or nothing."""
    most = AT_MOST.get(place, LONG)
    words = literals(pattern.pattern)
    worst, attacked = 0.0, ("a", "")
    for unit in [*UNITS, *words, *(f"{word} " for word in words)]:
        for end in ENDS:
            for size in SHORT:
                if seconds(pattern, attack(unit, end, min(size, most))) >= 0.1:
                    return f"{place}: {size} characters of {unit!r}, {end!r}"
            took = seconds(pattern, attack(unit, end, min(SCREENED, most)))
            if took >= 2:
                return f"{place}: {took:.2f} s for {SCREENED:,} characters of {unit!r}, {end!r}"
            if took > worst:
                worst, attacked = took, (unit, end)
    text, quarter = attack(*attacked, most), attack(*attacked, most // 4)
    if worst < 0.1 * SCREENED / LONG and seconds(pattern, text) < 0.1:
        return ""
    least = min(seconds(pattern, quarter) for _ in range(3))
    if least >= 2:
        return f"{place}: {least:.2f} s for 25 kB of {attacked}"
    whole = min(seconds(pattern, text) for _ in range(3))
    return "" if whole < 0.1 or whole < 8 * least else f"{place}: {whole:.2f} s for 100 kB of {attacked}"


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_pattern_takes_time_in_proportion_to_the_text(part: int) -> None:
    tried = sorted(patterns().items())[part::PARTS]
    assert [found for place, pattern in tried if (found := problem(place, pattern))] == []


@pytest.mark.slow
def test_patterns_are_found() -> None:
    assert len(patterns()) > 80
    assert any(place.startswith("chattest.text.words") for place in patterns())
    assert any(place.startswith("chatters/") for place in patterns())
    assert any(place.startswith("chattest/rules/mentions.toml") for place in patterns())
    assert any(place.startswith("chattest/english/patterns.toml") for place in patterns())


@pytest.mark.slow
def test_a_bad_pattern_is_noticed() -> None:
    slow = re.compile(r"\s+\s+$")  # cubic: 64 times as long for four times the text, far from the 8 that are allowed
    quarter = min(seconds(slow, attack(" ", "\x00", 200)) for _ in range(3))
    assert min(seconds(slow, attack(" ", "\x00", 800)) for _ in range(3)) > 8 * quarter
