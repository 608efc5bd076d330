"""Synonyms from the small shipped list, or from WordNet if it is installed.

WordNet is searched for on nltk's data path, then in the folder of Debian's `wordnet-base`. nltk reads Debian's files
only from its data path and only with two further files, so they are copied to a private folder that is removed when the
process ends.
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
from chattest.text.edits import Change, change, match_case, protect, with_article
from chattest.text.lexicon import listed, table
from chattest.text.words import maybe_name, words

SOURCES = ("shipped", "wordnet")
"""`shipped`: the list in this package; `wordnet`: WordNet through nltk."""

DEBIAN = Path("/usr/share/wordnet")
_PLAIN = re.compile(r"[a-z]+")
# The lexicographer files in the order of WordNet's lexnames(5WN), each with its part of speech.
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
    """The text with each word that has synonyms replaced by one of them, with probability `p_synonym`.

    keep: stretches that must not change. Raises `InputError` if `source` is not one of `SOURCES`, or if it is
    `wordnet` and WordNet is not installed.
    """
    protected, restore = protect(text, keep)
    changes = [replacement for replacement in replacements(protected, rng, source) if rng.random() < p_synonym]
    return restore(change(protected, changes)) or text


def replacements(text: str, rng: Random, source: str = "shipped") -> list[Change]:
    """A change for every word that has synonyms: a random synonym in the word's case.

    An "a" or "an" in front is adapted. Capitalised words inside a sentence stay, as they may be names. Raises
    `InputError` as `augment` does.
    """
    changes = []
    for word in words(text):
        options = synonyms(word.text.lower(), source)
        if options and not maybe_name(text, word.start, word.text):
            changes.append(with_article(text, word.start, word.end, match_case(rng.choice(options), word.text)))
    return changes


def synonyms(word: str, source: str = "shipped") -> tuple[str, ...]:
    """The synonyms of a lower-case word; many words have none. Raises `InputError` as `augment` does."""
    if source == "shipped":
        return table("synonyms").get(word, ())
    if source == "wordnet":
        return _of_wordnet(word)
    allowed = f"It is one of {', '.join(SOURCES)}."
    raise InputError([Problem("synonyms", f'there is no source of synonyms "{source}"', allowed)])


@cache
def _of_wordnet(word: str) -> tuple[str, ...]:
    """The other words of the most frequent WordNet sense of `word`; empty for words that are not in their base form."""
    if word in listed("function_words") or not _PLAIN.fullmatch(word):
        return ()
    own = [lemma for lemma in wordnet().lemmas(word) if lemma.name() == word]
    if not own:
        return ()
    # max returns the first of equals, and WordNet sorts the senses of a part of speech by frequency.
    sense = max(own, key=lambda lemma: lemma.count()).synset()
    return tuple(name for name in sense.lemma_names() if name != word and _PLAIN.fullmatch(name))


def unavailable() -> str:
    """Why WordNet cannot be used; empty if it can."""
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
    """nltk's WordNet reader, loaded. Raises `InputError` if WordNet is not installed."""
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
    """A data path for nltk with Debian's WordNet and the files that it lacks."""
    _PRIVATE.append(tempfile.TemporaryDirectory(prefix="chattest-wordnet-", ignore_cleanup_errors=True))
    folder = Path(_PRIVATE[0].name) / "corpora" / "wordnet"
    shutil.copytree(DEBIAN, folder)
    rows = (f"{number:02}\t{name.replace(':', chr(9))}\n" for number, name in enumerate(_LEXNAMES.split()))
    (folder / "lexnames").write_text("".join(rows), "utf-8")
    (folder / "index.sense").write_text("", "utf-8")
    return _PRIVATE[0].name
