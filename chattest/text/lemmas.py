"""Basic forms of words, by lemminflect's tables."""

from functools import lru_cache


@lru_cache(maxsize=65536)
def find_lemmas(word: str) -> dict[str, tuple[str, ...]]:
    """Return part of speech -> basic forms that a word may belong to; empty for a word that is in no table."""
    from lemminflect import getAllLemmas

    lemmas: dict[str, tuple[str, ...]] = getAllLemmas(word)
    return lemmas


def basic_form(word: str) -> str:
    """Return one form of a word for all its numbers and tenses: "go" for "goes" and "went"."""
    word = word.removesuffix("'s")
    lemmas = find_lemmas(word)
    return str(next((lemmas[part][0] for part in ("VERB", "NOUN", "ADJ") if part in lemmas), word)).casefold()
