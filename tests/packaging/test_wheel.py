"""A wheel, built and installed in an environment of its own, used in a folder outside the repository."""

import os
import shutil
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


report = chattest.run(echo, cases=["ML-P1"], driver="eliza", conversations=1, rounds=4)
print(chattest.__file__, report.rates().loc["ML-P1", "passed"])
"""
ECHO = '''
from chattest import Chatter


class MyBot(Chatter):
    """Says what it heard, in small letters."""

    def get_response(self, conv_array):
        return conv_array[-1].casefold()
'''
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

    def ran(
        program: str, *arguments: str, folder: Path = tmp_path, code: int = 0
    ) -> "subprocess.CompletedProcess[str]":
        variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [str(environment / "bin" / program), *arguments]
        done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=500)
        assert done.returncode == code, done.stdout + done.stderr
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
        target.writestr("training/__init__.py", "")
    checked = subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "wheel_content.py"), str(lacking)], capture_output=True, text=True
    )
    assert checked.returncode == 1
    assert "chattest/shipped/chatters/eliza.py is missing" in checked.stderr
    assert "training/__init__.py should not be there" in checked.stderr


def test_a_new_project_runs_and_its_tests_pass(run: Run, tmp_path: Path) -> None:
    assert "cd demo && chattest " in run("chattest", "init", "demo").stdout
    demo = tmp_path / "demo"
    run("chattest", "--set", "max_runs=1", folder=demo)
    assert (demo / "reports" / "first-run" / "report.html").stat().st_size > 0
    assert "my_bot: " in run("chattest", "list", "chatters", folder=demo).stdout
    tested = run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", folder=demo)
    assert "2 passed" in tested.stdout


def test_exported_tests_need_only_the_installed_package(run: Run, environment: Path, tmp_path: Path) -> None:
    settings = ["--set", 'chatters=["eliza", "alice"]', "--set", "check_questions=2"]
    checks = ["invariance.uppercase", "mft.yes_no", "fairness.gender.exact_match"]
    made = tmp_path / "made"
    made.mkdir()
    run("chattest", *settings, "export-pytest", "test_alice.py", *checks, folder=made)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("test_alice.py", "test_alice.jsonl"):
        shutil.move(made / name, elsewhere / name)
    shutil.rmtree(made)
    (elsewhere / "conftest.py").write_text("import chattest\n\nprint('package:', chattest.__file__)\n")
    pytest_here = ["-m", "pytest", "-q", "-s", "-p", "no:cacheprovider"]

    listed = run("python", *pytest_here, "--collect-only", folder=elsewhere).stdout.splitlines()
    (package,) = [line.removeprefix("package: ") for line in listed if line.startswith("package: ")]
    assert Path(package).is_relative_to(environment)
    assert [line for line in listed if "::" in line] == [
        *(f"test_alice.py::test_input[invariance.uppercase/{number}]" for number in (1, 2)),
        *(f"test_alice.py::test_input[mft.yes_no/{number}]" for number in range(1, 9)),
        *(f"test_alice.py::test_rate[{check}]" for check in checks),
    ]

    tested = run("python", *pytest_here, folder=elsewhere, code=1).stdout
    failed = [line.split()[1] for line in tested.splitlines() if line.startswith("FAILED ")]
    assert not [name for name in failed if "uppercase" in name], "A.L.I.C.E. does not mind capitals"
    assert len([name for name in failed if "test_input[mft.yes_no" in name]) >= 5, "nor does it understand yes and no"
    assert {"test_alice.py::test_rate[mft.yes_no]", f"test_alice.py::test_rate[{checks[-1]}]"} <= set(failed)


def test_exported_tests_find_a_bot_of_the_project(run: Run, tmp_path: Path) -> None:
    run("chattest", "init", "demo")
    demo = tmp_path / "demo"
    (demo / "chatters" / "my_bot.py").write_text(ECHO)
    exported = [
        "--set",
        'check_compare_by="direct"',
        "--set",
        "check_questions=2",
        "export-pytest",
        "tests/test_checks.py",
    ]
    run("chattest", *exported, "invariance.uppercase", "invariance.emoji", folder=demo)
    tested = run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_checks.py", code=1, folder=demo)
    failed = [line.split()[1] for line in tested.stdout.splitlines() if line.startswith("FAILED ")]
    assert [name for name in failed if "uppercase" in name] == []
    assert [name.partition("::")[2] for name in failed if "emoji" in name][:1] == ["test_input[invariance.emoji/1]"]


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
