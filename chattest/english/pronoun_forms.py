"""Find "he", "she" and their forms in a text, with the form of each and the verbs that belong to it."""

import re
from typing import NamedTuple

from chattest.english.clause import AUXILIARIES, find_lemmas, form, inflect
from chattest.english.contractions import is_or_has, read_following
from chattest.english.name_lists import is_name
from chattest.english.part_of_speech import find_classes
from chattest.english.tagged import Token, find_token, read_tokens
from chattest.english.word_lists import pattern, read_word_list
from chattest.text.lexicon import read_set
from chattest.text.words import PROTECTED_MARK

_FORM = {"he": "subject", "she": "subject", "him": "object", "hers": "own", "himself": "self", "herself": "self"}
_MALE = frozenset(("he", "him", "his", "himself"))
_PRONOUN = re.compile(r"(?<![\w'’/])(he|she|him|his|hers|herself|himself|her)\b", re.IGNORECASE)
_PERSONS = {"male": read_word_list("pronouns", "male"), "female": read_word_list("pronouns", "female")}
_NO_PERSONS = read_word_list("pronouns", "no_persons")
_NO_MEN = read_word_list("pronouns", "no_men")
_PLACES = frozenset(("in", "to", "from", "at", "near", "for", "on"))
_GIVING = read_word_list("pronouns", "giving")
_AFTER_OBJECT = read_word_list("pronouns", "after_object")
_AUXILIARY = {"is": "are", "was": "were", "has": "have", "does": "do"}
_AUXILIARY |= {f"{one}n't": f"{many}n't" for one, many in _AUXILIARY.items()}
_KEPT = PROTECTED_MARK.pattern
_KEPT_BEFORE = re.compile(rf"{_KEPT}\s+$")
_OFTEN = r"(?:also|always|ever|never|often|only|just|still|\w+ly)(?!\w)"
_KEPT_AFTER = re.compile(rf"(?<!\s)(?:\s++{_OFTEN}){{0,3}}+\s++{_KEPT}")
_KEPT_JOINED = re.compile(rf"(?:\b(?:and|or|but|then)|,)\s++{_KEPT}")
_CLAUSES = re.compile(r"[^.!?;:]*+")
_BREAK = re.compile(r"[.!?;:()\"“”\n]")


class Pronoun(NamedTuple):
    """A pronoun: `text[start:end]`, in lower case, and its form: subject, object, possessive, own or self."""

    start: int
    end: int
    word: str
    form: str


_BEFORE = 120
"""Characters before a word that tell what it belongs to."""


def find_pronouns(text: str) -> list[Pronoun]:
    """Return the pronouns of a text; none if the form of one is unsure, or if they are of both genders.

    The text may have protected stretches, which are unknown words here.
    """
    pronouns = []
    tokens = read_tokens(PROTECTED_MARK.sub(" ", text))
    for match in _PRONOUN.finditer(text):
        word = match[1].lower()
        if word in ("his", "her") and PROTECTED_MARK.match(text[match.end() :].lstrip()):
            what = "possessive" if word == "his" else ""  # "I found her keys", "I found her there"
        else:
            what = _FORM.get(word) or _find_form(word, tokens, match.end())
        if not what:
            return []
        pronouns.append(Pronoun(*match.span(), word, what))
    return pronouns if len({pronoun.word in _MALE for pronoun in pronouns}) == 1 else []


def may_change_gender(text: str, found: list[Pronoun], kind: str) -> bool:
    """Return True if the pronouns may become male, female or neutral (`kind`) and still mean the same person.

    They may not if the text shows a gender in another way, if it has a name, or if "they" would mean others.
    """
    tokens = read_tokens(text)
    own, other = ("male", "female") if found[0].word in _MALE else ("female", "male")
    last = found[-1].start
    for index, token in enumerate(tokens):
        parts = re.split(r"['’-]", token.low)
        if _is_name(text, tokens, index) or any(_shows_gender(part, own) for part in parts):
            return False
        if token.start < last and any(_shows_gender(part, other) for part in parts):
            return False
    if kind != "neutral":
        return True
    others = any(token.tag == "NNS" and token.low not in _NO_PERSONS and token.start < last for token in tokens[1:])
    return not pattern("gender", "they").search(text) and not others


def _shows_gender(low: str, gender: str) -> bool:
    """Return True if a word shows a gender: "granddad", "barman", "saleswomen"."""
    if low in _PERSONS[gender]:
        return True
    if low.endswith(("woman", "women")):
        return gender == "female"
    return gender == "male" and low.endswith(("man", "men")) and low not in _NO_MEN


def find_third_person_verbs(text: str, pronoun: Pronoun) -> list[tuple[int, int, str]] | None:
    """Return the verbs that belong to "he" or "she", each with its form after "they"; `None` if one is unclear.

    The text may have protected stretches. If one of them may be such a verb, which must then stay, there is no answer.
    """
    if _KEPT_BEFORE.search(_read_before(text, pronoun.start)):
        return None
    if asked := _find_asked_verb(text, pronoun):
        return [asked]
    read_following = _CLAUSES.match(text, pronoun.end)
    if _KEPT_AFTER.match(text, pronoun.end) or (read_following and _KEPT_JOINED.search(read_following[0])):
        return None
    text = PROTECTED_MARK.sub(" ", text)
    if re.search(r"\w['’]s\s+$", _read_before(text, pronoun.start)) or re.match(
        r"\A\s+(?:and|or)\b", text[pronoun.end :]
    ):
        return None  # "where's she from", "she and I"
    tokens = list(read_tokens(text)[find_token(read_tokens(text), pronoun.start) :])
    if re.match(r"['’]", text[pronoun.end : pronoun.end + 1]):
        return _find_contracted_verbs(text, pronoun, tokens)
    return _find_verbs(text, tokens, 1)


