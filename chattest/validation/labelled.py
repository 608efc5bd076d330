"""Labelled replies: their forms, and how they are read or made from saved conversations.

A labelled file is JSONL, one case a line, in one of these forms (`tags` and `bot` are optional everywhere):

    {"kind": "open", "information", "question", "extract_with", "expected", "reply", "label", "tags"}
    {"kind": "closed", "information", "question", "expected": "yes" | "no", "reply", "label", "tags"}
    {"kind": "toxicity", "text", "label", "tags"}
    {"kind": "coherence", "context": [texts], "prompt", "reply", "label", "tags"}
    {"kind": "consistency", "question", "first", "reply", "label", "tags"}
    {"kind": "same_question", "first", "second", "label", "tags"}
    {"kind": "same_answer", "question", "altered", "first", "second", "label", "tags"}
    {"kind": "stutter", "reply", "label", "tags"}
    {"kind": "abstention", "information", "question", "extract_with", "expected", "reply", "label", "tags"}

`label` is true if the reply gives the expected answer, the text is toxic, the reply is coherent or agrees with the
first one, the second question asks the same again, both answers mean the same, the reply stutters, or it admits that it
cannot know. `bot` names the bot whose reply it is: figures correct the rates of a run only if every reply is a bot's.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from chattest.errors import InputError, Problem
from chattest.files.reading import read_text
from chattest.files.schema_errors import list_json_problems
from chattest.records.conversation import Conversation, Speaker
from chattest.records.plan import Purpose, Target, join_answers
from chattest.scorers.base import Item


class _Case(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    label: bool
    """The right verdict, in the words of the form: the answer is given, the text is toxic, the reply is coherent."""
    tags: tuple[str, ...] = ()
    """Names of groups of cases; the accuracy of each is shown."""
    bot: str = ""
    """The bot whose reply it is; empty if somebody wrote it for the file."""


class Open(_Case):
    """A reply to an open question."""

    kind: Literal["open"]
    information: str = ""
    question: str
    extract_with: str
    expected: Annotated[str, BeforeValidator(join_answers)]
    """The accepted answer, or a list of accepted answers."""
    reply: str

    def item(self) -> Item:
        """Return the case as a scorer takes it."""
        facts = (self.information,) if self.information else ()
        return Item(self.question, self.reply, self.expected, self.extract_with, facts=facts)


class Consistent(_Case):
    """A later reply of a bot about itself, which agrees with its first one or not."""

    kind: Literal["consistency"]
    question: str
    first: str
    """The bot's first reply to the question."""
    reply: str

    def item(self) -> Item:
        """Return the case as a scorer takes it."""
        return Item(self.question, self.reply, self.first, self.question)


class Closed(_Case):
    """A reply to a yes/no question."""

    kind: Literal["closed"]
    information: str = ""
    question: str
    expected: Literal["yes", "no"]
    reply: str

    def item(self) -> Item:
        """Return the case as a scorer takes it."""
        return Item(
            self.question, self.reply, self.expected == "yes", facts=(self.information,) if self.information else ()
        )


class ToxicText(_Case):
    """A text that is toxic or not."""

    kind: Literal["toxicity"]
    text: str

    def item(self) -> Item:
        """Return the case as a scorer takes it."""
        return Item("", self.text)


class CoherentReply(_Case):
    """A reply that fits the conversation before it, or not."""

    kind: Literal["coherence"]
    context: tuple[str, ...]
    prompt: str
    reply: str

    def item(self) -> Item:
        """Return the case as a scorer takes it."""
        return Item(self.prompt, self.reply, history=self.context)


class SameQuestion(_Case):
    """Two questions of a bot: the second asks the same again, or not."""

    kind: Literal["same_question"]
    first: str
    second: str

    def item(self) -> Item:
        """Return the case as a scorer takes it."""
        return Item("", self.second, earlier_replies=(self.first,))


class SameAnswer(_Case):
    """Two answers to one question, or to two that ask the same: they mean the same, or not."""

    kind: Literal["same_answer"]
    question: str
    altered: str = ""
    """The question of the second answer; empty if it was the same."""
    first: str
    second: str

    def item(self) -> Item:
        """Return the case as a scorer takes it."""
        return Item(self.altered or self.question, self.second, self.first, self.question)


class Stuttering(_Case):
    """A reply that stutters or not."""

    kind: Literal["stutter"]
    reply: str

    def item(self) -> Item:
        """Return the case as a scorer takes it."""
        return Item("", self.reply)


class Abstaining(_Case):
    """A reply to a question that cannot be answered from the facts: it admits that, or not."""

    kind: Literal["abstention"]
    information: str = ""
    """The fact that the user gave."""
    question: str
    extract_with: str = ""
    """The question that the reader is asked about the reply; empty for a yes/no question."""
    expected: str = ""
    """The fact that contradicts what the question assumes; empty if there is none."""
    reply: str

    def item(self) -> Item:
        """Return the case as a scorer takes it."""
        facts = (self.information,) if self.information else ()
        return Item(self.question, self.reply, self.expected, self.extract_with, user_statements=facts)


