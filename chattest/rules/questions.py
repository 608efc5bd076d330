"""Finds what a text asks, with a question mark or without, and compares two questions, from their words alone.

A sentence without a mark asks if its last clause begins as questions do: "what do you do for work", "are you tired".
"Really?" and the like are reactions, which ask nothing. What the rules know about wording is in `questions.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from chattest.rules.person import PERSON_OF
from chattest.rules.tables import read_table, word_set
from chattest.text.lemmas import basic_form
from chattest.text.split import SENTENCE, WORD

FEWEST_WORDS = 3
"""A question of one or two words ("Why?", "And you?") is compared by its text alone."""
LITTLE = 1
"""A question with no more words that say what it is about ("Where did it go?") gives a model little to compare."""
_WH = r"(?:what|where|when|why|how|who|whom|whose|which)"
_AUX = r"(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would|should|shall|may|might|am|must)"
_SUBJECT = (
    r"(?:i|you|he|she|it|we|they|there|this|that|these|those|the|a|an|any|anyone|my|your|his|her|our|their|\w+'s)"
)
_ASKS = re.compile(
    rf"(?:(?:{_WH} {_AUX} (?:not )?(?:{_SUBJECT}\b|like\b|\w+ing\b|wrong|new|up|next)"
    rf"|who {_AUX} \w+|(?:what|which|whose) (?:\w+ ){{1,3}}{_AUX} (?:not )?{_SUBJECT}\b"
    rf"|how (?:old|many|much|long|often|far|tall|big|come|good|well|fast|is|about)\b|what about\b"
    rf"|(?:are|were) (?:not )?(?:you|they|we|there|these|those|your)\b"
    rf"|(?:is|was) (?:it|he|she|there|this|that|your|the|\w+ing)\b"
    rf"|(?:do|did|can|could|will|would|have) (?:not )?(?:you|they|we)\b"
    rf"|(?:does|did|has|can|could) (?:he|she|it|your|anyone)\b"
    rf"|(?:do|may|can|could|shall|should) i\b|shall we\b))",
)
_INTRODUCED = re.compile(
    rf"\A(?:can|could|would|will) you (?:please )?tell me |\A(?:do you know|tell me|would you mind telling me"
    rf"|(?:may|can|could|might) i (?:ask|know)) (?={_WH}\b)"
)
_NOT_ASKED = re.compile(
    r"how (?:about that$|nice|lovely|sad|funny)|what a |who knows$|who cares$|who would have |do not\b|have a "
    r"|how (?:on earth )?(?:would|should|could|can) (?:i|we|anyone) (?:know|tell|say)\b"
    r"|(?:are|is|was|were|do|did|does|have|has|can|could|will|would|shall) (?:not )?(?:i|you|he|she|it|we|they)$"
)
"""What looks like a question without a mark, and asks nothing: an exclamation, "How would I know.", a tag."""
_TAG = re.compile(rf"{_AUX} (?:not )?(?:i|you|he|she|it|we|they|there)(?: not)?")
"""What a statement ends with that asks: "You like jazz, don't you?"."""
_HOW = re.compile(r"how (?:old|many|much|long|often|far|tall|big|good|well|fast)\b")
_INVERTED = re.compile(rf"\A\w+ \w+ (?!{_SUBJECT}\b)(?:\w+ ){{0,3}}?{_AUX}\b")
"""Of a clause with "how much" and the like: "How many cats do you have", and not "How much I love it"."""
_DOER = re.compile(
    r"\b(?:do|does|did|has|have|had|can|could|will|would|should) (?:not )?"
    r"(?:(you|i|he|she|they|we|it)|(?:your|my|his|her|their|the|our) (\w+))\b"
)
_TENSES = {
    "past": re.compile(r"\b(?:did|was|were|had|used to|yesterday|last)\b"),
    "future": re.compile(r"\b(?:will|shall|going to|tomorrow|next)\b"),
    "present": re.compile(r"\b(?:do|does|is|are|am)\b"),
}
_BE = dict.fromkeys(("is", "are", "was", "were", "am"), "be")
_NEGATION = re.compile(r"\b(?:not|never|no|nobody|nothing|\w+n't|un(?:happy|able|well))\b")


def questions(text: str) -> list[str]:
    """Return the sentences of a text that ask something, in order, without lead-in words."""
    asking = []
    for sentence in SENTENCE.findall(text.replace("…", ". ")):
        shown = _without_lead_in(sentence.strip())
        words = _words(shown)
        if not words or _is_reaction(words):
            continue
        if shown.rstrip("!. ").endswith("?") or (len(words) >= FEWEST_WORDS and _begins_as_question(shown)):
            asking.append(shown)
    return asking


def is_courtesy(question: str) -> bool:
    """Return True if a question is asked out of courtesy, or as a service: "How are you?", "How can I help you?"."""
    return asked(question).matter in _lines("courtesies")


def plain(question: str) -> str:
    """Return the words of a question in lower case, for comparing letter by letter."""
    return " ".join(_words(question))


def is_short(question: str) -> bool:
    """Return True if a question has so few words that only its text can be compared."""
    return len(_words(question)) < FEWEST_WORDS


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks, in the parts that are compared."""

    text: str
    """The clause that asks, spelt out."""
    matter: str
    """What it asks for, if that is a matter that the rules know; else empty."""
    frame: str
    """How it asks: `where`, `how many`, ...; empty for yes/no questions."""
    persons: frozenset[str]
    subject: str
    """Who does it, where an auxiliary stands before: `you`, `parents`."""
    little: frozenset[str]
    """Its prepositions and the like."""
    words: tuple[str, ...]
    """Its words with a meaning, each in one form."""
    names: frozenset[str]
    """Its names and numbers."""
    tense: str
    """`past`, `present` or `future`; empty where no auxiliary tells."""
    negated: bool
    content: frozenset[str]
    """What it is about, in words of its own, wherever they are in the sentence; empty if all of them point."""


