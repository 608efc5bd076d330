"""Another machine than this: one that lacks all that may be missing, and one that has it.

Called in a process that is started for it, before chattest is imported there.
"""

import sys
from pathlib import Path
from typing import Any

OPTIONAL = ("datasets", "fastapi", "openai", "playwright", "pyarrow", "ray", "rouge_score", "sacrebleu")
"""Modules that no run needs (requirements-*.txt)."""


def make_bare() -> None:
    """Hide the optional packages and WordNet from this process."""
    hidden: dict[str, Any] = dict.fromkeys(OPTIONAL)  # None keeps Python from looking further
    sys.modules.update(hidden)
    import nltk

    from chattest.english import wordnet

    nltk.data.path[:] = []
    wordnet.DEBIAN = Path("/nowhere")


def make_full() -> None:
    """Tell this process that WordNet is there; the optional packages are, as the tests need them."""
    from chattest.english import wordnet

    wordnet.explain_missing = str
