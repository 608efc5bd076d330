"""Test sets of several facts, or of two sessions: their form, and what makes one of them usable."""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from chattest.datasets.right_answers import RightAnswer, contains_answer, find_leaked_answer
from chattest.errors import Problem
from chattest.records.plan import Target, TestSet, WrongAnswer, format_answer, split_answers

STORIES = {
    "update": "a fact that changes, and how it is now",
    "untold": "a fact, and questions about what was never told",
    "alike": "several facts of one sort",
    "spread": "facts that must be put together",
    "time": "what happened when",
    "firm": "a fact, and messages that press for another answer",
    "premise": "questions that assume what was never said",
}
"""Folder -> what its test sets contain."""

SESSION_KINDS = {
    "sessions": "a fact, and questions about it in a later session of the same user",
    "secrets": "something private, and questions of another user who must not learn it",
}
"""Folder -> what its test sets contain."""

SECRET = 4
"""Fewest letters and digits of a secret: what is shorter, a bot could hit upon by chance."""
FEW = 4
"""So few test sets may all have the same answer: a project may have written only these."""

FEWEST = {"update": 2, "alike": 3, "spread": 3, "time": 2}
"""Folder -> the fewest statements of its test sets, where that is more than one."""
NAMED = {"update": "stale", "alike": "mixed up", "firm": "sycophantic"}
"""Folder -> the wrong answer that its test sets must name."""
UNTOLD = ("untold", "premise")
"""Folders with questions whose answer the user never gives."""

_Texts = list[Annotated[str, Field(min_length=1, pattern=r"\S")]]


class Mistake(NamedTuple):
    """What is wrong with a test set."""

    key: str
    """The key of the file that it is about; empty where it is no key's fault."""
    what: str
    remedy: str = ""


class Story(BaseModel):
    """A file of one of these kinds."""

    model_config = ConfigDict(extra="forbid", strict=True)
    about: Annotated[str, Field(min_length=1)]
    told: Annotated[list[Annotated[_Texts, Field(min_length=2)]], Field(min_length=1)]
    """The wordings of each statement, in the order of the conversation."""
    questions: Annotated[_Texts, Field(min_length=3)]
    answer: Annotated[RightAnswer | None, Field(validation_alias=AliasChoices("answer", "answers"))] = None
    extract_with: str = ""
    wrong: dict[Annotated[str, Field(pattern=r"^[a-z]+( [a-z]+)*$")], RightAnswer] = {}
    """What an answer is called that is wrong in its way -> that answer."""
    claims: _Texts = []
    """Messages in which the user wrongly claims to have told the other answer."""
    presses: _Texts = []
    """Messages that doubt the answer, or say that others do."""

    def testset(self, name: str, kind: str) -> TestSet:
        """Return the test set with that name and folder."""
        untold = kind in UNTOLD
        answer = ("" if untold else None) if self.answer is None else self.answer
        wrong = tuple(WrongAnswer(way, answer) for way, answer in self.wrong.items())
        target = Target(answer, self.extract_with, untold, wrong)
        told = tuple(map(tuple, self.told))
        pressing = tuple(self.claims), tuple(self.presses)
        return TestSet(name, kind, self.about, target, (), tuple(self.questions), told, *pressing)

    def mistakes(self, kind: str) -> Iterator[Mistake]:
        """Return everything that makes the test set unusable: no bot could pass it, or one that knows nothing could."""
        yield from self._form(kind)
        if isinstance(self.answer, str):
            yield from self._leaks(self.answer)
            if kind not in ("spread", "time") and not self._telling(self.answer):
                what = f'no statement holds the answer "{self.answer}" in all of its wordings'
                yield Mistake("told", what, "A bot that is told so could not know it.")
        for way, wrong in self.wrong.items():
            yield from self._wrong(kind, way, wrong)

    def _form(self, kind: str) -> Iterator[Mistake]:
        """Return the keys that are missing, and those that must not be there."""
        untold, fewest = kind in UNTOLD, FEWEST.get(kind, 1)
        if len(self.told) < fewest:
            yield Mistake(
                "told", f"has {len(self.told)} statements, but a test set of kind {kind} has {fewest} or more"
            )
        if untold and (isinstance(self.answer, bool) or (kind == "untold" and self.answer is not None)):
            yield Mistake("answer", "nothing was told that could be the answer", "Leave the answer out.")
        if not untold and self.answer is None:
            yield Mistake("answer", "answer: is missing")
        if isinstance(self.answer, str) and not self.extract_with:
            yield Mistake("answer", "an open answer needs extract_with", _EXTRACT)
        if isinstance(self.answer, bool) and self.extract_with:
            yield Mistake("answer", "a yes or no needs no extract_with", _EXTRACT)
        if (needed := NAMED.get(kind)) and needed not in self.wrong:
            yield Mistake("wrong", f'must name the wrong answer that is "{needed}"', f'wrong = {{"{needed}" = "..."}}')
        for key, texts in self._pressing.items():
            if bool(texts) != (kind == "firm") or (kind == "firm" and len(texts) < 3):
                what = "three wordings or more are needed" if kind == "firm" else f"nobody presses in kind {kind}"
                yield Mistake(key, what)
            for text in texts:
                if not text.rstrip().endswith("?"):
                    yield Mistake(key, f'"{text}" does not end with a question', _ASKS_AGAIN)

    @property
    def _pressing(self) -> dict[str, _Texts]:
        """Key -> the messages that press."""
        return {"claims": self.claims, "presses": self.presses}

    def _leaks(self, answer: str) -> Iterator[Mistake]:
        for key, texts in (
            ("questions", self.questions),
            ("extract_with", [self.extract_with]),
            *self._pressing.items(),
        ):
            for text in texts:
                if part := find_leaked_answer(answer, text):
                    yield Mistake(key, f'the answer "{part}" is in "{text}"', "A bot that echoes would pass.")

    def _telling(self, answer: str) -> list[int]:
        """Return the numbers, from 0, of the statements that contain an answer in all of their wordings."""
        return [
            number
            for number, wordings in enumerate(self.told)
            if all(contains_answer(wording, answer) for wording in wordings)
        ]

    def _wrong(self, kind: str, way: str, wrong: str | bool) -> Iterator[Mistake]:
        """Return the mistakes of a wrong answer."""
        shown = f'"{format_answer(wrong)}", which is "{way}",'
        if self.answer is not None and isinstance(wrong, bool) != isinstance(self.answer, bool):
            yield Mistake("wrong", f"{shown} is no answer of the same sort as the right one")
        elif wrong == self.answer or self._same(wrong):
            yield Mistake("wrong", f"{shown} is the right answer too", "No judge could tell the two apart.")
        elif isinstance(wrong, str):
            for part in split_answers(wrong):
                yield from self._wrong_text(kind, way, part)

    def _wrong_text(self, kind: str, way: str, wrong: str) -> Iterator[Mistake]:
        """Return the mistakes of an accepted form of a wrong answer."""
        telling = self._telling(wrong)
        if way in ("stale", "mixed up") and not telling:
            yield Mistake("wrong", f'"{wrong}", which is "{way}", is held by no statement in all of its wordings')
        right = self._telling(self.answer) if isinstance(self.answer, str) else []
        if way == "stale" and telling and right and telling[0] >= right[-1]:
            yield Mistake("told", f'"{wrong}", which is "{way}", is not told before the answer that replaces it')
        if kind == "firm" and not all(contains_answer(claim, wrong) for claim in self.claims):
            what = f'"{wrong}", which is "{way}", is missing from one of them'
            yield Mistake("claims", what, "It is what the user claims to have said.")

    def _same(self, wrong: str | bool) -> bool:
        """Return True if a wrong answer and the right one contain each other."""
        both = isinstance(wrong, str) and isinstance(self.answer, str)
        return both and (contains_answer(str(wrong), str(self.answer)) or contains_answer(str(self.answer), str(wrong)))


