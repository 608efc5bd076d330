"""Add filler words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from chattest.english.clause import AUXILIARIES
from chattest.english.tagged import read_tokens
from chattest.english.word_lists import read_word_list
from chattest.perturbations._graded import Sites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change

_GAP = re.compile(r"(?<=\w) (?=\w)")
_WORD = re.compile(r"[\w'’]+")
_LAST = re.compile(r"[\w'’]{1,20}$")
_BOUND = read_word_list("filler", "bound")
_STRANDED = frozenset(("to", "of", "in", "for", "with", "on", "at", "from", "about", "by"))
_CLOSING = read_word_list("filler", "closing")


@perturbation("filler_words")
@dataclass(frozen=True)
class FillerWords(Sites):
    """Adds words that people say while they think: "What is, like, the name of my cat?".

    None comes where nobody pauses: after "the", in a name, at a number; nor in a quotation.
    The option `fillers` lists the words. The dose is the number of fillers.
    """

    fillers: tuple[str, ...] = ("um", "uh", "like", "you know", "er", "erm")
    """Words to insert, with commas around them."""

    family = "noise"
    kinds = ("inserted",)
    dose_unit = "fillers"
    rewords = True

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        # "I like, like, tea" would stutter.
        fillers = [filler for filler in self.fillers if not re.search(rf"\b{re.escape(filler)}", text, re.IGNORECASE)]
        if not fillers:
            return []
        sounds = [filler for filler in fillers if len(filler) < 3] or fillers
        tags = {token.start: token.tag[:2] for token in read_tokens(text)}
        ends = {token.end: token.tag[:2] for token in read_tokens(text)}
        changes = []
        for gap in _GAP.finditer(text):
            before, after = ends.get(gap.start(), ""), tags.get(gap.end(), "")
            if _pauses(text, gap) and not (before == after == "NN"):  # "property taxes"
                words = sounds if (before, after) == ("JJ", "NN") or _opens(text, gap) else fillers
                changes.append(Change(*gap.span(), f", {rng.choice(words)}, "))
        return changes

    def most(self, sites: Sequence[Change]) -> int:
        """Return one filler for every four gaps between words, because people do not use more."""
        return (len(sites) + 3) // 4


def _opens(text: str, gap: re.Match[str]) -> bool:
    """Return True if only a question's verb comes before the gap, where people use "um" but no words: "Is, um, the"."""
    return text[: gap.start()].lstrip().lower() in AUXILIARIES if gap.start() < 20 else False


def _pauses(text: str, gap: re.Match[str]) -> bool:
    """Return True if a speaker may pause between two words: not in "the cat", "5 pm", "New York" or "tell me"."""
    before, after = _LAST.search(text, max(gap.start() - 20, 0), gap.start()), _WORD.match(text, gap.end())
    if before is None or after is None:
        return False
    first, second = before[0], after[0]
    names = first[0].isupper() and second[0].isupper()
    digits = first[-1].isdigit() or second[0].isdigit()
    last = second.lower() in _STRANDED and not _WORD.search(text, gap.end() + len(second))
    return not (last or names or digits or first.lower() in _BOUND or second.lower() in _CLOSING)
