"""What tests of the core share."""

from pathlib import Path

import pytest

from chattest.datasets.testsets import read_testsets
from chattest.records.plan import TestSet
from tests.support.http_server import server  # noqa: F401 - a fixture for all tests
from tests.support.stand_ins import ROOT, StandIns


@pytest.fixture
def judges() -> StandIns:
    """Models that load nothing; see `StandIns`."""
    return StandIns()


@pytest.fixture(scope="session")
def testsets() -> dict[str, list[TestSet]]:
    """The test sets that ship."""
    return read_testsets(ROOT / "testsets")


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return ROOT
