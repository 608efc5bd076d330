"""scipy's special functions come without the rest of `scipy.special`, and are the same."""

import subprocess
import sys

import pytest
import scipy.special

from chattest.statistics.special import special
from tests.support.paths import ROOT

CODE = """
import sys
from chattest.statistics.special import special
print(special().ndtri(0.975), "scipy.special" in sys.modules, "numpy.f2py" in sys.modules)
import scipy.special
print(scipy.special.ndtri is special().ndtri, scipy.special.logsumexp([0.0, 0.0]))
"""


def test_they_are_those_of_scipy() -> None:
    assert special().ndtr(1.0) == scipy.special.ndtr(1.0)
    assert special().ndtri(0.9) == scipy.special.ndtri(0.9)
    assert special().stdtrit(3, 0.9) == scipy.special.stdtrit(3, 0.9)


@pytest.mark.slow
def test_they_come_alone_and_a_later_import_is_whole() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["1.959963984540054", "False", "False", "True", "0.6931471805599453"], done.stderr
