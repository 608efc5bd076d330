"""A driver that holds small talk: threads of lines, answers to what it is asked, and a way back from planted lines."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

from chattest import Chatter
from chattest.records.plan import ProbePlan, Purpose
from chattest.rules.dialogue_act import only_falls_back, says_nothing
from chattest.rules.reading import read
from chattest.rules.yes_no import read_answer
from chattest.text.lemmas import basic_form

FILE = Path(__file__).parent / "data" / "companion.toml"
Form = Literal["yes", "no", "fact", "question", "nothing"]
"""What a reply looks like to the driver."""
FORMS: tuple[Form, ...] = ("yes", "no", "fact", "question", "nothing")
FEWEST_LETTERS = 4
"""Letters of a word that can make two texts be about the same thing."""
MOST_THREADS = 3
"""Threads that may share a word that tells what they are about."""


class Thread(NamedTuple):
    """A small talk about one topic."""

    topic: str
    opening: str
    lines: tuple[dict[Form, str], ...]
    """Follow-ups, each with a text for every form of the reply before it."""
    words: frozenset[str]
    """Words that few other threads have: what it is about."""


class Answers(NamedTuple):
    """What the driver says to questions of one form."""

    asks: re.Pattern[str]
    lines: tuple[str, ...]


class Script(NamedTuple):
    """All that the driver can say."""

    greetings: tuple[str, ...]
    changes: tuple[str, ...]
    """What leads to another topic."""
    returns: dict[str, tuple[str, ...]]
    """What leads from a planted line to small talk, by what it was: a fact, or a question, answered or not."""
    about_planted: tuple[str, ...]
    """Answers to a question about a planted fact: there is no more to tell."""
    answers: tuple[Answers, ...]
    threads: tuple[Thread, ...]


class Companion(Chatter):
    """A friendly driver that keeps small talk going, answers questions, and never quotes the bot. Embedded.

    Its lines state no fact about itself, so that they cannot contradict what a probe plants.
    """

    harmless = True
    at_once = 8

    @classmethod
    def load(cls, options: Any) -> Script:
        """Return the lines in `data/companion.toml`."""
        tables = tomllib.loads(FILE.read_text("utf-8"))
        answers = (
            Answers(re.compile(table["asks"], re.IGNORECASE), tuple(table["lines"])) for table in tables["answers"]
        )
        return Script(
            greetings=tuple(tables["greetings"]),
            changes=tuple(tables["changes"]),
            returns={after: tuple(lines) for after, lines in tables["returns"].items()},
            about_planted=tuple(tables["about_planted"]),
            answers=tuple(answers),
            threads=tuple(_make_threads(tables["threads"])),
        )

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Shuffle the threads; those that share a word with a planted text come last."""
        self._generator = Random(f"{seed}/companion")
        planted = find_words(step.text for _, step in plan.steps())
        self._informing = {step.spoken for _, step in plan.steps() if step.purpose is Purpose.INFORM}
        threads = self._generator.sample(self.shared.threads, len(self.shared.threads))
        self._threads = sorted(threads, key=lambda thread: bool(thread.words & planted))
        self._opened = 0
        self._follow_ups: list[dict[Form, str]] = []
        self._planted = ""
        self._decks: dict[tuple[str, ...], list[str]] = {}

    def sent_instead(self, text: str, conv_array: list[str]) -> None:
        """Leave the thread: a planted line has interrupted it."""
        self._follow_ups = []
        self._planted = text

    def get_response(self, conv_array: list[str]) -> str:
        """Return the next line of the thread that fits the form of the last reply, or open another thread."""
        reply = conv_array[-1] if conv_array else ""
        before = conv_array[-2] if len(conv_array) > 1 else ""
        planted, self._planted = self._planted, ""
        if not before:
            return f"{self._choose(self.shared.greetings)} {self._open_thread()}"
        form = find_form(before, reply)
        parts = [self._answer(reply, planted)] if form == "question" else []
        if self._follow_ups:
            parts.append(self._follow_ups.pop(0)[form])
        else:
            parts += [self._choose(self._find_leads(planted, form)), self._open_thread()]
        return " ".join(part for part in parts if part)

    def _find_leads(self, planted: str, form: Form) -> tuple[str, ...]:
        """Return the lines that may lead to another thread."""
        if not planted or form == "question":
            leads: tuple[str, ...] = self.shared.changes
        elif planted in self._informing:
            leads = self.shared.returns["fact"]
        else:
            leads = self.shared.returns["unanswered" if form == "nothing" else "answered"]
        return leads

    def _open_thread(self) -> str:
        """Return the opening of the next thread; after the last one comes the first again."""
        thread: Thread = self._threads[self._opened % len(self._threads)]
        self._opened += 1
        self._follow_ups = list(thread.lines)
        return thread.opening

    def _answer(self, reply: str, planted: str) -> str:
        """Answer what the bot asks, by the form of its question."""
        if planted in self._informing:
            return self._choose(self.shared.about_planted)
        question = read(reply).last_sentence
        return next(self._choose(answers.lines) for answers in self.shared.answers if answers.asks.search(question))

    def _choose(self, lines: tuple[str, ...]) -> str:
        """Return each of the lines once, in a random order, before one comes again."""
        if not self._decks.get(lines):
            self._decks[lines] = self._generator.sample(lines, len(lines))
        return self._decks[lines].pop()


def find_form(before: str, reply: str) -> Form:
    """Return the form of a reply to the driver's last text."""
    if only_falls_back(reply):
        return "nothing"
    if read(reply).last_sentence.rstrip().endswith("?") and read(reply).words:
        return "question"
    if says_nothing(reply):
        return "nothing"
    return read_answer(read(before).last_sentence, reply) or "fact"


def _make_threads(tables: Sequence[dict[str, Any]]) -> Iterator[Thread]:
    words = [
        find_words([table["topic"], table["opening"], *(text for line in table["lines"] for text in line.values())])
        for table in tables
    ]
    threads_with = Counter(word for words_of_one in words for word in words_of_one)
    for table, words_of_one in zip(tables, words, strict=True):
        rare = frozenset(word for word in words_of_one if threads_with[word] <= MOST_THREADS)
        yield Thread(table["topic"], table["opening"], tuple(table["lines"]), rare)


def find_words(texts: Iterable[str]) -> frozenset[str]:
    """Return the words with a meaning of texts, in their basic form."""
    words = (word for text in texts for word in read(text).content_words)
    return frozenset(basic_form(word) for word in words if len(word) >= FEWEST_LETTERS)
