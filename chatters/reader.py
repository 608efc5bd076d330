"""A small bot that ships with chattest and remembers what it is told."""

import re
import tomllib
from collections.abc import Sequence
from itertools import islice
from operator import itemgetter
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any, NamedTuple

from chattest import Chatter
from chattest.records.plan import ProbePlan
from chattest.rules.person import to_second_person

FACTS = Path(__file__).parent / "data" / "own_facts.toml"
OPEN = re.compile(r"\b(what|who|whom|whose|which|where|when|why|how)\b", re.IGNORECASE)
CLOSED = re.compile(
    r"\A\W*+(am|are|is|was|were|do|does|did|have|has|had|can|could|will|would|shall|should|may|might|must)\b",
    re.IGNORECASE,
)
ABOUT_USER = re.compile(r"\b(i|my|we|our)\b", re.IGNORECASE)
ALIKE = 0.3
"""Least cosine similarity of a question and the sentence that may answer it."""
NOTED = ("I will remember that. {}", "Noted. {}", "Good to know. {}")
UNKNOWN = ("I do not know.", "That I do not know.", "I have not heard about that.", "I cannot say.")
SMALL_TALK = ("I see.", "That is interesting.", "I like to listen to you.", "All right.", "I am all ears.")


class ReaderBot(Chatter):
    """A small bot: remembers what it is told and answers from it with the embedded reader; otherwise small talk."""

    harmless = True
    remembers = False
    at_once = 8

    @classmethod
    def load(cls, options: Any) -> dict[str, Any]:
        """Load the models and the facts about the bot."""
        from chattest.models.judges import Judges

        judges = Judges()
        _ = judges.reader, judges.similarity, judges.yes_no  # loads them now, not during the first reply
        facts = tomllib.loads(FACTS.read_text(encoding="utf-8"))["fact"][:-1]
        own = [fact["says"].format(fact["values"][0]) for fact in facts]
        return {"judges": judges, "own": own, "lock": Lock()}

    @classmethod
    def torch_module(cls, shared: dict[str, Any]) -> Any:
        """Return the encoder behind the bot's models, and the reader's own weights, which replace the encoder's layers.

        The judges share the encoder. The weights with which the bot's other models replace its layers are not altered.
        """
        from torch import device, nn

        from chattest.models.bert import Bert
        from chattest.models.embedded.encoder import load_encoder

        encoder = load_encoder().base_model()
        with device("meta"):
            own = Bert(encoder.config)
        changes = shared["judges"].reader.adapter.changes.kept()
        whole = {name.removeprefix("full."): value for name, value in changes.items() if name.startswith("full.")}
        own.load_state_dict(whole, strict=False, assign=True)  # the same memory, so what alters one alters the other
        return nn.ModuleList([encoder, own])

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Keep the seed. The bot finds the user's facts in the conversation."""
        self._seed = seed

    def get_response(self, conv_array: list[str]) -> str:
        """Return an answer from the conversation so far if a question was asked, else a remark."""
        return self.get_responses(self.shared, [conv_array], [self._seed])[0]

    @classmethod
    def get_responses(
        cls, shared: dict[str, Any], conv_arrays: list[list[str]], seeds: Sequence[str] = ()
    ) -> list[str]:
        """Reply as `get_response` does, to several conversations at once.

        Args:
            shared: what `load` returned.
            conv_arrays: the conversations.
            seeds: those of the conversations.
        """
        questions = [find_question(texts, shared["own"]) for texts in conv_arrays]
        with shared["lock"]:
            found_texts = iter(find_answers(shared["judges"], [query for query in questions if query is not None]))
        replies = []
        for query, texts, seed in zip(questions, conv_arrays, seeds, strict=True):
            chance = Random(f"{seed}/reader/{len(texts)}")
            replies.append(make_remark(texts, chance) if query is None else next(found_texts) or chance.choice(UNKNOWN))
        return replies


class Question(NamedTuple):
    """A question, with the texts that may hold its answer."""

    text: str
    closed: bool
    passages: list[str]
    """The texts to read, latest first."""
    said: list[str]
    """The bot's reply if the answer is in the passage."""


def find_question(texts: list[str], own: list[str]) -> Question | None:
    """Return the question that ends a conversation; `None` if it ends with none.

    Args:
        texts: the conversation.
        own: the facts about the bot.
    """
    heard = join_lines(texts[-1]) if texts else ""
    asked = split_sentences(heard)[-1]
    if not heard or not is_question(asked):
        return None
    statements = [text for text in map(join_lines, texts[-3::-2]) if not all(map(is_question, split_sentences(text)))]
    closed = bool(CLOSED.match(asked) or not OPEN.search(asked))
    if not closed and re.search(r"\b(you|your|yours)\b", asked, re.IGNORECASE):
        return Question(heard, closed, [*map(to_second_person, own)], own)
    return Question(heard, closed, statements, [*map(to_second_person, statements)])


