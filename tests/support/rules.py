"""Finds every public rule: what reads texts by words alone, without a model.

The packages are walked, so that a rule which is written tomorrow is asked too. A rule is a public function that needs
nothing but texts, by the names of its parameters; what needs other things as well is in `ASSEMBLED`.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from random import Random
from types import ModuleType

import chattest.english
import chattest.judging
import chattest.rules
import chattest.scorers
import chattest.text
from chattest.datasets.right_answers import contains_answer, find_leaked_answer
from chattest.english.synonyms import find_replacements
from chattest.judging.bleu_rouge import OVERLAP, is_long, overlap, unavailable
from chattest.judging.equivalence import STRINGS, find_picked_option, string_distances
from chattest.records.plan import split_answers
from chattest.records.question import Question
from chattest.reports.content.text import shorten
from chattest.rules import same_answer
from chattest.rules.answer_values import same_value
from chattest.rules.reading import Reading
from chattest.rules.values.parse import Value, read_values
from chattest.scorers.base import Item
from chattest.scorers.free_contradiction import candidates
from chattest.scorers.same_answer import AnswerPair, by_rule, neutral

Rule = Callable[[str, str], object]
"""Takes a reply and another text: the reply before it, the question or the right answer."""

ABOUT_TEXTS = {
    *("text", "texts", "reply", "answer", "question", "prompt", "fact", "expected", "sentence", "phrase", "part"),
    *("first", "second", "later", "one", "other", "new", "old", "plain", "altered", "said", "right", "word", "name"),
    *("adjective", "low", "clause"),
}
"""Names of parameters that a rule gets any text for."""
NO_RULES = {
    *("chattest.text.lexicon.read_list", "chattest.text.lexicon.read_set", "chattest.text.lexicon.table"),
    *("chattest.rules.tables.read_table", "chattest.rules.tables.word_set", "chattest.rules.tables.pattern"),
    *("chattest.english.word_lists.read_word_list", "chattest.english.word_lists.pattern"),
    *("chattest.english.word_lists.read_table", "chattest.english.phrases.read_phrases"),
    *("chattest.judging.chat.fence.unfenced", "chattest.english.wordnet_synonyms.find_contextual_synonyms"),
}
"""What takes the name of a list, texts that it has marked itself, or needs WordNet, which a machine may lack."""


@cache
def rules() -> dict[str, Rule]:
    """Return every rule by its name with its module."""
    found = {f"{rule.__module__}.{rule.__name__}": _asked(rule) for rule in _functions()}
    return {name: rule for name, rule in found.items() if name not in NO_RULES} | ASSEMBLED


def _modules() -> Iterator[ModuleType]:
    for package in (chattest.text, chattest.english, chattest.rules, chattest.scorers, chattest.judging):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            yield importlib.import_module(module.name)


def _functions() -> Iterator[Callable[..., object]]:
    """Yield the public functions that need nothing but texts."""
    for module in _modules():
        for name, value in vars(module).items():
            if name.startswith("_") or getattr(value, "__module__", "") != module.__name__ or isinstance(value, type):
                continue
            if callable(value) and _takes_texts(value):
                yield value


def _needed(function: Callable[..., object]) -> list[inspect.Parameter]:
    every = inspect.signature(function).parameters.values()
    return [parameter for parameter in every if parameter.default is parameter.empty]


def _takes_texts(function: Callable[..., object]) -> bool:
    needed = _needed(function)
    texts = [each for each in needed if str(each.annotation) in ("str", "<class 'str'>")]
    others = [each for each in needed if each not in texts]
    return (
        bool(texts)
        and all(each.name in ABOUT_TEXTS for each in texts)
        and all(str(each.annotation) in ("bool", "<class 'bool'>") for each in others)
    )


def _asked(function: Callable[..., object]) -> Rule:
    """Return the function as a rule: the last text is the reply, those before it are the other text."""
    needed = _needed(function)
    texts = [each.name for each in needed if "str" in str(each.annotation)]

    def rule(reply: str, other: str) -> object:
        given = {each.name: True for each in needed} | dict.fromkeys(texts, other) | {texts[-1]: reply}
        by_place = [given[each.name] for each in needed if each.kind is not each.KEYWORD_ONLY]
        result = function(*by_place, **{each.name: True for each in needed if each.kind is each.KEYWORD_ONLY})
        return list(result) if isinstance(result, Iterator) else result

    return rule


def _all_values(reply: str, other: str) -> object:
    """Compare each value of a reply with each of the other text."""
    return [same_value(*pair) for pair in _pairs(reply, other)]


def _pairs(reply: str, other: str) -> list[tuple[Value, Value]]:
    values = [Reading(text).values for text in (reply, other)]
    return [(one, two) for one in values[0] for two in values[1]]


def _fields(reply: str, other: str) -> dict[str, object]:
    """Work out every field of the reading of a reply, kept or not."""
    fields = [name for name, value in vars(Reading).items() if isinstance(value, cached_property)]
    return {name: getattr(Reading(reply), name) for name in fields}


ASSEMBLED: dict[str, Rule] = {
    "reading": _fields,
    "holds": lambda reply, other: contains_answer(reply, other),
    "leaks": lambda reply, other: find_leaked_answer(other, reply),
    "accepted": lambda reply, other: split_answers(reply),
    "read_values like": lambda reply, other: read_values(reply, like=read_values(other)[0]),
    "same_value": _all_values,
    "by_rule": lambda reply, other: by_rule(AnswerPair(other, other, reply, other)),
    "neutral": lambda reply, other: neutral(AnswerPair(other, reply, reply, other)),
    "decided": lambda reply, other: same_answer.decide(other, other, (reply, other), (None, None)),
    "candidates": lambda reply, other: candidates(Item(other, reply, earlier_replies=(other, reply))),
    "picked_option": lambda reply, other: find_picked_option(Question("Which?", options=("12", other or "x")), reply),
    "string_distances": lambda reply, other: [string_distances(measure, [reply], [other]) for measure in STRINGS],
    "overlap": lambda reply, other: [
        overlap(measure, reply, [other]) for measure in OVERLAP if is_long(other) and not unavailable(measure)
    ],
    "shortened": lambda reply, other: shorten(reply, 80),
    "replacements": lambda reply, other: find_replacements(reply, Random(1)),
}
"""Rules that need more than texts, as the scorers and checks that use them ask them."""
