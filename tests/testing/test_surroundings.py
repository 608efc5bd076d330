"""The tests end the same whatever their user has set."""

import os
import subprocess
import sys

import pytest

from tests.support.stand_ins import ROOT
from tests.support.surroundings import DROPPED

pytestmark = pytest.mark.slow

STARTS_PYTEST = "tests/testing/test_export.py::test_the_inputs_can_be_edited"


def test_options_for_pytest_and_colours_of_the_user_reach_no_pytest_that_a_test_starts() -> None:
    set_by_the_user = {"PYTEST_ADDOPTS": "-k nothing --maxfail=1", "FORCE_COLOR": "1", "COLUMNS": "20"}
    # The user's own options count for the tests themselves, unless the command line says otherwise.
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "", STARTS_PYTEST]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | set_by_the_user, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_nothing_that_a_user_sets_for_programs_reaches_the_processes_of_tests() -> None:
    assert not os.environ.keys() & set(DROPPED)
