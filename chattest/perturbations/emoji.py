"""Add emoji, or replace words by emoji."""

from dataclasses import dataclass
from random import Random

from chattest.perturbations._graded import Sites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change
from chattest.text.lexicon import table
from chattest.text.words import words


@perturbation("emoji")
@dataclass(frozen=True)
class Emoji(Sites):
    """`appended` adds up to three emoji at the end; `replaced` replaces some of the words that have an emoji.

    "What is the name of my cat?" becomes "What is the name of my 🐱?". The option `faces` lists the emoji to append.
    The words and their emoji come from a shipped table. The dose is the number of emoji.
    """

    faces: tuple[str, ...] = ("🙂", "😀", "😅", "🙏", "👍", "🤔", "😊", "🙄", "😂", "🎉")
    """Emoji to append."""

    family = "noise"
    kinds = ("appended", "replaced")
    dose_unit = "emoji"

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        if kind == "replaced":
            table_rows = table("emoji")
            return [
                Change(word.start, word.end, rng.choice(table_rows[word.text.lower()]))
                for word in words(text)
                if word.text.lower() in table_rows
            ]
        end = len(text.rstrip())
        return [Change(end, end, f" {face}") for face in rng.choices(self.faces, k=3)] if end and self.faces else []
