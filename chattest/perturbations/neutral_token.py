"""Add polite words without meaning, before or after the text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from chattest.english.lowercase_first import lowercase_first
from chattest.english.speech_act import asks, commands, first_sentence, last_sentence, takes_please
from chattest.perturbations._around import find_missing_mark
from chattest.perturbations.base import Perturbation, perturbation

_PLEASE = frozenset(("please", "pls", "plz"))
_SHORT = frozenset(("pls", "plz", "thx"))
_ASKING = frozenset(("excuse me", "thank you", "thanks", "thx"))
"""Said by somebody who wants something."""
_GREETINGS = re.compile(r"\A\W*(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings|dear)\b", re.IGNORECASE)
_HELLO = frozenset(("hello", "hi", "hey", "greetings"))


@perturbation("neutral_token")
@dataclass(frozen=True)
class NeutralToken(Perturbation):
    """Adds polite words before or after the text: "Hello, what is the name of my cat?".

    "Excuse me" and "thank you" are only added to questions and requests, "please" only to requests ("Please tell me a
    joke.", "Can I come in, please?"), and "pls" only to requests and questions in lower case. The words get the case
    and the marks that they need. The option `before` lists the words for `pre_insertion`, `after` those for
    `post_insertion`. (Azimuth: Neutral Token.)
    """

    before: tuple[str, ...] = ("pls", "please", "hello", "hi", "excuse me")
    """Words to put before the text."""
    after: tuple[str, ...] = ("pls", "please", "thank you", "thanks")
    """Words to put after the text."""

    family = "azimuth"
    kinds = ("pre_insertion", "post_insertion")
    dose_unit = "tokens"
    dose_max = 1.0
    whole = True

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        core = text.strip()
        before = kind == "pre_insertion"
        tokens = [token for token in (self.before if before else self.after) if token and _fits(core, token, before)]
        if not core or not tokens:
            return None
        new = (_put_in_front if before else _put_behind)(core, rng.choice(tokens))
        start = len(text) - len(text.lstrip())
        return text[:start] + new + text[start + len(core) :], 1


def _fits(core: str, token: str, before: bool) -> bool:
    """Return True if a person could add the word before or after the text, which does not have it already."""
    low = token.lower()
    if re.search(rf"\b{re.escape(low.partition(' ')[0])}\b", core, re.IGNORECASE):
        return False
    if low in _SHORT and core != core.lower():
        return False
    if low in _HELLO | {"excuse me"} and before and _GREETINGS.match(core):
        return False
    sentence = first_sentence(core) if before else last_sentence(core)
    question = first_sentence(core) if before else core
    if low in _PLEASE:
        return not _says(core, _PLEASE) and (takes_please(sentence) or (not before and low in _SHORT and asks(core)))
    if low == "excuse me" and commands(sentence):
        return False
    return asks(question) and not _says(core, ("thank", "thanks", "thx")) if low in _ASKING else True


def _says(core: str, words: Sequence[str] | frozenset[str]) -> bool:
    return re.search(rf"\b(?:{'|'.join(words)})\b", core, re.IGNORECASE) is not None


def _put_in_front(core: str, token: str) -> str:
    """Put the word before the text: "Hello, where is my cat?", "Please tell me.", "Hello! Anna is here."."""
    token = _set_case(token, core)
    if token.lower() in _PLEASE and commands(core):
        return f"{token} {lowercase_first(core) or core}"
    if core == core.lower() or core == core.upper():
        return f"{token}, {core}"
    sentence = lowercase_first(core)
    return f"{token}, {sentence}" if sentence else f"{token}! {core}"


def _put_behind(core: str, token: str) -> str:
    """Put the word after the text: "Where is my cat? Thank you.", "Tell me a joke, please."."""
    bare = core.rstrip(".?!")
    if token.lower() in _PLEASE:
        token = token.upper() if core.isupper() else token
        return f"{bare}{',' if bare != core else ''} {token}{core[len(bare) :]}"
    end = "" if core == core.lower() else "."
    return f"{core}{find_missing_mark(core)} {_set_case(token, core)}{'' if token[-1:] in '.!?' else end}"


def _set_case(token: str, core: str) -> str:
    """Write the word in small letters or capitals as the text, or else with one capital."""
    if core == core.lower():
        return token
    return token.upper() if core.isupper() else token[:1].upper() + token[1:]
