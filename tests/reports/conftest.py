import pytest

from chattest.records.report import Report
from tests.support.sample_report import sample


@pytest.fixture(scope="session")
def report() -> Report:
    return sample()
