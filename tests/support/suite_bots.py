"""A bot that does all that the suites of minimum functionality ask, one that does nothing of it, and their judges."""

import re
from typing import Any

from tests.support.asking import planned
from tests.support.stand_ins import StandIns


def right_replies() -> dict[str, str]:
    """Question -> a reply that is all the suites that ship ask for."""
    replies = {}
    for one in planned("mft"):
        for trial in one.trials:
            words = trial.row.expected
            says = re.search(r"says (.+?)(?: /|; |$)", words)
            first = words.partition("; ")[0].partition(" / ")[0]
            replies[trial.questions[0].shown] = says[1] if says else "Oh." if "never" in first else first
    return replies


class Knowing:
    """Answers as expected, or never."""

    def __init__(self, able: bool) -> None:
        self.replies = right_replies() if able else {}

    def __call__(self, said: list[str]) -> Any:
        if len(said) > 2:
            return self.replies.get(f"{said[0]}\n{said[-1]}", "Bananas.")
        return self.replies.get(said[-1], "Bananas.")


def models() -> StandIns:
    """Reads yes and no, and finds bananas toxic and out of place."""
    judges = StandIns(readings={"yes": (1.0, 0.0, 0.0), "no": (0.0, 1.0, 0.0)}, toxic={"Bananas.": {"insult": 0.99}})
    judges.coherence.coherence = lambda contexts, replies: [float(one != "Bananas.") for one in replies]  # type: ignore[method-assign]
    judges.given[0].update({reply: (reply, 0.99) for reply in right_replies().values()})
    return judges
