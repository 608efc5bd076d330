"""What the wheel depends on: a range for every pinned package."""

import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.support.stand_ins import ROOT


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    """hatch_build.py, which hatchling loads by its path."""
    spec = spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def config() -> dict[str, Any]:
    """What pyproject.toml gives the hook."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    hook: dict[str, Any] = table["tool"]["hatch"]["metadata"]["hooks"]["custom"]
    return hook


@pytest.fixture(scope="module")
def metadata(hook: ModuleType, config: dict[str, Any]) -> dict[str, Any]:
    """The part of the wheel's metadata that the hook makes."""
    made: dict[str, Any] = {}
    hook.RequirementsHook(str(ROOT), config).update(made)
    return made


def pinned(path: Path) -> dict[str, str]:
    """Name -> version of a requirements file's own lines."""
    lines = (line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return dict(line.split("==") for line in lines if line and not line.startswith("-r"))


@pytest.mark.parametrize(
    ("pin", "wanted"),
    [
        ("pydantic==2.14.3", "pydantic>=2.14,<3"),
        ("httpx==0.28.1", "httpx>=0.28,<1"),
        ("regex==2026.11.15", "regex>=2026.11"),
        ("torch==2.13.0", "torch>=2.4,<3"),
        ("one==3", "one>=3.0,<4"),
        ("two==1.2.3+cpu", "two>=1.2,<2"),
        ("three==1.2 ; sys_platform == 'linux'", "three>=1.2,<2; sys_platform == 'linux'"),
    ],
)
def test_a_pin_becomes_a_range(hook: ModuleType, config: dict[str, Any], pin: str, wanted: str) -> None:
    assert hook.ranged(pin, config["ranges"]) == wanted
    assert str(Requirement(wanted))


@pytest.mark.parametrize("line", ["pydantic", "pydantic>=2", "--hash=sha256:00", "./folder"])
def test_what_is_no_pin_is_refused(hook: ModuleType, line: str) -> None:
    with pytest.raises(ValueError, match="is not name==version"):
        hook.ranged(line, {})


def test_every_range_admits_the_tested_version(metadata: dict[str, Any], config: dict[str, Any]) -> None:
    files = {"": "requirements.txt", **{extra: f"requirements-{extra}.txt" for extra in config["extras"]}}
    made = {"": metadata["dependencies"], **metadata["optional-dependencies"]}
    assert made.keys() == files.keys()
    for extra, name in files.items():
        ranges = {requirement.name: requirement for requirement in map(Requirement, made[extra])}
        pins = pinned(ROOT / name)
        assert pins.keys() <= ranges.keys()
        assert all(ranges[package].specifier.contains(version) for package, version in pins.items())
        assert not any(str(requirement.specifier).startswith("==") and requirement.name not in config["ranges"]
                       for requirement in ranges.values())  # fmt: skip


def test_an_extra_holds_what_its_file_refers_to(metadata: dict[str, Any]) -> None:
    extras = metadata["optional-dependencies"]
    assert {Requirement(line).name for line in extras["ray"]} == {"ray"}
    assert {Requirement(line).name for line in extras["dev"]} >= {"ray", "sacrebleu", "pytest", "hatchling"}
    assert {Requirement(line).name for line in extras["datasets"]} == {"datasets", "pyarrow"}


def test_every_exception_to_the_rule_is_a_requirement(metadata: dict[str, Any], config: dict[str, Any]) -> None:
    assert config["ranges"].keys() <= {Requirement(line).name for line in metadata["dependencies"]}
