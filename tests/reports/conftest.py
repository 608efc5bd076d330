import pytest
from sample import sample

from chattest.result import Report


@pytest.fixture(scope="session")
def report() -> Report:
    return sample()
