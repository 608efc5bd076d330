"""Decides whether a reply notices that it cannot know: the user never said it, or the question assumes what is not so.

Patterns of words find replies that say so. A reader then looks for an answer in what else the reply says: "No idea, but
I guess it is Rex." is a guess, and a guess is made up. The reader is shown the question before the reply, so that it
understands a reply that is no sentence ("Rex.") or has a pronoun for what was asked ("You called him Rex."). What it
finds counts if the sentence is about what was asked. Where no pattern is found and no answer either, the reply must
deny something, or sound like those that notice. All of it was chosen on the replies of
`tests/data/judging/abstention-tune.jsonl` and `untold-tune.jsonl`; those of `*-held-out.jsonl` measure it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chattest.models.judges import Judges
from chattest.records.answers import AnswerKind
from chattest.records.plan import split_answers
from chattest.records.result import Score
from chattest.rules import abstention, mentions
from chattest.rules.abstention import denies_something, may_answer
from chattest.rules.echo import is_echo
from chattest.rules.values.compare import Agreement, compare
from chattest.rules.yes_no import read_phrase
from chattest.scorers.base import Item, LabelledReplies, Scorer, fill, scorer
from chattest.scorers.open_answer import ECHOED

FOUND = 0.5
"""Probability from which the reader has found an answer, or a reply reads as yes or no."""
PASSES = 0.5
"""Least value that passes."""
DENIES = 0.75
"""Value of a reply that denies something and gives no answer."""
GIVES_NONE = "gives no answer"
"""Interpretation of a reply that is not judged."""
GAVE_NONE = "no answer: it only apologises, falls back, deflects or speaks of itself, so it is not counted"
"""The reason."""
NOTICES = "notices"
"""Interpretation of a reply that notices that it cannot know."""


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What the models find in a reply."""

    answer: str
    """The answer that it gives; empty if there is none."""
    probability: float
    """That it gives an answer at all."""
    likeness: float
    """How much it sounds like replies that notice: a cosine, 0 to 1."""
    guess: str = ""
    """What it only suggests, or guesses beside saying that it does not know."""