@lru_cache(maxsize=4096)
def asked(question: str) -> Asked:
    """Read a question into the parts that are compared."""
    clause = _clause(question)
    text = _alike(clause)
    frame, rest = _frame(text)
    persons = frozenset(PERSON_OF[word] for word in text.split() if word in PERSON_OF)
    words = tuple(dict.fromkeys(basic_form(word) for word in rest.split() if word not in _idle()))
    tense = next((name for name, pattern in _TENSES.items() if pattern.search(clause)), "")
    subject = _DOER.search(clause)
    little = frozenset(rest.split()) & word_set("prepositions")
    negated = bool(_NEGATION.search(clause))
    who = (subject[1] or subject[2]) if subject else ""
    return Asked(
        clause,
        _matter(clause),
        frame,
        persons,
        who,
        little,
        words,
        _names(question),
        tense,
        negated,
        _content(question),
    )


def same_question(first: str, second: str) -> bool | None:
    """Return True if two questions ask the same, False if not, and `None` where a model has to decide.

    The same words, or the same matter of those that the rules know, are the same question. Two such matters that differ
    are different questions. So are two short questions in other words, questions that differ in a name or number alone,
    "Why do you ...?" and "Why don't you ...?", and those with the same words that turn a relation round ("Do dogs chase
    cats?"), which a model that compares meaning cannot distinguish.
    """
    if plain(first) == plain(second):
        return True
    if is_short(first) and is_short(second):
        return False
    one, other = asked(first), asked(second)
    if one.matter and other.matter:
        return one.matter == other.matter and not _apart(one.persons, other.persons)
    turned = one.words != other.words and sorted(one.text.split()) == sorted(other.text.split())
    why_not = one.frame == other.frame == "why" and one.negated != other.negated and set(one.words) == set(other.words)
    if turned or why_not or _differ_in_names_alone(one, other):
        return False
    return True if _says_the_same(one, other) or _point_alike(one, other) else None


def have_little_to_compare(first: str, second: str) -> bool:
    """Return True if two questions share no word that says what they are about, and neither has more than one.

    What they share then is how they ask, and what they point at is not in them: "In what way?", "Or what?".
    """
    one, other = asked(first).content, asked(second).content
    return max(len(one), len(other)) <= LITTLE and not one & other


def _differ_in_names_alone(one: Asked, other: Asked) -> bool:
    """Return True if each has a name or number that the other has not, and all other words are the same."""
    names = {basic_form(name) for name in one.names | other.names}
    return _apart(one.names, other.names) and set(one.words) - names == set(other.words) - names


def _point_alike(one: Asked, other: Asked) -> bool:
    """Return True if two questions only point, in the same words: "Where did it go?", "Where has it gone?"."""
    return (
        not (one.content or other.content)
        and bool(_pointers(one))
        and (one.frame, one.negated) == (other.frame, other.negated)
        and not (one.tense and other.tense and one.tense != other.tense)
        and _pointers(one) == _pointers(other)
    )


def _pointers(one: Asked) -> list[str]:
    """Return the words of a question but for how it asks and its fillers, in order: who told whom depends on that."""
    rest = _frame(_alike(one.text))[1].split()
    return [_BE.get(word) or basic_form(word) for word in rest if word not in word_set("fills_questions")]


def _says_the_same(one: Asked, other: Asked) -> bool:
    """Return True if two questions have the same words, except those without a meaning."""
    return (
        bool(one.words)
        and set(one.words) == set(other.words)
        and (one.frame, one.little, one.tense) == (other.frame, other.little, other.tense)
        and one.negated == other.negated
        and not _apart(one.persons, other.persons)
        and not (one.subject and other.subject and one.subject != other.subject)
    )


