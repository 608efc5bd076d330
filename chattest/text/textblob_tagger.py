"""TextBlob's English, without the package's own imports: those load nltk, scikit-learn and scipy, and take seconds."""

from functools import cache
from threading import Lock
from typing import Any

from chattest.files.light_import import import_alone

_LOCK = Lock()


def english() -> Any:
    """Return the module `textblob.en`, with its `parser` and `sentiment`."""
    with _LOCK:
        return _load()


@cache
def _load() -> Any:
    return import_alone("textblob", "en")[0]
