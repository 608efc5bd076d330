"""Fixtures that many tests share, and a last line that names what `-m "not slow"` left out."""

import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from multiprocessing.util import get_temp_dir
from pathlib import Path
from typing import Any

import pytest

from chattest.datasets.testsets import read_testsets
from chattest.records.plan import TestSet
from tests.support.calibrations import calibrate
from tests.support.http_server import server  # noqa: F401 - a fixture for all tests
from tests.support.paths import ROOT, TESTSETS
from tests.support.stand_ins import StandIns
from tests.support.surroundings import clean_environment, judge_at_the_end, restore_signals

clean_environment()
restore_signals()
judge_at_the_end()
TESTS = Path(__file__).parent
# The tests use all cores by themselves: threads of each would only wait for one another. Read when torch is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

LEFT_OUT = pytest.StashKey[Counter[str]]()
"""How many slow tests of each folder this process left out."""

FIRST = ("dialogue/test_ray_executor.py", "docs/test_snippets.py", "faults/test_soak.py", "web/test_every_page.py")
"""The files with the longest single tests: one that began last would keep one worker busy after all others."""

REPORTER: list[pytest.TerminalReporter] = []
"""What prints, where failures are to be named at once."""


@pytest.fixture(scope="session", autouse=True)
def _temporary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Have everything temporary lie in pytest's folder, which is deleted after the tests.

    A process that is killed leaves its temporary folders, and a run of the library that fails keeps what was said.
    """
    get_temp_dir()  # that of multiprocessing is made now and not in there, as it deletes it by itself at the very end
    before, folder = tempfile.gettempdir(), str(tmp_path_factory.mktemp("t"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_TMPDIR", before)  # the path of a socket has 107 characters at most, and Ray adds 70
        patch.setenv("TMPDIR", folder)
        patch.setattr(tempfile, "tempdir", folder)
        yield


@pytest.fixture
def judges() -> StandIns:
    """Models that load nothing; see `StandIns`."""
    return StandIns()


@pytest.fixture
def uncalibrated(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The scores of models as they are, without the calibrations that ship."""
    calibrate(monkeypatch, tmp_path_factory.mktemp("calibrations"))


@pytest.fixture(scope="session")
def testsets() -> dict[str, list[TestSet]]:
    """The test sets that ship."""
    return read_testsets(TESTSETS)


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return ROOT


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests."""
    items.sort(key=lambda item: item.path.relative_to(TESTS).as_posix() not in FIRST)


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Count the slow tests that `-m "not slow"` deselected."""
    for item in items:
        if item.config.option.markexpr == "not slow" and item.get_closest_marker("slow"):
            folder = item.path.relative_to(TESTS).parts[0].removesuffix(".py").removeprefix("test_")
            item.config.stash.setdefault(LEFT_OUT, Counter())[folder] += 1


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand the count of a worker of pytest-xdist to the process that prints the summary."""
    output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left_out"] = dict(session.config.stash.get(LEFT_OUT, {}))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the count from a worker: each collects all tests, so each has the whole count."""
    if left_out := getattr(node, "workeroutput", {}).get("left_out"):
        node.config.stash[LEFT_OUT] = Counter(left_out)


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Name what fails at once: a run that is stopped from outside prints no summary."""
    if report.failed and REPORTER:
        REPORTER[0].write_line(f"\nFAILED {report.nodeid} ({report.when}): {report.longreprtext[-500:]}")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Keep what prints, in the process that does."""
    if not hasattr(config, "workerinput") and config.pluginmanager.hasplugin("xdist"):
        REPORTER[:] = [found] if (found := config.pluginmanager.get_plugin("terminalreporter")) else []


def pytest_unconfigure(config: pytest.Config) -> None:
    """Name in the very last line what was left out, and how to run it."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    left_out = config.stash.get(LEFT_OUT, Counter[str]())
    if left_out and reporter and not hasattr(config, "workerinput"):
        folders = ", ".join(f"{folder} {count}" for folder, count in left_out.most_common())
        reporter.write_line(f"Left out {left_out.total()} slow tests ({folders}); `make test-rest` runs them.")