def _find_form(word: str, tokens: tuple[Token, ...], end: int) -> str:
    """Return the form of "his" or "her"; empty if it is unsure."""
    index = find_token(tokens, end)
    before = tokens[index - 2].low if index > 1 else ""
    after = tokens[index] if index < len(tokens) else None
    closed = after is None or after.low in _AFTER_OBJECT or after.start - end > 1
    if word == "his":
        return "own" if closed else "possessive"
    if closed:
        return "object"
    if before in _GIVING and after is not None and after.low not in ("own", "name"):
        return ""
    return "possessive" if after is not None and after.tag[:2] in ("NN", "JJ", "CD", "VB", "DT", "RB") else ""


def _is_name(text: str, tokens: tuple[Token, ...], index: int) -> bool:
    """Return True if a word may be a person's name: it has a capital, and no "in", "to" or the like comes before it."""
    token = tokens[index]
    word = re.sub(r"['’]s?$", "", text[token.start : token.end])
    if not word[:1].isupper() or not _has_letters_of_name(word) or token.low == "i" or token.low in _NO_PERSONS:
        return False
    before = _read_before(text, token.start).rstrip()
    if not before or before[-1] in ".!?:\"“'‘":
        unknown = token.tag == "NNP" or not (find_classes(word.lower()) or word.lower() in read_set("function_words"))
        return is_name(word) or "-" in word or (unknown and token.low not in AUXILIARIES)
    return not (index and tokens[index - 1].low in _PLACES) and not word.isupper()


def _read_before(text: str, start: int) -> str:
    """Return what stands right before a place of the text."""
    return text[max(start - _BEFORE, 0) : start]


def _has_letters_of_name(word: str) -> bool:
    """Return True if a word may be a name by its letters: "Jin-woo", but not "T-shirt"."""
    return all(part.isalpha() for part in word.split("-")) and min(map(len, word.split("-"))) > 1


def _find_asked_verb(text: str, pronoun: Pronoun) -> tuple[int, int, str] | None:
    """Return the verb before the pronoun in a question: "is she"; but not in "it was she"."""
    match = re.search(
        r"(?<!\bit\s)(?<!\bthis\s)(?<!\bthat\s)\b(is|was|has|does|isn['’]t|wasn['’]t|hasn['’]t|doesn['’]t)\s+$",
        text[: pronoun.start],
        re.IGNORECASE,
    )
    if match is None:
        return None
    return (*match.span(1), _make_plural(match[1].lower()))


def _find_contracted_verbs(text: str, pronoun: Pronoun, tokens: list[Token]) -> list[tuple[int, int, str]] | None:
    """Return the verbs after "he's" and the like."""
    end = tokens[0].end
    tail = text[pronoun.end : end].lower()
    if tail[1:] != "s":
        return _find_coordinated_verbs(text, tokens, 1)
    verb = is_or_has(read_following(text, end))
    more = _find_coordinated_verbs(text, tokens, 1)
    if not verb or more is None:
        return None
    return [(pronoun.end, end, f"{tail[0]}{'re' if verb == 'is' else 've'}"), *more]


def _find_verbs(text: str, tokens: list[Token], index: int) -> list[tuple[int, int, str]] | None:
    """Return the verb at or after `index`, and the verbs joined to it by "and"."""
    while index < len(tokens) and tokens[index].tag == "RB" and not form(tokens[index].low):
        index += 1
    if index >= len(tokens) or _BREAK.search(text[tokens[0].end : tokens[index].start]):
        return []
    plural = _make_plural(tokens[index].low)
    more = _find_coordinated_verbs(text, tokens, index + 1)
    if more is None:
        return None
    return [(tokens[index].start, tokens[index].end, plural), *more] if plural else more


def _find_coordinated_verbs(text: str, tokens: list[Token], begin: int) -> list[tuple[int, int, str]] | None:
    """Return later verbs of the same subject: "he gets up and goes"; `None` if one may belong to another subject."""
    verbs = []
    for index in range(begin, len(tokens)):
        gap = text[tokens[index - 1].end : tokens[index].start]
        if _BREAK.search(gap):
            break
        token = tokens[index]
        if index + 1 < len(tokens) and tokens[index + 1].low in ("he", "she"):  # "doesn't he?"
            break
        single = token.low in _AUXILIARY or form(token.low) == "VBZ"
        joined = tokens[index - 1].low in ("and", "or", "but", "then") or "," in gap
        if joined and single and token.tag != "NNS":
            verbs.append((token.start, token.end, _make_plural(token.low)))
        elif joined and single:
            return None
        elif token.tag == "PRP" and token.low not in ("it", "me", "us", "him", "her", "you"):
            break
    return verbs


def _make_plural(verb: str) -> str:
    """Return a third-person verb as "they" takes it; empty if it has the same form."""
    plain = verb.replace("’", "'")
    if plain in _AUXILIARY:
        return _AUXILIARY[plain].replace("'", "’" if "’" in verb else "'")
    if not verb.endswith("s"):
        return ""
    return next((base for base in find_lemmas(verb) if base != verb and inflect(base, "VBZ") == verb), "")
