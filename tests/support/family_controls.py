"""For each family of checks a bot made to pass it and one made to fail it, or test sets, where no bot is asked.

Whoever adds a family adds its controls here; a test fails until they are there.
"""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from chattest.checks.metamorphic import Related
from chattest.judging.expectations import FEELINGS
from chattest.records.conversation import Reply
from chattest.records.question import Question
from tests.support.answering_bots import READ, right, wrong
from tests.support.answering_bots import models as reading
from tests.support.asking import Say, planned
from tests.support.stand_ins import ROOT, StandIns
from tests.support.suite_bots import Knowing
from tests.support.suite_bots import models as knowing
from tests.support.unfair_bot import unfair

Bots = Callable[[bool], Say]
TOPICS = ROOT / "testsets" / "directional" / "topic.toml"


@dataclass(frozen=True)
class Control:
    """Two bots, and what stands in for the judges."""

    bot: Bots
    """Gives the one made to pass, or the one made to fail."""
    judges: Callable[[], Any] = StandIns
    settings: dict[str, Any] = field(default_factory=dict)
    root: Callable[[Path, bool], Path] = lambda folder, able: ROOT
    """The folder of the test sets; writes its own, where these are what passes or fails."""


def steady_or_never_the_same(able: bool) -> Say:
    """Says the same to everything, or nothing twice."""
    numbers = count()
    return lambda said: "I like trains." if able else f"This is answer {next(numbers)}."


def polite(able: bool) -> Say:
    """Treats everybody alike, or does not."""
    return (lambda said: "All right.") if able else unfair


def answering(able: bool) -> Say:
    """Knows every answer, or none."""
    return right if able else wrong


def able_or_not(able: bool) -> Say:
    """Does all that the suites ask, or what they must not hear."""
    if able:
        return Knowing(True)
    worst = {}
    for one in planned("mft"):
        for trial in one.trials:
            (asked,) = trial.questions
            forbidden = trial.row.expected.partition("never ")[2].partition(";")[0].partition(" / ")[0]
            felt = "It is awful." if trial.row.expected in FEELINGS[0::2] else ""
            worst[asked.shown] = f"{felt or forbidden or 'Bananas.'}"
    return lambda said: worst.get("\n".join(said[::2]), "Bananas.")


SAID = {
    "sentiment": ("It is awful.", "It is all right.", "It is wonderful."),
    "toxicity": ("Mild.", "Sharp.", "Vicious."),
    "similarity": ("Far.", "Near.", "There."),
    "confidence": (Reply(("Hm.",), confidence=0.1), Reply(("Hm.",), confidence=0.5), Reply(("Hm.",), confidence=0.9)),
    "length": ("One.", "One two three.", "One two three four five six."),
}
"""Score -> replies in which it is low, in between and high."""
MOVES = {"up": (1, 2), "down": (1, 0), "flip": (0, 2), "steady": (1, 1), "not_up": (1, 0)}
"""Direction -> places in these of what is said to the original and to the altered question."""
WRONG_MOVES = {"up": (1, 0), "down": (1, 2), "flip": (1, 1), "steady": (0, 2), "not_up": (0, 2)}


def moving(able: bool) -> Say:
    """Has scores that move as they should, or the other way."""
    replies: dict[str, Any] = {}
    for one in planned("directional"):
        score = one.check.threshold.partition(" ")[0]
        for trial in one.trials:
            places = (MOVES if able else WRONG_MOVES)[trial.row.expected]
            replies |= {asked.shown: SAID[score][place] for asked, place in zip(trial.questions, places, strict=True)}
    return lambda said: replies.get("\n".join(said[::2]), "Hm.")


def measuring() -> StandIns:
    """Judges to whom the replies above are as toxic, and as near to what they should be near to, as they say."""
    near = {"Far.": 0.1, "Near.": 0.5, "There.": 0.9}
    likes = [case["like"] for case in tomllib.loads(TOPICS.read_text(encoding="utf-8"))["case"]]
    cosines = {(said, like): value for said, value in near.items() for like in likes}
    return StandIns(cosines=cosines, toxic={"Sharp.": {"insult": 0.5}, "Vicious.": {"insult": 0.9}})


def consistent(able: bool) -> Say:
    """Answers yes, and a follow-up as the relation wants it, or the contrary."""
    replies: dict[Question, str] = {}
    for one in planned("metamorphic"):
        for trial in one.trials:
            if trial.questions:
                _, follow_up = trial.questions
                assert isinstance(one.check, Related)
                replies[follow_up] = "No." if one.check.relation.inverse is able else "Yes."
    said_to = {asked.shown: reply for asked, reply in replies.items()}
    return lambda said: said_to.get("\n".join(said[::2]), "Yes.")


def sets_about(folder: Path, able: bool) -> Path:
    """Test sets about cats and dogs, or about cats alone."""
    texts = {
        "questions": f'about = "x"\n[[question]]\ntext = "The cat{" and the dog" * able}?"\n',
        "groups": 'about = "x"\n[groups]\ncats = ["cat"]\ndogs = ["dog"]\n',
    }
    for kind, text in texts.items():
        (folder / "testsets" / kind).mkdir(parents=True)
        (folder / "testsets" / kind / "mine.toml").write_text(text)
    return folder


CONTROLS = {
    "accuracy": Control(answering, reading),
    "bias": Control(polite),
    "directional": Control(moving, measuring),
    "fairness": Control(answering, reading),
    "invariance": Control(steady_or_never_the_same, settings={"check_compare_by": "direct", "check_questions": 3}),
    "metamorphic": Control(consistent, lambda: StandIns(readings=READ)),
    "mft": Control(able_or_not, knowing),
    "representation": Control(polite, root=sets_about),
}
