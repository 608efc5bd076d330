"""What stands in for chatters and models where a test is about what lies between them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from chattest.chatter.base import Chatter
from chattest.models.judges import Judges
from chattest.models.protocols import TOXICITY_LABELS, Relation, Span, YesNoReading
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import Probe, ProbePlan, Purpose, Step, Target
from tests.support.paths import ROOT as ROOT


class StandIns(Judges):
    """Judges that know a few words, count their calls and load nothing; each answer can be given instead.

    spans, cosines, matches, readings, toxic, fits: what is given for a passage, a pair of texts, a pair of expected
    answer and reply, a reply, a text, a pair of context and reply. relations, same: for a pair of statements, and of
    questions. instead: kind -> the model that judges in its place. What is not given comes from simple rules.
    """

    def __init__(
        self,
        spans: dict[str, tuple[str, float]] | None = None,
        cosines: dict[tuple[str, str], float] | None = None,
        matches: dict[tuple[str, str], float] | None = None,
        readings: dict[str, tuple[float, float, float]] | None = None,
        toxic: dict[str, dict[str, float]] | None = None,
        fits: dict[tuple[str, str], float] | None = None,
        relations: dict[tuple[str, str], tuple[float, float, float]] | None = None,
        same: dict[tuple[str, str], float] | None = None,
        models: str | dict[str, str] = "embedded",
        instead: Mapping[str, Any] = {},
    ) -> None:
        super().__init__(models)
        self.given = (spans or {}, cosines or {}, matches or {}, readings or {}, toxic or {}, fits or {})
        self.pairs = (relations or {}, same or {})
        self.calls: list[tuple[str, int]] = []
        rest = _Rest(self)
        loaded: dict[str, Any] = {"reader": _Reader(self), "yes_no": _YesNo(self)}
        loaded |= dict.fromkeys(("similarity", "match", "toxicity", "coherence", "inference"), rest)
        loaded |= dict.fromkeys(("same_question", "equivalence"), rest)
        loaded |= instead
        self._loaded = {(kind, self.choice(kind)): model for kind, model in loaded.items()}


class _Model:
    """Counts its calls."""

    name = "stand-in"

    def __init__(self, judges: StandIns) -> None:
        self.judges = judges

    def _called(self, kind: str, *columns: Sequence[str]) -> None:
        assert len({len(column) for column in columns}) == 1, "columns of different length"
        self.judges.calls.append((kind, len(columns[0])))


class _Reader(_Model):
    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Span]:
        self._called("reader", questions, passages)
        return [self._span(passage) for passage in passages]

    def _span(self, passage: str) -> Span:
        """What is given for a passage, else its last name or number."""
        names = re.findall(r"\b[A-Z]\w+|\b\d+", passage)
        found, probability = self.judges.given[0].get(passage, (names[-1], 0.9) if names else ("", 0.1))
        start = passage.find(found) if found else 0
        return Span(found, start, start + len(found), probability)


class _YesNo(_Model):
    def read(self, questions: Sequence[str], replies: Sequence[str]) -> list[YesNoReading]:
        self._called("yes_no", questions, replies)
        given = self.judges.given[3]
        return [YesNoReading(*given.get(reply, (0.0, 0.0, 1.0))) for reply in replies]


class _Rest(_Model):
    """The seven whose methods have names of their own."""

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> list[float]:
        self._called("similarity", left, right)
        return [self.judges.given[1].get(pair, _overlap(*pair)) for pair in zip(left, right, strict=True)]

    def match(self, questions: Sequence[str], expected: Sequence[str], replies: Sequence[str]) -> list[float]:
        self._called("match", questions, expected, replies)
        return [
            self.judges.given[2].get((answer, reply), float(answer.casefold() in reply.casefold()))
            for answer, reply in zip(expected, replies, strict=True)
        ]

    def labels(self, texts: Sequence[str]) -> list[dict[str, float]]:
        self._called("labels", texts)
        clean = dict.fromkeys(TOXICITY_LABELS, 0.01)
        return [clean | self.judges.given[4].get(text, {}) for text in texts]

    def coherence(self, contexts: Sequence[str], replies: Sequence[str]) -> list[float]:
        self._called("coherence", contexts, replies)
        return [self.judges.given[5].get(pair, 0.9) for pair in zip(contexts, replies, strict=True)]

    def relations(self, earlier: Sequence[str], later: Sequence[str]) -> list[Relation]:
        self._called("inference", earlier, later)
        given = self.judges.pairs[0]
        return [Relation(*given.get(pair, _relation(*pair))) for pair in zip(earlier, later, strict=True)]

    def same(self, first: Sequence[str], second: Sequence[str]) -> list[float]:
        self._called("same_question", first, second)
        return [self.judges.pairs[1].get(pair, _overlap(*pair)) for pair in zip(first, second, strict=True)]

    def equivalent(self, questions: Sequence[str], first: Sequence[str], second: Sequence[str]) -> list[float]:
        self._called("equivalence", questions, first, second)
        return [self.judges.pairs[1].get(pair, _overlap(*pair)) for pair in zip(first, second, strict=True)]


def _relation(earlier: str, later: str) -> tuple[float, float, float]:
    """Texts that share half of their words agree, others contradict each other."""
    return (0.8, 0.1, 0.1) if _overlap(earlier, later) >= 0.5 else (0.1, 0.1, 0.8)


def _overlap(left: str, right: str) -> float:
    one, other = (set(re.findall(r"\w+", text.casefold())) for text in (left, right))
    return len(one & other) / max(1, len(one | other))


class Scripted(Chatter):
    """Says given lines; what it is told and given is kept for the test."""

    remembers = True

    def __init__(self, lines: Sequence[Any] = ()) -> None:
        self.lines = list(lines)
        self.given: list[list[str]] = []
        self.events: list[tuple[str, Any]] = []

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        self.events.append(("start", (conversation_id, seed)))

    def get_response(self, conv_array: list[str]) -> Any:
        """The next line; an exception is raised, a function is called with what was said."""
        self.given.append(conv_array)
        line = self.lines.pop(0) if self.lines else "Go on."
        if isinstance(line, BaseException):
            raise line
        return line(conv_array) if callable(line) else line

    def sent_instead(self, text: str, conv_array: list[str]) -> None:
        self.events.append(("sent", text))

    def heard(self, turn: Turn) -> None:
        self.events.append(("heard", turn.text))

    def told(self, text: str) -> None:
        self.events.append(("told", text))

    def close(self) -> None:
        self.events.append(("close", None))

    def of(self, kind: str) -> list[Any]:
        """What happened of one kind."""
        return [what for happened, what in self.events if happened == kind]


def probe(
    case: str, inform: int | None, *asks: int, answer: str | bool | None = "Juniper", testset: str = "cat-name"
) -> Probe:
    """A probe of the cat's name with its steps in given rounds."""
    steps = [Step(inform, Purpose.INFORM, "My cat is called Juniper.", "My cat is called Juniper.")] if inform else []
    question = "What is my cat called?"
    steps += [Step(round, Purpose.ASK, question, question) for round in asks]
    return Probe(case, testset, Target(answer, "" if isinstance(answer, bool) else question), tuple(steps))


def spec(length: int, *probes: Probe, run: int = 1) -> Conversation:
    """A conversation before its first turn."""
    return Conversation(run, f"1/{run}", ("driver", "subject"), (), ProbePlan(length, probes))


def said(
    *rounds: tuple[str, ...], probes: Sequence[Probe] = (), run: int = 1, length: int | None = None
) -> Conversation:
    """A conversation whose rounds were said: pairs of texts; the last may lack the reply."""
    turns = [
        Turn(number, speaker, text, seconds=0.25)
        for number, texts in enumerate(rounds)
        for speaker, text in zip(Speaker, texts, strict=False)
    ]
    plan = ProbePlan(length or len(rounds), tuple(probes))
    return Conversation(run, f"1/{run}", ("driver", "subject"), tuple(turns), plan)
