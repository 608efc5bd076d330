"""A model chatter as the judge of whether two answers are the same."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from chattest.chatter.base import as_reply
from chattest.chatter.calls import Answering
from chattest.chatter.instance import ChatterSpec
from chattest.chatter.loader import chatter_options, find_chatter
from chattest.errors import ModelError
from chattest.records.plan import ProbePlan
from chattest.records.question import Question
from chattest.settings.declaration import Settings

ASKED = (
    "Two people answered the same question. Question: {question}\nFirst answer: {expected}\nSecond answer: {given}\n"
    "Do the two answers say the same? Reply with yes or no."
)


class ChatterGrader:
    """Asks the chatter of the setting `check_chatter`; it is loaded when first asked, and each pair once."""

    def __init__(self, settings: Settings, chatters: Path) -> None:
        """chatters: the folder `chatters/`. Raises `InputError` when there is no such chatter."""
        self._settings = settings
        name = settings.check_chatter
        cls = find_chatter(name, chatters, "check_chatter")
        given = dict(settings.chatter_options.get(name, {}))
        for option, setting in cls.from_settings.items():
            given.setdefault(option, getattr(settings, setting.format(position=2)))
        self._cast = ChatterSpec(name, cls, chatter_options(cls, given, f'chatter_options["{name}"]'))
        self._loaded = False
        self._known: dict[str, float] = {}

    def __call__(self, pairs: Sequence[tuple[Question, str, str]]) -> list[float]:
        """1 where it says yes, 0 where it says anything else. Raises `ModelError` when it fails."""
        if not self._loaded:
            self._cast.load()
            self._loaded = True
        return [
            self._graded(ASKED.format(question=question.shown, expected=expected, given=given))
            for question, expected, given in pairs
        ]

    def _graded(self, prompt: str) -> float:
        if prompt in self._known:
            return self._known[prompt]
        answering = Answering("grader")
        chatter = self._cast.make()
        try:
            ask = partial(answering.ask, timeout=self._settings.reply_timeout)
            ask(partial(chatter.start, "grading", f"{self._settings.seed}/grading", ProbePlan(2)))
            reply = as_reply(ask(partial(chatter.get_response, [prompt])))
        except Exception as error:  # whatever a chatter does, it is the judge that failed, not the bot under test
            raise ModelError(f"{self._cast.name} cannot judge: {type(error).__name__}: {error}") from error
        finally:
            with suppress(Exception):
                chatter.close()
            answering.close()
        words = "".join(letter if letter.isalpha() else " " for letter in "\n".join(reply.texts).casefold()).split()
        self._known[prompt] = float(words[:1] == ["yes"])
        return self._known[prompt]
