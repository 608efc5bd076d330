"""What tests of the core share, and a last line that names what `-m "not slow"` left out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from chattest.datasets.testsets import read_testsets
from chattest.records.plan import TestSet
from tests.support.http_server import server  # noqa: F401 - a fixture for all tests
from tests.support.paths import ROOT, TESTSETS
from tests.support.stand_ins import StandIns

LEFT_OUT = pytest.StashKey[int]()
"""How many slow tests this process left out."""


@pytest.fixture
def judges() -> StandIns:
    """Models that load nothing; see `StandIns`."""
    return StandIns()


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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Says what was left out, and how to run it."""
    if left_out := config.stash.get(LEFT_OUT, 0):
        terminalreporter.write_line(f"{left_out} slow tests were left out; `make test` runs all.")