Labelled = Open | Consistent | Closed | ToxicText | CoherentReply | SameQuestion | SameAnswer | Stuttering | Abstaining
FORMS: tuple[str, ...] = tuple(
    name for form in get_args(Labelled) for name in get_args(form.model_fields["kind"].annotation)
)
"""Every `kind` that a line of a labelled file may have."""
_FORM: TypeAdapter[Labelled] = TypeAdapter(Annotated[Labelled, Field(discriminator="kind")])


def make_case(values: dict[str, Any]) -> Labelled:
    """Make a labelled case from the values of a line. Raises pydantic's `ValidationError` if they fit no form."""
    return _FORM.validate_python(values)


def read_cases(paths: Sequence[Path]) -> list[Labelled]:
    """Read the labelled cases of files, in order. Raises `InputError` with file and line of every fault."""
    problems: list[Problem] = []
    cases: list[Labelled] = []
    for path in paths:
        try:
            # Not splitlines: a text may hold U+2028 and the like, which JSON allows in it.
            lines = read_text(path).split("\n")
        except InputError as error:
            problems.extend(error.problems)
            continue
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                cases.append(_FORM.validate_json(line))
            except ValidationError as error:
                problems.append(Problem(f"{path}:{number}", str(list_json_problems(error, line)[0])))
    if not cases and not problems:
        problems.append(
            Problem(
                ", ".join(map(str, paths)) or "validate",
                "there are no labelled cases",
                "Name a file of labelled replies (JSONL).",
            )
        )
    if problems:
        raise InputError(problems)
    return cases


def shuffle_replies(conversations: Sequence[Conversation], seed: int) -> list[Labelled]:
    """Make cases in which saved replies are assigned to other questions and prompts, to measure false alarms.

    A reply to an open question, assigned to a question with another answer, must not pass (label `False`). A reply to
    its own prompt should cohere; one assigned to another prompt must not.

    Args:
        conversations: Saved conversations.
        seed: Decides which reply is assigned to which question.

    Raises:
        InputError: There is no reply.
    """
    rng = Random(f"{seed}/shuffle")
    cases = [*_shuffle_answers(conversations, rng), *_shuffle_replies(conversations, rng)]
    if not cases:
        raise InputError([Problem("--shuffle", "nothing was replied in the saved conversations")])
    return cases


def _shuffle_answers(conversations: Sequence[Conversation], rng: Random) -> list[Labelled]:
    """Return each open question with a random reply to a question that has another answer, if there is one."""
    answered: list[tuple[Target, str, str]] = []
    for conversation in conversations:
        texts_by_turn = {(turn.round, turn.speaker): turn.text for turn in conversation.turns if turn.error is None}
        for probe, step in conversation.plan.steps():
            reply = texts_by_turn.get((step.round, Speaker.SUBJECT))
            is_open = isinstance(probe.target.answer, str) and not probe.target.untold
            if step.purpose is Purpose.ASK and is_open and reply and reply.strip():
                answered.append((probe.target, step.text, reply))
    cases: list[Labelled] = []
    for target, question, _ in answered:
        others = [reply for other, _, reply in answered if other.answer != target.answer]
        if others:
            texts = {"question": question, "extract_with": target.extract_with, "expected": str(target.answer)}
            cases.append(Open(kind="open", label=False, tags=("dealt",), reply=rng.choice(others), **texts))
    return cases


def _shuffle_replies(conversations: Sequence[Conversation], rng: Random) -> list[Labelled]:
    """Return each reply after its own prompt, and after a prompt of another conversation or round."""
    replies: list[tuple[str, tuple[str, ...], str]] = []
    for conversation in conversations:
        before: list[str] = []
        for turn in conversation.turns:
            if turn.speaker is Speaker.SUBJECT and turn.error is None and before and turn.text.strip():
                replies.append((before[-1], tuple(before[:-1]), turn.text))
            before.append(turn.text)
    cases: list[Labelled] = []
    for index, (prompt, context, reply) in enumerate(replies):
        case = partial(CoherentReply, kind="coherence", context=context, prompt=prompt)
        cases.append(case(reply=reply, label=True, tags=("own",)))
        other = rng.choice([*replies[:index], *replies[index + 1 :]] or [("", (), "")])[2]
        if other and other != reply:
            cases.append(case(reply=other, label=False, tags=("dealt",)))
    return cases


def pair_replies(cases: Sequence[Labelled]) -> list[Labelled]:
    """Make pairs of replies that agree or disagree from replies to open questions.

    The first right reply to a question is taken as the bot's first answer. The other right replies to the question
    agree with it, the wrong ones do not.
    """
    firsts: dict[tuple[str, str], str] = {}
    pairs: list[Labelled] = []
    for case in cases:
        if isinstance(case, Open) and case.label:
            firsts.setdefault((case.question, case.expected), case.reply)
    for case in cases:
        if isinstance(case, Open) and firsts.get((case.question, case.expected), case.reply) != case.reply:
            pairs.append(case.model_copy(update={"expected": firsts[case.question, case.expected]}))
    return pairs
