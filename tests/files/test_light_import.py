"""A module comes without its package's own imports, and the package is as it would be afterwards."""

import subprocess
import sys

import pytest

from chattest.files.light_import import import_alone
from tests.support.paths import ROOT

CODE = """
import sys
from chattest.files.light_import import import_alone
(script,) = import_alone("nltk", "chat.eliza")
print(len(script.pairs) > 30, "sklearn" in sys.modules, "nltk" in sys.modules)
import nltk
print(nltk.word_tokenize is not None, nltk.chat.eliza.pairs == script.pairs)
(again,) = import_alone("nltk", "chat.eliza")
print(again is nltk.chat.eliza)
"""


@pytest.mark.slow
def test_it_comes_alone_and_a_later_import_is_whole() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split("\n")[:3] == ["True False False", "True True", "True"], done.stderr


@pytest.mark.parametrize("package", ["no_such_package", "json"])
def test_what_is_not_there_raises(package: str) -> None:
    with pytest.raises(ImportError):
        import_alone(package, "no_such_module")
    assert "no_such_package" not in sys.modules
