"""Typing mistakes (ML-U3)."""

from random import Random

from chattest.keyboard import NEIGHBOURS
from chattest.perturbation import Graded, perturbation
from chattest.words import Change, change, count_words, has_letter, letters, words

EDITS = ("insert", "remove", "replace", "neighbour", "swap")
MOST = 5  # edits a word
WINDOW = 40  # letters of a word that are looked at
TRIES = 10  # before a word is taken to bear no further edit of its kind


@perturbation("typo")
class Typo(Graded):
    """A random share of the words gets one to five typing mistakes each.

    "What is the name of my cat?" may become "Wat is thw name of my vcat?". An edit inserts, removes or replaces
    a letter, hits a neighbouring key, or swaps two neighbouring letters; `mixed` draws one of these for each
    edit. The dose is the share of words touched times the edits in each, that is, edits per word, counted as the
    optimal-string-alignment distance of every word: an edit that undoes another is drawn again.
    """

    family = "understanding"
    kinds = (*EDITS, "mixed")
    drawn = ("mixed",)
    dose_unit = "share of words x edits per word"
    dose_step = 0.25
    dose_max = float(MOST)

    def dose(self, edits: int, text: str) -> float:
        return edits / count_words(text)

    def grade(self, text: str, kind: str, rng: Random, least: int) -> tuple[str, int] | None:
        fit = [word for word in words(text) if has_letter(word.text)]
        if not fit:
            return None
        each = rng.randint(1, MOST)
        total = 0
        changes = []
        for word in rng.sample(fit, rng.randint(least, len(fit))):
            new, edits = mistype(word.text, kind, each, rng)
            total += edits
            changes.append(Change(word.start, word.end, new))
        return change(text, changes), total


def mistype(word: str, kind: str, each: int, rng: Random) -> tuple[str, int]:
    """The word with up to `each` edits, and how far it really is from what it was."""
    from rapidfuzz.distance import OSA

    parts = letters(word)
    # Of an endless word only a stretch, as measuring takes time; the distance of the stretch is that of the word.
    begin = rng.randrange(max(len(parts) - WINDOW, 0) + 1)
    head, tail = "".join(parts[:begin]), "".join(parts[begin + WINDOW :])
    original = parts[begin : begin + WINDOW]
    now = original
    for distance in range(1, each + 1):
        for _ in range(TRIES):
            tried = edit(now, rng.choice(EDITS) if kind == "mixed" else kind, rng)
            # Joined again and parted again, so that no letter melts into its neighbour unseen.
            if OSA.distance(original, tried) == distance == OSA.distance(original, letters("".join(tried))):
                now = tried
                break
        else:
            return head + "".join(now) + tail, distance - 1
    return head + "".join(now) + tail, each


def edit(now: list[str], kind: str, rng: Random) -> list[str]:
    """One edit at a random letter; the same letters where this one cannot be edited so."""
    at = rng.randrange(len(now))
    old = now[at]
    if kind == "insert":
        at = rng.randint(0, len(now))
        return [*now[:at], stranger(now, rng), *now[at:]]
    if not old[0].isalpha():
        return now
    if kind == "remove":
        readable = sum(letter[0].isalnum() for letter in now)
        return [*now[:at], *now[at + 1 :]] if readable > 1 else now
    if kind == "swap":
        return [*now[:at], *reversed(now[at : at + 2]), *now[at + 2 :]]
    near = NEIGHBOURS.get(old.lower(), "") if kind == "neighbour" else ""
    if kind == "neighbour" and not near:
        return now
    new = rng.choice(near) if near else stranger(now, rng)
    return [*now[:at], new.upper() if old.isupper() else new, *now[at + 1 :]]


def stranger(now: list[str], rng: Random) -> str:
    """A random letter: of the Latin alphabet, or one of the word's own where it is in another script."""
    own = [letter for letter in now if letter[0].isalpha()]
    latin = any(letter.isascii() for letter in own)
    return rng.choice("abcdefghijklmnopqrstuvwxyz") if latin or not own else rng.choice(own).lower()