def make_remark(texts: list[str], chance: Random) -> str:
    """Return the bot's reply if nothing was asked: the sentences about the user, noted, or small talk."""
    if not texts:
        return "Hello."
    about_user = [sentence for sentence in split_sentences(join_lines(texts[-1])) if ABOUT_USER.search(sentence)]
    noted = chance.choice(NOTED if about_user else SMALL_TALK)
    return noted.format(to_second_person(" ".join(about_user)))


def find_answers(judges: Any, questions: list[Question]) -> list[str | None]:
    """Return the answer to each question; `None` if the bot knows none. Each model reads all questions at once."""
    pairs = [(asked.text, passage) for asked in questions for passage in asked.passages]
    cosines = iter(judges.similarity.similarity(*_split_pairs(pairs)))
    alike = [[next(cosines) for _ in asked.passages] for asked in questions]
    texts: list[str | None] = [None] * len(questions)
    for closed, answer in ((False, _find_sentences), (True, _answer_closed)):
        numbers = [number for number, asked in enumerate(questions) if asked.closed is closed]
        of_these = answer(judges, [questions[number] for number in numbers], [alike[number] for number in numbers])
        for number, text in zip(numbers, of_these, strict=True):
            texts[number] = text
    return texts


def _find_sentences(judges: Any, questions: list[Question], alike: list[list[float]]) -> list[str | None]:
    """Return for each open question the sentence with the answer.

    Args:
        judges: the models.
        questions: the questions.
        alike: the question's cosine with each of its passages.
    """
    # The reader finds a name if one is asked for, no matter whose; the similarity decides if it is the right one.
    read = [[index for index, cosine in enumerate(cosines) if cosine > ALIKE] for cosines in alike]
    pairs = [
        (asked.text, asked.passages[index]) for asked, indices in zip(questions, read, strict=True) for index in indices
    ]
    spans = iter(judges.reader.read(*_split_pairs(pairs)))
    chosen: list[str | None] = []
    for asked, indices, cosines in zip(questions, read, alike, strict=True):
        worth = [
            (span.probability * cosines[index], index, span.start)
            for index, span in zip(indices, islice(spans, len(indices)), strict=True)
            if span.text
        ]
        if not worth:
            chosen.append(None)
            continue
        _, best, start = max(worth, key=itemgetter(0))
        # Changing the person moves letters, but no sentence boundaries.
        before = len(split_sentences(asked.passages[best][:start] + "x")) - 1
        chosen.append(split_sentences(asked.said[best])[before])
    return chosen


def _answer_closed(judges: Any, questions: list[Question], alike: list[list[float]]) -> list[str | None]:
    """Return for each closed question the most similar sentence, with yes or no before it.

    Args:
        judges: the models.
        questions: the questions.
        alike: the question's cosine with each of its passages.
    """
    best = [max(range(len(cosines)), key=cosines.__getitem__, default=0) for cosines in alike]
    near = [bool(cosines) and cosines[index] >= ALIKE for cosines, index in zip(alike, best, strict=True)]
    replies = [
        asked.said[index] if is_near else "" for asked, index, is_near in zip(questions, best, near, strict=True)
    ]
    texts = [text for text in replies if text]
    readings = iter(
        judges.yes_no.read([asked.text for asked, text in zip(questions, replies, strict=True) if text], texts)
    )
    return [_add_yes_or_no(next(readings), text) if text else None for text in replies]


def _add_yes_or_no(reading: Any, sentence: str) -> str | None:
    """Return the sentence with yes or no before it; `None` if it means neither."""
    if reading.neither >= max(reading.yes, reading.no):
        return None
    return f"{'Yes' if reading.yes > reading.no else 'No'}. {sentence}"


def _split_pairs(pairs: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [left for left, _ in pairs], [right for _, right in pairs]


def join_lines(text: str) -> str:
    """Return the text in one line."""
    return " ".join(text.split())


def is_question(sentence: str) -> bool:
    """Return True if a sentence is a question, by its question mark or by its first word."""
    return bool(sentence.endswith("?") or OPEN.match(sentence) or CLOSED.match(sentence))


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    return re.split(r"(?<=[.!?])\s+", text)
