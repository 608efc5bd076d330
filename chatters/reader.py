"""A small bot that ships with chattest and remembers what it is told."""

import re
import tomllib
from operator import itemgetter
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any

from chattest import Chatter
from chattest.records.plan import ProbePlan
from chattest.text.person import to_second_person

FACTS = Path(__file__).parent / "data" / "own_facts.toml"
OPEN = re.compile(r"\b(what|who|whom|whose|which|where|when|why|how)\b", re.IGNORECASE)
CLOSED = re.compile(
    r"\A\W*+(am|are|is|was|were|do|does|did|have|has|had|can|could|will|would|shall|should|may|might|must)\b",
    re.IGNORECASE,
)
ALIKE = 0.3
"""Least cosine similarity of a question and the sentence that it is assumed to be about."""
NOTED = ("I will remember that. {}", "Noted. {}", "Good to know. {}")
UNKNOWN = ("I do not know.", "That I do not know.", "I have not heard about that.", "I cannot say.")
SMALL_TALK = ("I see.", "That is interesting.", "I like to listen to you.", "All right.", "I am all ears.")


class ReaderBot(Chatter):
    """A small bot: remembers what it is told and answers from it with the embedded reader; otherwise small talk."""

    remembers = False

    @classmethod
    def load(cls, options: Any) -> dict[str, Any]:
        """Loads the models and the facts about the bot."""
        from chattest.models.judges import Judges

        judges = Judges()
        _ = judges.reader, judges.similarity, judges.yes_no  # loads them now, not during the first reply
        facts = tomllib.loads(FACTS.read_text(encoding="utf-8"))["fact"][:-1]
        own = [fact["says"].format(fact["values"][0]) for fact in facts]
        return {"judges": judges, "own": own, "lock": Lock()}

    @classmethod
    def torch_module(cls, shared: dict[str, Any]) -> Any:
        """The encoder behind all of the bot's models.

        The judges share it. The adapters, which turn the encoder into a reader or a judge, are not altered.
        """
        from chattest.models.embedded.encoder import load_encoder

        return load_encoder().base_model()

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Stores the seed. The bot finds what it was told in the conversation."""
        self._seed = seed

    def get_response(self, conv_array: list[str]) -> str:
        """An answer from what was said before if a question was asked, else a remark."""
        chance = Random(f"{self._seed}/reader/{len(conv_array)}")
        heard = " ".join(conv_array[-1].split()) if conv_array else ""
        if not heard:
            return chance.choice(SMALL_TALK) if conv_array else "Hello."
        asked = sentences(heard)[-1]
        if not is_question(asked):
            about_speaker = re.search(r"\b(i|my|we|our)\b", heard, re.IGNORECASE)
            return chance.choice(NOTED).format(to_second_person(heard)) if about_speaker else chance.choice(SMALL_TALK)
        others = [" ".join(text.split()) for text in conv_array[-3::-2]]  # latest first
        told = [text for text in others if not all(map(is_question, sentences(text)))]
        find = self._yes_or_no if CLOSED.match(asked) or not OPEN.search(asked) else self._answer
        with self.shared["lock"]:
            return find(heard, told) or chance.choice(UNKNOWN)

    def _answer(self, question: str, told: list[str]) -> str | None:
        """The sentence with the answer, from the facts about the bot or from what it was told."""
        if re.search(r"\b(you|your|yours)\b", sentences(question)[-1], re.IGNORECASE):
            passages, said = [*map(to_second_person, self.shared["own"])], self.shared["own"]
        else:
            passages, said = told, [*map(to_second_person, told)]
        judges = self.shared["judges"]
        cosines = judges.similarity.similarity([question] * len(passages), passages)
        # The reader finds a name if one is asked for, no matter whose; the similarity decides if it is the right one.
        alike = [number for number, cosine in enumerate(cosines) if cosine > ALIKE]
        spans = judges.reader.read([question] * len(alike), [passages[number] for number in alike])
        worth = [
            (span.probability * cosines[number], number, span.start)
            for number, span in zip(alike, spans, strict=True)
            if span.text
        ]
        if not worth:
            return None
        _, best, start = max(worth, key=itemgetter(0))
        # Changing the person moves letters, but no sentence boundaries.
        before = len(sentences(passages[best][:start] + "x")) - 1
        return sentences(said[best])[before]

    def _yes_or_no(self, question: str, told: list[str]) -> str | None:
        """Repeats the most similar sentence it was told, with the yes or no that the sentence amounts to."""
        judges = self.shared["judges"]
        alike = judges.similarity.similarity([question] * len(told), told)
        if max(alike, default=0.0) < ALIKE:
            return None
        said = to_second_person(told[alike.index(max(alike))])
        reading = judges.yes_no.read([question], [said])[0]
        if reading.neither >= max(reading.yes, reading.no):
            return None
        return f"{'Yes' if reading.yes > reading.no else 'No'}. {said}"


def is_question(sentence: str) -> bool:
    """Whether a sentence is a question, by its question mark or by its first word."""
    return bool(sentence.endswith("?") or OPEN.match(sentence) or CLOSED.match(sentence))


def sentences(text: str) -> list[str]:
    """The sentences of a text."""
    return re.split(r"(?<=[.!?])\s+", text)
