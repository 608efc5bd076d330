"""Find the purpose of a text: whether it asks, and whether its question is a request."""

import re

from chattest.english.clause import AUXILIARIES
from chattest.english.word_lists import pattern, read_word_list

_ASKING = read_word_list("speech_act", "asking")
_SUBJECTS = read_word_list("speech_act", "subjects")
_COMMANDS = read_word_list("speech_act", "commands")
_SENTENCE = re.compile(r"(?<![.!?])[.!?]+\s+")
_FIRST = re.compile(r"\A[\W_]*((?:[^\W_]|['’](?=\w))+)(?:\s+([^\W_]+))?(?:\s+([^\W_]+))?")


def last_sentence(text: str) -> str:
    """Return the last sentence of a text, without blanks around it."""
    return _SENTENCE.split(text.strip().rstrip(".!?… \n"))[-1].strip()


def first_sentence(text: str) -> str:
    """Return the first sentence of a text with its mark, without blanks around it."""
    rest = text.strip()
    end = _SENTENCE.search(rest)
    return rest[: end.end()].strip() if end else rest


def asks(text: str) -> bool:
    """Return True if the last sentence asks for something: as a question, or as a command ("tell me a joke")."""
    return questions(text) or _read_first_words(last_sentence(text))[0] in _COMMANDS


def questions(text: str) -> bool:
    """Return True if the last sentence is a question, by its mark or by its first words."""
    if text.rstrip().endswith("?"):
        return True
    first, second, _ = _read_first_words(last_sentence(text))
    if first in AUXILIARIES or re.sub(r"n['’]t$", "", first) in AUXILIARIES | {"ca", "wo"}:
        return second in _SUBJECTS
    return first in _ASKING


def requests(question: str) -> bool:
    """Return True if a yes/no question asks for more than yes or no: "Can you tell me the way?"."""
    first, second, third = _read_first_words(question)
    if first in ("may", "might", "shall") or (first in ("can", "could") and second in ("i", "we") and third == "have"):
        return True
    if second != "you":
        return first == "could" and second in ("i", "we")
    return first in ("would", "could", "will") or third in ("know", "mind", "remember", "tell", "please", "want")


def asks_opinion(question: str) -> bool:
    """Return True if a question asks for somebody's opinion: "Do you think it will rain?"."""
    return pattern("speech_act", "asks_opinion").search(question) is not None


def commands(text: str) -> bool:
    """Return True if the first word is a command: "tell me a joke"."""
    return _read_first_words(text)[0] in _COMMANDS and not questions(text)  # "Do I have a garden?"


def takes_please(sentence: str) -> bool:
    """Return True if "please" fits a sentence: a command, or a question such as "Can I come in?"."""
    first, second, third = _read_first_words(sentence)
    if first in ("can", "could", "may"):
        return second in ("i", "we") or (second == "you" and third in _COMMANDS)
    return commands(sentence)


def _read_first_words(text: str) -> tuple[str, str, str]:
    match = _FIRST.match(text)
    if match is None:
        return "", "", ""
    first, second, third = ((word or "").lower() for word in match.groups())
    return first, second, third