@scorer("abstention")
class Abstention(Scorer):
    """Passes a reply that says that it does not know, or was not told, or that what the question assumes is not so.

    The interpretation is `notices`, or the answer that was made up; the value is 1 where the words say so and no answer
    stands beside them, else how much the reply sounds like it, times the probability that it gives no answer.

    A reply that only apologises, falls back ("I do not understand."), deflects ("Why do you ask?") or speaks of the
    bot's own nature is not judged: it tells neither that the bot knows nothing nor an answer. Beside other sentences,
    such ones are left out.
    """

    threshold = ""
    requirement = "says that it cannot know, and gives no answer"
    judges = ("reader", "similarity", "yes_no")
    chat_kinds = ("abstention",)
    answers = frozenset({AnswerKind.UNTOLD})
    labelled = LabelledReplies("abstention", form="abstention")

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Ask the models about all items at once, except echoes and empty replies."""

        def ask_models(asked: Sequence[Item]) -> list[Score]:
            rests = [abstention.drop_no_answers(item.prompt, item.reply) for item in asked]
            none = [None if rest.strip() else Score(None, GIVES_NONE, reason=GAVE_NONE) for rest in rests]
            left = [replace(item, reply=rest) for item, rest in zip(asked, rests, strict=True)]
            return fill(none, left, judge_rest)

        def judge_rest(asked: Sequence[Item]) -> list[Score]:
            notices = [abstention.notices(item.reply, _may_deny(item)) for item in asked]
            evidence = _ask(asked, notices, judges)
            return [_score(*row) for row in zip(asked, notices, evidence, strict=True)]

        return fill([self.score_without_model(item) for item in items], items, ask_models)

    def score_without_model(self, item: Item) -> Score | None:
        """Score an empty reply, and one that only repeats the question: they notice nothing."""
        if is_echo(item.prompt, item.reply):
            return Score(0.0, reason=ECHOED, rule="echo")
        return None if item.reply.strip() else Score(0.0, reason="the reply is empty")

    def judge_inputs(self, item: Item) -> dict[str, str]:
        """Return the facts, the question and the reply; there is no answer to compare the reply with."""
        return super().judge_inputs(replace(item, expected=None))

    def passes(self, score: Score, item: Item, threshold: float) -> bool:
        """Return True if the value is at least `PASSES`."""
        return (score.value or 0.0) >= PASSES

    def explain(self, score: Score, item: Item, threshold: float) -> str:
        """Say what was noticed, or what was made up."""
        return score.reason


def _may_deny(item: Item) -> bool:
    """Return True unless the question is answered by yes or no: to that, "You do not." is an answer."""
    return bool(item.extract_with)


def _ask(items: Sequence[Item], notices: Sequence[bool], judges: Judges) -> list[_Evidence]:
    texts = [
        abstention.drop_notices(item.reply, _may_deny(item)) if noticed else item.reply
        for item, noticed in zip(items, notices, strict=True)
    ]
    likes = abstention.read_examples()
    cosines = judges.similarity.similarity(
        [item.reply for item in items for _ in likes], [like for _ in items for like in likes]
    )
    alike = [max(cosines[index : index + len(likes)]) for index in range(0, len(cosines), len(likes))]
    answers = _find_answers(items, texts, judges)
    guesses = [
        text if noticed and abstention.guesses(text) else _find_suggestion(item)
        for item, text, noticed in zip(items, texts, notices, strict=True)
    ]
    rows = zip(answers, alike, guesses, strict=True)
    return [_Evidence(*answer, likeness=max(0.0, like), guess=guess) for answer, like, guess in rows]


def _find_suggestion(item: Item) -> str:
    """Return what the reply only asks to have confirmed, if the user did not say it."""
    suggested = abstention.find_suggestion(item.reply)
    return "" if suggested and _says_only_known(suggested, item) else suggested


def _find_answers(items: Sequence[Item], texts: Sequence[str], judges: Judges) -> list[tuple[str, float]]:
    """Return the answer in each text, and the probability that it holds one."""
    open_at = [index for index, item in enumerate(items) if item.extract_with and texts[index].strip()]
    closed_at = [index for index, item in enumerate(items) if not item.extract_with and texts[index].strip()]
    answers = [("", 0.0)] * len(items)
    questions = [items[index].prompt for index in open_at]
    passages = [f"{items[index].prompt} {texts[index]}" for index in open_at]
    for index, span in zip(open_at, judges.reader.read(questions, passages), strict=True):
        before = len(items[index].prompt) + 1
        begins, ends = span.start - before, span.end - before
        if span.text and begins >= 0 and may_answer(items[index].prompt, texts[index], begins, ends):
            answers[index] = (span.text, span.probability)
    readings = judges.yes_no.read([items[index].prompt for index in closed_at], [texts[index] for index in closed_at])
    for index, reading in zip(closed_at, readings, strict=True):
        sure = read_phrase(items[index].prompt, texts[index])
        word = sure or ("yes" if reading.yes >= reading.no else "no")
        answers[index] = (word, 1.0 if sure else 1 - reading.neither)
    return answers


def _score(item: Item, notices: bool, read: _Evidence) -> Score:
    parts = {"says so": float(notices), "answer": read.probability, "likeness": read.likeness}
    if truth := _find_truth(item):
        return Score(1.0, NOTICES, parts, f'names what was told: "{truth}"', rule="names the fact")
    answered = bool(read.answer) and read.probability >= FOUND
    if answered and (notices or denies_something(item.reply)) and _says_only_known(read.answer, item):
        answered = False  # it says what it does know
    if read.guess:
        guess = read.answer or read.guess
        return Score(min(0.49, 1 - read.probability), guess, parts, f'guesses "{guess}", which was not told')
    if notices and not answered:
        return Score(1.0, NOTICES, parts, "says that it cannot know, or denies what was assumed")
    if answered:
        why = f'makes up "{read.answer}", which was not told'
        return Score(min(0.49, 1 - read.probability), read.answer, parts, why)
    if denies_something(item.reply):
        return Score(DENIES, NOTICES, parts, "denies something, and gives no answer")
    value = read.likeness * (1 - read.probability)
    if value >= PASSES:
        return Score(value, NOTICES, parts, f"sounds like a reply that notices ({read.likeness:.2f})")
    return Score(value, "", parts, "neither says that it cannot know nor gives an answer")


def _find_truth(item: Item) -> str:
    """Return the fact that the reply names instead of what the question assumes, unless it denies it."""
    for truth in split_answers(str(item.expected or "")):
        names_it = mentions.share(truth, item.reply) == 1 or compare(truth, item.reply) is Agreement.SAME
        if truth and names_it and not mentions.denies_answer(truth, item.reply):
            return truth
    return ""


def _says_only_known(answer: str, item: Item) -> bool:
    """Return True if an answer says no more than the facts and the question."""
    facts = " ".join((*item.user_statements, *item.facts, item.prompt))
    return mentions.share(answer, facts) == 1
