"""A wheel, built and installed in an environment of its own, used in a folder outside the repository."""

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

from chattest import __version__
from tests.support.stand_ins import ROOT

pytestmark = pytest.mark.slow

SCRIPT = """
import chattest


def echo(history: list[str]) -> str:
    return history[-1]


report = chattest.run(echo, cases=["ML-P1"], conversations=1, rounds=4)
print(chattest.__file__, report.rates().loc["ML-P1", "passed"])
"""
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    built = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(built, check=True, timeout=300)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that has chattest from the wheel, and what it needs from the one that runs the tests."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    packages = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", str(folder)]
    subprocess.run([*pip, "install", "--no-deps", str(wheel)], check=True, timeout=300)
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def run(environment: Path, tmp_path: Path) -> Run:
    """`run("chattest", "init", "demo")`: a program of the environment, in a folder that holds nothing."""

    def ran(program: str, *arguments: str, folder: Path = tmp_path) -> "subprocess.CompletedProcess[str]":
        variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [str(environment / "bin" / program), *arguments]
        done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=500)
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    return ran


def test_it_holds_what_ships_and_nothing_else(wheel: Path) -> None:
    checked = subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "wheel_content.py"), str(wheel)], capture_output=True, text=True
    )
    assert (checked.returncode, checked.stderr) == (0, "")
    with ZipFile(wheel) as opened:
        metadata = opened.read(f"chattest-{__version__}.dist-info/METADATA").decode()
    assert f"Version: {__version__}\n" in metadata
    assert "License-Expression: MIT\n" in metadata
    assert "Requires-Dist: pydantic<3,>=2.14\n" in metadata


def test_a_wheel_that_lacks_something_is_refused(wheel: Path, tmp_path: Path) -> None:
    lacking = tmp_path / wheel.name
    with ZipFile(wheel) as source, ZipFile(lacking, "w") as target:
        for name in source.namelist():
            if name != "chattest/shipped/chatters/eliza.py":
                target.writestr(name, source.read(name))
        target.writestr("chattest/training/__init__.py", "")
    checked = subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "wheel_content.py"), str(lacking)], capture_output=True, text=True
    )
    assert checked.returncode == 1
    assert "chattest/shipped/chatters/eliza.py is missing" in checked.stderr
    assert "chattest/training/__init__.py should not be there" in checked.stderr


def test_a_new_project_runs_and_its_tests_pass(run: Run, tmp_path: Path) -> None:
    assert "cd demo && chattest " in run("chattest", "init", "demo").stdout
    demo = tmp_path / "demo"
    run("chattest", "--set", "max_runs=1", folder=demo)
    assert (demo / "reports" / "first-run" / "report.html").stat().st_size > 0
    assert "my_bot: " in run("chattest", "list", "chatters", folder=demo).stdout
    tested = run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", folder=demo)
    assert "2 passed" in tested.stdout


def test_the_library_works_where_there_is_no_project(run: Run, environment: Path, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(SCRIPT)
    place, passed = run("python", "own.py").stdout.split()[-2:]
    assert Path(place).is_relative_to(environment)
    assert passed == "4"
    assert [path.name for path in tmp_path.iterdir()] == ["own.py"]
    assert (
        "chattest.shipped.chatters.eliza"
        in run("python", "-c", "import chattest.shipped.chatters.eliza as eliza; print(eliza.__name__)").stdout
    )