def _apart(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return True if each side has something that the other has not."""
    return bool(one - other and other - one)


def _words(text: str) -> list[str]:
    spellings = read_table("questions")["spellings"]
    words = (word.casefold().replace("’", "'") for word in WORD.findall(text))
    return [part for word in words for part in _spell(word, spellings).split()]


def _spell(word: str, spellings: dict[str, str]) -> str:
    if word in spellings:
        return spellings[word]
    return re.sub(r"n't\Z", " not", word)


def _without_lead_in(sentence: str) -> str:
    shorter = _lead_in().sub("", sentence, count=1)
    return shorter if WORD.search(shorter) else sentence


def _is_reaction(words: list[str]) -> bool:
    return " ".join(words) in _reactions()


def _begins_as_question(shown: str) -> bool:
    """Return True if the last clause begins as questions do."""
    clause = " ".join(_words(_without_lead_in(re.split(r"[,;:] ", shown)[-1])))
    return (
        bool(_ASKS.match(clause))
        and not _NOT_ASKED.match(clause)
        and not (_HOW.match(clause) and not _INVERTED.match(clause))
        and not re.match(r"what (?:is|are) \w+ (?:is|are)\b", clause)
    )


def _clause(question: str) -> str:
    """Return the clause that asks, in plain words, without what comes before and after it."""
    parts = re.split(r"[,;:–—] ?", question)
    asking = [" ".join(_words(_without_lead_in(part.strip()))) for part in parts]
    starts = [index for index, part in enumerate(asking) if _ASKS.match(part) and not _TAG.fullmatch(part)]
    text = ", ".join(parts[starts[-1] :]) if starts else question
    words = " ".join(_words(_without_lead_in(text.strip())))
    words = re.sub(r"\A(?:(?:and|so|but|or|then) )+", "", words)
    words = _INTRODUCED.sub("", words)
    words = re.sub(r"\A(?:have|has) (\w+|(?:your|his|her|their) \w+) got\b", r"do \1 have", _ending().sub("", words))
    return re.sub(
        rf"\A({_WH}(?: old| many| much| long| far)?) (you|he|she|they|we) (are|is|were|was|do|did)\b",
        r"\1 \3 \2",
        words,
    )


def _matter(clause: str) -> str:
    return next((name for name, pattern in _matters() if pattern.fullmatch(clause)), "")


def _alike(text: str) -> str:
    """Replace words by the one that stands for all with the same meaning."""
    for pattern, word in _same_words():
        text = pattern.sub(word, text)
    return re.sub(r"\b(?:what|which) (?:kind|sort|type)s? of\b", "what", text)


def _frame(text: str) -> tuple[str, str]:
    """Return how a question asks ("where", "how many"; empty for yes or no), and its other words."""
    match = re.search(
        rf"\b(?:how (?:old|many|much|long|often|far|tall|big|well|good|fast|heavy|wide)\b|what time\b|{_WH}\b)", text
    )
    if match is None or (match.start() > 0 and re.match(_AUX, text)):
        return "", text
    frame = {"which": "what", "what time": "when", "whom": "who"}.get(match[0], match[0])
    return frame, text[: match.start()] + text[match.end() :]


def _names(question: str) -> frozenset[str]:
    words = WORD.findall(question)
    named = (word for word in words[1:] if word[:1].isupper() and word != "I" and not question.isupper())
    return frozenset(word.casefold() for word in (*named, *(word for word in words if word.isdigit())))


def _content(question: str) -> frozenset[str]:
    little = _idle() | word_set("points")
    words = _alike(" ".join(_words(question))).split()
    return frozenset(form for word in words if word not in little and (form := basic_form(word)) not in little)


def _either(lines: Iterable[str]) -> str:
    return "|".join(re.escape(line) for line in sorted(lines, key=len, reverse=True))


def _lines(name: str) -> list[str]:
    """Return the words of a list, and the phrases between its commas."""
    parts = [part.strip() for part in re.split(r",|\n", read_table("questions")[name])]
    return [part for part in parts if part]


@cache
def _idle() -> frozenset[str]:
    return word_set("idle_in_questions") | frozenset(PERSON_OF)


@cache
def _lead_in() -> re.Pattern[str]:
    either = _either(_lines("lead_ins"))
    return re.compile(rf"\A\W*(?:(?:{either})(?:[,:;!.–-]+\s*|\s+))+", re.IGNORECASE)


@cache
def _ending() -> re.Pattern[str]:
    return re.compile(rf"(?: (?:{_either(_lines('endings'))}))+\Z")


@cache
def _reactions() -> frozenset[str]:
    return frozenset(_lines("reactions"))


@cache
def _matters() -> list[tuple[str, re.Pattern[str]]]:
    return [(name, re.compile("|".join(ways))) for name, ways in read_table("questions")["same"].items()]


@cache
def _same_words() -> list[tuple[re.Pattern[str], str]]:
    return [
        (re.compile(rf"\b(?:{_either(others)})\b"), word) for word, others in read_table("questions")["words"].items()
    ]
