"""Add slips of speech that the speaker corrects at once."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from random import Random

from chattest.english.name_lists import is_name
from chattest.english.part_of_speech import find_classes
from chattest.english.tagged import find_token, read_tokens
from chattest.english.verbatim import find_verbatim
from chattest.english.word_lists import read_word_list
from chattest.perturbations.base import Perturbation, perturbation
from chattest.text.edits import Change, change, takes_an
from chattest.text.lexicon import read_list, table
from chattest.text.words import Word, has_letter, words

_REPEATED = read_word_list("disfluency", "repeated")
_DETERMINERS = frozenset(("the", "a", "an", "my", "your", "his", "her", "our", "their"))
_SAME = (
    {"mother", "mum", "mom"}, {"father", "dad"}, {"fridge", "refrigerator"}, {"sofa", "couch"}, {"film", "movie"},
    {"bike", "bicycle"}, {"shop", "store"}, {"flat", "apartment"}, {"lorry", "truck"}, {"holiday", "vacation", "trip"},
    {"flatmate", "roommate"}, {"biscuit", "cookie"}, {"jumper", "sweater"}, {"basement", "cellar"},
    {"tortoise", "turtle"}, {"rug", "carpet"}, {"street", "road"}, {"chef", "cook"}, {"town", "city"},
    {"cupboard", "wardrobe"}, {"phone", "tablet"}, {"lesson", "class", "course"}, {"exam", "test"},
)  # fmt: skip
_CORRECTIONS = ("no, I mean", "uh, no,", "sorry, I mean", "no, wait,")


@perturbation("disfluency")
class Disfluency(Perturbation):
    """`repetition` repeats a word, `restart` begins the sentence again, `correction` puts a wrong word first.

    "What is the name of my cat?" becomes "What is the, uh, the name of my cat?", "What is, what is the name of
    my cat?" or "What is the name of my dog, no, I mean my cat?". Only short words are repeated, and only single
    things corrected, by a thing of the same kind that the text does not have. The dose is the number of slips.
    """

    family = "noise"
    kinds = ("repetition", "restart", "correction")
    dose_unit = "slips"
    dose_max = 1.0

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        spoken = [word for word in words(text) if has_letter(word.text)]
        if len(spoken) < 3:
            return None
        slip = {"repetition": _repeat, "restart": _restart, "correction": _correct}[kind](text, spoken, rng)
        return (change(text, [slip]), 1) if slip else None


def _repeat(text: str, spoken: list[Word], rng: Random) -> Change | None:
    """Repeat a short word, after a hesitation."""
    fit = [
        word
        for word, after in pairwise(spoken)
        if word.text.lower() in _REPEATED and word.text.islower() and text[word.end : after.start] == " "
    ]
    fixed = find_verbatim(text)
    fit = [word for word in fit if not any(start <= word.start < end for start, end in fixed)]
    if not fit:
        return None
    word = rng.choice(fit)
    return Change(word.end, word.end, f",{rng.choice(('', ' uh,', ' um,', ' er,'))} {word.text}")


def _restart(text: str, spoken: list[Word], rng: Random) -> Change | None:
    """Repeat the first two words."""
    first, second, third = spoken[:3]
    if text[first.end : second.start] != " " or text[second.end : third.start] != " ":
        return None
    start = text[first.start : second.end]
    again = _lowercase_first_two(start)
    return Change(first.start, second.end, f"{start}, {again}") if again else None


def _lowercase_first_two(start: str) -> str:
    """Return the first two words as written inside a sentence; empty if the first may be a name or not."""
    first, second = start.split(" ", 1)
    plain = re.sub(r"(?:n['’]t|['’].*)$", "", first).lower()
    if (first.isupper() and len(first) > 1) or not first[0].isupper():
        return start  # "I am", "PLEASE STOP", "what is"
    if second[0].isupper() and (is_name(first) or plain in table("people")["words"]):
        return ""  # "Will Turner"
    word = plain in read_list("function_words") or (
        bool(find_classes(plain)) and not is_name(first) and plain != "turkey"
    )
    return start[:1].lower() + start[1:] if word and plain not in ("i", "christmas", "easter") else start


def _correct(text: str, spoken: list[Word], rng: Random) -> Change | None:
    """Put a wrong noun before the right one: a word after a determiner, together with the determiner."""
    spoken_words = {word.text.lower() for word in spoken}
    fit = []
    for before, word in pairwise(spoken):
        if before.text.lower() in _DETERMINERS and text[before.end : word.start] == " ":
            wrong = [new for new in _find_same_kind(text, word, before.text.lower()) if new not in spoken_words]
            fit += [(before, word, wrong)] if wrong else []
    fixed = find_verbatim(text) if fit else []
    fit = [each for each in fit if not any(start <= each[1].start < end for start, end in fixed)]
    if not fit:
        return None
    before, word, wrong = rng.choice(fit)
    article = before.text.lower()
    slip = f"{rng.choice(wrong)}, {rng.choice(_CORRECTIONS)} {article} "
    start = before.end - 1 if article == "an" else word.start  # every slip begins with a consonant
    return Change(start, word.start, f" {slip}" if article == "an" else slip)


def _find_same_kind(text: str, word: Word, determiner: str) -> Sequence[str]:
    """Return things of the same kind as the noun at the word, perhaps after adjectives: "my old cat"."""
    first = find_token(read_tokens(text), word.start)
    tokens = read_tokens(text)[first : first + 4]
    index = next((index for index, token in enumerate(tokens) if token.tag != "JJ"), None)
    if index is None or word.text.lower() in read_list("function_words") or tokens[index].tag != "NN":
        return ()
    if index + 1 < len(tokens) and tokens[index + 1].tag in ("NN", "NNS", "NNP", "CD"):
        return ()
    kind = _read_kinds().get(tokens[index].low, "")
    if not kind or (kind == "matter" and determiner in ("a", "an")):
        return ()
    own = tokens[index].low
    return [
        new
        for new in table("slips")[kind]
        if not (takes_an(new) or new in _find_foreign_spellings() or _are_same(own, new))
    ]


def _are_same(noun: str, other: str) -> bool:
    """Return True if two nouns name the same thing, in American or British English."""
    return any(noun in names and other in names for names in _SAME)


@cache
def _find_foreign_spellings() -> frozenset[str]:
    """Return words that would be foreign in a text of the other English: "theatre", "theater"."""
    pairs = table("american_british")
    return frozenset(pairs) | {row[0] for row in pairs.values()}


@cache
def _read_kinds() -> dict[str, str]:
    """Map each noun to the kind of thing that it is."""
    return {noun: kind for kind, nouns in table("slips").items() for noun in nouns}
