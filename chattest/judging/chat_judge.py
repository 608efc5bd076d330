"""A model chatter that judges whether two answers say the same."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from chattest.chatter.asking import Asker
from chattest.chatter.failure import described
from chattest.chatter.instance import ChatterSpec
from chattest.chatter.loader import chatter_options, find_chatter, given_options
from chattest.errors import ChatterError, ModelError
from chattest.records.plan import ProbePlan
from chattest.records.question import Question
from chattest.settings.declaration import Settings

PROMPT = (
    "Two people answered the same question. Question: {question}\nFirst answer: {expected}\nSecond answer: {given}\n"
    "Do the two answers say the same? Reply with yes or no."
)


class ChatterGrader:
    """Asks the chatter that the setting `check_chatter` names; loads it at the first call and asks each pair once."""

    def __init__(self, settings: Settings, chatters: Path) -> None:
        """chatters: the folder `chatters/`. Raises `InputError` when there is no such chatter."""
        self._settings = settings
        name = settings.check_chatter
        cls = find_chatter(name, chatters, "check_chatter")
        given = given_options(cls, settings.chatter_options.get(name, {}), settings, chatters, 2)
        options = chatter_options(cls, given, f'chatter_options["{name}"]')
        self._spec = ChatterSpec(name, cls, options, folder=chatters)
        self._loaded = False
        self._grades: dict[str, float] = {}

    def __call__(self, pairs: Sequence[tuple[Question, str, str]]) -> list[float]:
        """For each pair of answers, 1 when the chatter says yes and 0 when it says anything else.

        pairs: question, expected and given answer. Raises `ModelError` when the chatter fails.
        """
        if not self._loaded:
            try:
                self._spec.load()
            except ChatterError as error:
                raise ModelError(f"{self._spec.name} cannot judge: {error}") from error
            self._loaded = True
        return [
            self._grade(PROMPT.format(question=question.shown, expected=expected, given=given))
            for question, expected, given in pairs
        ]

    def _grade(self, prompt: str) -> float:
        if prompt in self._grades:
            return self._grades[prompt]
        asker = Asker("judge", self._settings.reply_timeout, self._settings.max_reply_length)
        chatter = self._spec.make()
        try:
            asker.tell(chatter, "start", "grading", f"{self._settings.seed}/grading", ProbePlan(2))
            response = asker.reply(chatter, [prompt])
        except Exception as error:  # a chatter may raise anything; here the judge failed, not the bot under test
            raise ModelError(f"{self._spec.name} cannot judge: {described(error)}") from error
        finally:
            with suppress(Exception):
                asker.tell(chatter, "close")
            asker.close()
        if response.error is not None:
            raise ModelError(f"{self._spec.name} cannot judge: {response.error}")
        words = "".join(letter if letter.isalpha() else " " for letter in response.text.casefold()).split()
        self._grades[prompt] = float(words[:1] == ["yes"])
        return self._grades[prompt]
