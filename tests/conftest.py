"""What tests of the core share, and a last line that names what `-m "not slow"` left out."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from chattest.datasets.testsets import read_testsets
from chattest.records.plan import TestSet
from tests.support.calibrations import calibrate
from tests.support.http_server import server  # noqa: F401 - a fixture for all tests
from tests.support.paths import ROOT, TESTSETS
from tests.support.stand_ins import StandIns
from tests.support.surroundings import clean_environment

clean_environment()
# The tests use all cores by themselves: threads of each would only wait for one another. Read when torch is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

LEFT_OUT = pytest.StashKey[int]()
"""How many slow tests this process left out."""

REPORTER: list[pytest.TerminalReporter] = []
"""What prints, where failures are to be named at once."""


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


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Counts the slow tests among those that were deselected."""
    for item in items:
        if item.get_closest_marker("slow"):
            item.config.stash[LEFT_OUT] = item.config.stash.get(LEFT_OUT, 0) + 1


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of pytest-xdist hands its count to the process that prints the summary."""
    output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left_out"] = session.config.stash.get(LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Every worker collects all tests, so each of them has the whole count."""
    left_out = getattr(node, "workeroutput", {}).get("left_out", 0)
    node.config.stash[LEFT_OUT] = max(node.config.stash.get(LEFT_OUT, 0), left_out)


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Names what fails at once: a run that is stopped from outside prints no summary."""
    if report.failed and REPORTER:
        REPORTER[0].write_line(f"\nFAILED {report.nodeid} ({report.when}): {report.longreprtext[-500:]}")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Keeps what prints, in the process that does."""
    if not hasattr(config, "workerinput") and config.pluginmanager.hasplugin("xdist"):
        REPORTER[:] = [found] if (found := config.pluginmanager.get_plugin("terminalreporter")) else []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Says what was left out, and how to run it."""
    if left_out := config.stash.get(LEFT_OUT, 0):
        terminalreporter.write_line(f"{left_out} slow tests were left out; `make test` runs all.")
