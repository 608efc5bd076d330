"""Synonyms: from the small list that ships, or from WordNet where it is installed.

WordNet is looked for on nltk's data path, then where Debian's `wordnet-base` puts it. nltk reads Debian's files
only from its data path and only with two files they lack, so they are copied to a private folder that goes when
the process ends.
"""

import re
import shutil
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from chattest.errors import InputError, Problem
from chattest.text.edits import Change, change, hold, like, placed
from chattest.text.lexicon import listed, table
from chattest.text.words import maybe_name, words

SOURCES = ("shipped", "wordnet")
"""`shipped`: the list in the package; `wordnet`: WordNet through nltk."""

DEBIAN = Path("/usr/share/wordnet")
_PLAIN = re.compile(r"[a-z]+")
# The names that WordNet's lexnames(5WN) gives its lexicographer files, in order, with their part of speech.
_LEXNAMES = (
    "adj.all:3 adj.pert:3 adv.all:4 noun.Tops:1 noun.act:1 noun.animal:1 noun.artifact:1 noun.attribute:1 "
    "noun.body:1 noun.cognition:1 noun.communication:1 noun.event:1 noun.feeling:1 noun.food:1 noun.group:1 "
    "noun.location:1 noun.motive:1 noun.object:1 noun.person:1 noun.phenomenon:1 noun.plant:1 noun.possession:1 "
    "noun.process:1 noun.quantity:1 noun.relation:1 noun.shape:1 noun.state:1 noun.substance:1 noun.time:1 "
    "verb.body:2 verb.change:2 verb.cognition:2 verb.communication:2 verb.competition:2 verb.consumption:2 "
    "verb.contact:2 verb.creation:2 verb.emotion:2 verb.motion:2 verb.perception:2 verb.possession:2 verb.social:2 "
    "verb.stative:2 verb.weather:2 adj.ppl:3"
)


def augment(text: str, p_synonym: float, rng: Random, keep: Sequence[str] = (), source: str = "shipped") -> str:
    """The text with each word that has synonyms replaced, with probability `p_synonym`, by one of them.

    keep: stretches that stay as they are. Raises `InputError` when `source` is not one of `SOURCES`, or is
    `wordnet` and WordNet is not installed.
    """
    held, restore = hold(text, keep)
    changes = [change_here for change_here in places(held, rng, source) if rng.random() < p_synonym]
    return restore(change(held, changes)) or text


def places(text: str, rng: Random, source: str = "shipped") -> list[Change]:
    """Every word that has a synonym, and one of them drawn for it with the word's capitals.

    An "a" or "an" in front is made to suit it. Capitalised words inside a sentence are left alone, as they may
    be names. Raises `InputError` as `augment` does.
    """
    changes = []
    for word in words(text):
        options = synonyms(word.text.lower(), source)
        if options and not maybe_name(text, word.start, word.text):
            changes.append(placed(text, word.start, word.end, like(rng.choice(options), word.text)))
    return changes


def synonyms(word: str, source: str = "shipped") -> tuple[str, ...]:
    """Synonyms of a lower-case word; none is often the answer. Raises `InputError` as `augment` does."""
    if source == "shipped":
        return table("synonyms").get(word, ())
    if source == "wordnet":
        return _of_wordnet(word)
    allowed = f"It is one of {', '.join(SOURCES)}."
    raise InputError([Problem("synonyms", f'there is no source of synonyms "{source}"', allowed)])


@cache
def _of_wordnet(word: str) -> tuple[str, ...]:
    """Other words of the sense of `word` that WordNet counts most often; only for words in their base form."""
    if word in listed("function_words") or not _PLAIN.fullmatch(word):
        return ()
    own = [lemma for lemma in wordnet().lemmas(word) if lemma.name() == word]
    if not own:
        return ()
    # max gives the first of equals, and WordNet orders the senses of a part of speech by how common they are.
    sense = max(own, key=lambda lemma: lemma.count()).synset()
    return tuple(name for name in sense.lemma_names() if name != word and _PLAIN.fullmatch(name))


def unavailable() -> str:
    """Why WordNet cannot be used here, or an empty string."""
    if (DEBIAN / "data.noun").is_file() or _in_nltk():  # in this order: nltk takes two seconds to import
        return ""
    return (
        "WordNet is not installed: install Debian's package wordnet-base, or nltk's with "
        "`python -m nltk.downloader wordnet`"
    )


def _in_nltk() -> bool:
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
    """nltk's WordNet reader, loaded. Raises `InputError` when WordNet is not installed."""
    why = unavailable()
    if why:
        raise InputError([Problem("synonyms", why, 'Or choose synonyms = "shipped".')])
    import nltk

    if not _in_nltk():
        nltk.data.path.append(_private_copy())
    from nltk.corpus import wordnet as reader

    reader.ensure_loaded()
    return reader


def _private_copy() -> str:
    """A data path for nltk that holds Debian's WordNet and the files that it lacks."""
    _PRIVATE.append(tempfile.TemporaryDirectory(prefix="chattest-wordnet-", ignore_cleanup_errors=True))
    folder = Path(_PRIVATE[0].name) / "corpora" / "wordnet"
    shutil.copytree(DEBIAN, folder)
    rows = (f"{number:02}\t{name.replace(':', chr(9))}\n" for number, name in enumerate(_LEXNAMES.split()))
    (folder / "lexnames").write_text("".join(rows), "utf-8")
    (folder / "index.sense").write_text("", "utf-8")
    return _PRIVATE[0].name
