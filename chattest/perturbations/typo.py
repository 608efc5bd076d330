"""Make typing mistakes (ML-U3)."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random

from chattest.english.part_of_speech import find_classes
from chattest.perturbations._drawing import choice, sample
from chattest.perturbations._graded import Graded
from chattest.perturbations._keyboard import NEIGHBOURS
from chattest.perturbations.base import perturbation
from chattest.records.dose import TOLERANCE, DoseRange
from chattest.text.words import around_words, changeable, count_words, has_letter, letters

EDITS = ("insert", "remove", "replace", "neighbour", "swap")
MOST = 5  # edits per word
SHORT = 2  # letters of a word that one mistake can make unreadable
TRIES = 10  # attempts for each edit before giving up
WINDOW = 40  # letters of a word that may be edited: the distance of very long words takes time
CODES = ("\U000f1000", "\U000f2000")
LATIN = "abcdefghijklmnopqrstuvwxyz"


@perturbation("typo")
class Typo(Graded):
    """A random share of the words gets one to five typing mistakes each.

    "What is the name of my cat?" may become "Wat is thw name of my vcat?". An edit inserts, removes or replaces
    a letter, hits a neighbouring key, or swaps two neighbouring letters; `mixed` draws one of these for each
    edit. The dose is the share of words changed times the edits in each of them, that is, edits per word. Edits are
    counted as the optimal-string-alignment distance of every word, and an edit that undoes another is drawn again.
    Up to half an edit per word, a word has one at most, a word of one or two letters none, and none becomes another.
    """

    family = "understanding"
    kinds = (*EDITS, "mixed")
    drawn = ("mixed",)
    dose_unit = "share of words x edits per word"
    dose_step = 0.25
    dose_max = float(MOST)
    understood_to = 0.5

    def dose(self, edits: int, text: str) -> float:
        return edits / count_words(text)

    def grade(self, text: str, kind: str, rng: Random, doses: DoseRange) -> tuple[str, int] | None:
        parts = around_words(text)
        word_count = len(parts) // 2
        fit = [index for index in changeable(text, parts) if has_letter(parts[index])]
        long = [index for index in fit if len(parts[index] if text.isascii() else letters(parts[index])) > SHORT]
        limit = self.understood_to + TOLERANCE
        options = [(number, 1) for number in range(doses.least, len(long) + 1) if number <= limit * word_count]
        rough = ((number, each) for each in range(1, MOST + 1) for number in range(1, len(fit) + 1))
        if doses.high > limit:
            options += [(number, each) for number, each in rough if number * each > limit * word_count]
        if self.usual(doses):
            picked = choice(rng, options) if fit and options else None
        else:
            picked = doses.pick(options, lambda option: option[0] * option[1] / word_count, rng) if fit else None
        if picked is None:
            return None
        number, each = picked
        if self.gentle(number * each, text):
            return _slips(parts, long, number, kind, rng)
        total = 0
        new = list(parts)
        for index in sample(rng, fit, number):
            new[index], edits = mistype(parts[index], kind, each, rng)
            total += edits
        # An edit that cannot be made may bring the dose back to where a person understands.
        return _slips(parts, long, total, kind, rng) if self.gentle(total, text) else ("".join(new), total)


def _slips(parts: list[str], long: Sequence[int], number: int, kind: str, rng: Random) -> tuple[str, int]:
    """Return the text with one mistake in each of `number` of its long words, none of which becomes another word."""
    done = 0
    for index in sample(rng, long, len(long)):
        if done >= number:
            break
        for _ in range(TRIES):
            new, edits = mistype(parts[index], kind, 1, rng)
            if edits and not find_classes(new.lower()):
                parts[index] = new
                done += 1
                break
    return "".join(parts), done


def mistype(word: str, kind: str, each: int, rng: Random) -> tuple[str, int]:
    """Return the word with up to `each` edits, and its distance to the original."""
    if word.isascii() and len(word) <= WINDOW:
        return _mistype(word, kind, each, rng)
    # Each letter with its combining marks becomes one character, so that no edit can separate them.
    parts = letters(word)
    begin = rng.randrange(max(len(parts) - WINDOW, 0) + 1)
    stretch = parts[begin : begin + WINDOW]
    free = (code for code in map(chr, range(ord(CODES[0]), ord(CODES[1]))) if code not in word)
    coded = {part: next(free) for part in dict.fromkeys(stretch) if len(part) > 1 and part[0].isalpha()}
    new, edits = _mistype("".join(coded.get(part, part) for part in stretch), kind, each, rng)
    altered = "".join((*parts[:begin], *decode(new, coded), *parts[begin + WINDOW :]))
    # An edit that makes letters merge, as conjoining Hangul does, is not one that a person would make.
    whole = sum(len(part) for part in stretch if part not in coded) + sum(part in coded for part in stretch)
    return (altered, edits) if len(letters(altered)) - len(parts) == len(new) - whole else (word, 0)


def decode(coded_word: str, coded: Mapping[str, str]) -> str:
    """Return the word with its codes replaced by their letters."""
    for part, code in coded.items():
        coded_word = coded_word.replace(code, part)
    return coded_word


def _mistype(word: str, kind: str, each: int, rng: Random) -> tuple[str, int]:
    now, chance, apart = word, rng.random, measure_distance()
    latin = word.isascii() and word.isalpha()
    for distance in range(1, each + 1):
        for _ in range(TRIES):
            which = EDITS[int(chance() * 5)] if kind == "mixed" else kind
            tried = edit_latin(now, which, chance) if latin else edit(now, which, rng)
            if tried != now and (distance == 1 or apart(word, tried) == distance):
                now = tried
                break
        else:
            return now, distance - 1
    return now, each


@cache
def measure_distance() -> Callable[[str, str], int]:
    """Return the optimal-string-alignment distance: fewest letters inserted, removed, replaced or swapped."""
    from rapidfuzz.distance import OSA

    return OSA.distance


def edit_latin(now: str, kind: str, chance: Callable[[], float]) -> str:
    """Do the same as `edit`, for words of Latin letters only and in half the time."""
    size = len(now)
    if kind == "insert":
        index = int(chance() * (size + 1))
        return now[:index] + LATIN[int(chance() * 26)] + now[index:]
    index = int(chance() * size)
    old = now[index]
    if kind == "remove":
        return now[:index] + now[index + 1 :] or now
    if kind == "swap":
        return now[:index] + now[index + 1 : index + 2] + old + now[index + 2 :]
    if kind == "replace":
        new = LATIN[int(chance() * 26)]
    else:
        near = NEIGHBOURS[old.lower()]
        new = near[int(chance() * len(near))]
    return now[:index] + (new.upper() if old.isupper() else new) + now[index + 1 :]


def edit(now: str, kind: str, rng: Random) -> str:
    """Return the word with one edit at a random letter; unchanged if that letter cannot be edited."""
    size = len(now)
    if kind == "insert":
        index = int(rng.random() * (size + 1))
        return now[:index] + draw_letter(now, rng) + now[index:]
    index = int(rng.random() * size)
    old = now[index]
    if not (old.isalpha() or is_letter(old)):
        return now
    if kind == "remove":
        left = now[:index] + now[index + 1 :]
        return left if left.isalpha() or any(map(is_letter, left)) else now
    if kind == "swap":
        return now[:index] + now[index + 1 : index + 2] + old + now[index + 2 :]
    if kind == "replace":
        new = draw_letter(now, rng)
    else:
        near = NEIGHBOURS.get(old.lower())
        if near is None:
            return now
        new = near[int(rng.random() * len(near))]
    return now[:index] + (new.upper() if old.isupper() else new) + now[index + 1 :]


def is_letter(character: str) -> bool:
    """Return True if a character is a letter, or the code of a letter with marks."""
    return character.isalpha() or CODES[0] <= character < CODES[1]


def draw_letter(now: str, rng: Random) -> str:
    """Return a random Latin letter, or one of the word's own letters if it is written in another script."""
    if not now.isascii():
        own = [letter for letter in now if is_letter(letter)]
        if own and not any(letter.isascii() for letter in own):
            return rng.choice(own).lower()
    return LATIN[int(rng.random() * 26)]