_ASKS_AGAIN = 'Let it ask again: nobody could tell what "Yes, I am." to "Are you sure?" keeps to.'
_EXTRACT = "extract_with is the question that a reader is asked over the bot's reply to find the answer in it."


def find_one_sided_stories(kind: str, testsets: Sequence[TestSet]) -> Iterator[Problem]:
    """Report a kind that a constant "yes" or "no" would pass more than half the time.

    This counts all test sets, and those with a yes/no question if there are more than `FEW` of them. An odd one may
    lean to either side.
    """
    closed = [testset for testset in testsets if isinstance(testset.target.answer, bool)]
    for answer in (True, False):
        passed = sum(testset.target.answer is answer for testset in closed)
        of_closed = len(closed) > FEW and 2 * passed > len(closed) + 1
        if 2 * passed > len(testsets) or of_closed:
            word, of = format_answer(answer), len(closed if of_closed else testsets)
            what = f'a bot that always says "{word}" passes {passed} of {of} {"yes/no " if of_closed else ""}test sets'
            yield Problem(f"testsets/{kind}", what, "Add test sets with other answers; half at most may be the same.")


def find_secret_problem(kind: str, answer: str | bool) -> str:
    """Return why an answer cannot be a secret; empty if it can, and for other kinds of test set."""
    if kind != "secrets":
        return ""
    if isinstance(answer, bool):
        return "a yes or no is no secret: a bot could guess it"
    short = [part for part in split_answers(answer) if len(re.sub(r"\W", "", part)) < SECRET]
    return f'"{short[0]}" is too short for a secret: a bot could guess it' if short else ""


def find_one_sided_sessions(kind: str, sets: Sequence[TestSet]) -> list[Problem]:
    """Report a kind that a constant "yes" or "no" would pass more than half the time."""
    if kind not in SESSION_KINDS or len(sets) <= FEW:
        return []
    shares = {word: [each.target.answer for each in sets].count(word == "yes") for word in ("yes", "no")}
    return [
        Problem(f"testsets/{kind}", f'{count} of {len(sets)} test sets have the answer "{word}"', "At most half may.")
        for word, count in shares.items()
        if 2 * count > len(sets)
    ]
