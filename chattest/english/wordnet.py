"""Read WordNet, if it is installed.

WordNet is searched for on nltk's data path, then in the folder of Debian's `wordnet-base`. nltk reads Debian's files
only from its data path and only with two further files, so they are copied to a private folder that is removed when the
process ends.
"""

import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from chattest.errors import InputError, Problem
from chattest.text.lexicon import read_list

DEBIAN = Path("/usr/share/wordnet")


def explain_missing() -> str:
    """Return why WordNet cannot be used; empty if it can."""
    if (DEBIAN / "data.noun").is_file() or _is_in_nltk():  # in this order: nltk takes two seconds to import
        return ""
    return (
        "WordNet is not installed: install Debian's package wordnet-base, or nltk's with "
        "`python -m nltk.downloader wordnet`"
    )


def _is_in_nltk() -> bool:
    import nltk

    for resource in ("corpora/wordnet", "corpora/wordnet.zip"):
        try:
            nltk.data.find(resource)
        except LookupError:
            continue
        return True
    return False


_PRIVATE: list[tempfile.TemporaryDirectory[str]] = []  # kept alive until the process ends


@cache
def wordnet() -> Any:
    """Return nltk's WordNet reader, loaded.

    Raises:
        InputError: WordNet is not installed.
    """
    why = explain_missing()
    if why:
        raise InputError([Problem("synonyms", why, 'Or choose synonyms = "shipped".')])
    import nltk

    if not _is_in_nltk():
        nltk.data.path.append(_copy())
    from nltk.corpus import wordnet as reader

    reader.ensure_loaded()
    return reader


@cache
def _read_counts() -> dict[str, int]:
    """Map each sense key to its count in WordNet's corpus. nltk would search the file again for every question."""
    with wordnet().open("cntlist.rev") as file:
        lines = (line.split() for line in file.read().splitlines())
        return {parts[0]: int(parts[-1]) for parts in lines if parts}


def count_sense(lemma: Any) -> int:
    """Return how often WordNet's corpus has a lemma of `wordnet()` in its sense, 0 or more."""
    return _read_counts().get(lemma.key(), 0)


def _copy() -> str:
    """Return a data path for nltk with Debian's WordNet and the files that it lacks."""
    _PRIVATE.append(tempfile.TemporaryDirectory(prefix="chattest-wordnet-", ignore_cleanup_errors=True))
    folder = Path(_PRIVATE[0].name) / "corpora" / "wordnet"
    shutil.copytree(DEBIAN, folder)
    rows = (f"{number:02}\t{name.replace(':', chr(9))}\n" for number, name in enumerate(read_list("wordnet_lexnames")))
    (folder / "lexnames").write_text("".join(rows), "utf-8")
    (folder / "index.sense").write_text("", "utf-8")
    return _PRIVATE[0].name
