"""ELIZA, the first chatbot, with the script of nltk.chat."""

import re
from random import Random
from typing import Any

from chattest import Chatter
from chattest.files.light_import import import_alone
from chattest.records.plan import ProbePlan
from chattest.rules.person import to_second_person


class Eliza(Chatter):
    """ELIZA, the psychotherapist of 1966; embedded, needs no network. A good driver: she keeps asking.

    The script is nltk's. It is applied here because nltk uses global randomness and fails on a "%" in its input.
    """

    harmless = True
    at_once = 8

    @classmethod
    def load(cls, options: Any) -> Any:
        """Return the script: patterns, each with its answers."""
        (script,) = import_alone("nltk", "chat.eliza")
        return [(re.compile(pattern, re.IGNORECASE), answers) for pattern, answers in script.pairs]

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Seed her random choices."""
        self._generator = Random(f"{seed}/eliza")

    def get_response(self, conv_array: list[str]) -> str:
        """Return her reply to the last text."""
        if not conv_array:
            return "Hello. How are you feeling today?"
        heard = " ".join(conv_array[-1].split()).rstrip("!.")
        for pattern, answers in self.shared:
            if match := pattern.match(heard):
                return self._fill(self._generator.choice(answers), match)
        return ""  # not reached: the last pattern of nltk's script matches everything

    def _fill(self, answer: str, match: re.Match[str]) -> str:
        """Return the answer with %1, %2, ... replaced by parts of the input, with the person changed."""

        def change_person(slot: re.Match[str]) -> str:
            heard = match.group(int(slot.group(1))).strip()
            swapped = to_second_person(heard.lower() if heard.isupper() else heard)
            # A part of a sentence: only "I" has a capital letter there.
            begins_with_i = swapped.startswith(("I ", "I'"))
            return swapped if begins_with_i else swapped[:1].lower() + swapped[1:]

        filled = re.sub(r"%(\d)", change_person, answer)
        return re.sub(r"\?([.?])$", r"\1", filled)  # the input may end with a question mark, too
