"""Words are tagged, and sentiment is told, without what the rest of TextBlob imports."""

import subprocess
import sys

from tests.support.paths import ROOT

CODE = """
import sys
from chattest.english.tagged import read_tokens
from chattest.rules.sentiment import polarity
print([token.tag for token in read_tokens("A cat sleeps.")], polarity("This is awful."))
print({"nltk", "scipy", "numpy"} & set(sys.modules))
"""


def test_the_tagger_and_the_sentiment_load_nothing_else() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["['DT', 'NN', 'VBZ'] -1.0", "set()"], done.stderr
