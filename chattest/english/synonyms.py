"""Replace words by synonyms from the small shipped list, or from WordNet if it is installed."""

from collections.abc import Sequence
from random import Random

from chattest.english.compound import is_compound
from chattest.english.degrees import fits_degree
from chattest.english.phrases import entries, read_phrases
from chattest.english.wordnet_synonyms import find_contextual_synonyms, takes_what_follows
from chattest.errors import InputError, Problem
from chattest.text.edits import Change, change, match_case, protect, with_article
from chattest.text.words import maybe_name

SOURCES = ("shipped", "wordnet")
"""`shipped`: the list in this package; `wordnet`: WordNet through nltk."""


def augment(text: str, p_synonym: float, rng: Random, keep: Sequence[str] = (), source: str = "shipped") -> str:
    """Return the text with each word that has synonyms replaced by one of them, with probability `p_synonym`.

    The stretches in `keep` do not change.

    Raises:
        InputError: `source` is not one of `SOURCES`, or it is `wordnet` and WordNet is not installed.
    """
    protected, restore = protect(text, keep)
    changes = [replacement for replacement in find_replacements(protected, rng, source) if rng.random() < p_synonym]
    return restore(change(protected, changes)) or text


def find_replacements(text: str, rng: Random, source: str = "shipped") -> list[Change]:
    """Return a change for every word that has synonyms: a random synonym in the word's case.

    An "a" or "an" in front is adapted. Capitalised words inside a sentence stay, as they may be names.

    Raises:
        InputError: As `augment` does.
    """
    if source == "wordnet":
        return [rng.choice(options) for options in find_contextual_synonyms(text)]
    if source != "shipped":
        allowed = f"It is one of {', '.join(SOURCES)}."
        raise InputError([Problem("synonyms", f'there is no source of synonyms "{source}"', allowed)])
    return [
        with_article(text, start, end, match_case(rng.choice(fitting), old))
        for start, end, old, row in entries(text, read_phrases("synonyms"))
        if row[0] != old.lower() and not maybe_name(text, start, old) and not is_compound(text, start, end)
        if (fitting := [new for new in row if fits_degree(text, start, new) and takes_what_follows(text, end, new)])
    ]
