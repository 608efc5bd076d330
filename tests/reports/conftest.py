import pytest

from chattest.result import Report
from tests.reports.sample import sample


@pytest.fixture(scope="session")
def report() -> Report:
    return sample()
