"""Words in another order (ML-U4)."""

from random import Random

from chattest.perturbations._graded import Graded
from chattest.perturbations.base import perturbation
from chattest.records.dose import DoseRange
from chattest.text.words import below, movable


@perturbation("word_order")
class WordOrder(Graded):
    """Neighbouring words are swapped, from 0 times to the number of words less one.

    "What is the name of my cat?" may become "What the is of name my cat?". The dose is the number of swaps. No
    swap undoes an earlier one or swaps equal words, so the dose is also the smallest number of swaps that restores
    the text. Punctuation stays in place. A person understands a short question with its words in any such order.
    """

    family = "understanding"
    kinds = ("neighbours",)
    dose_unit = "swaps"

    def grade(self, text: str, kind: str, rng: Random, doses: DoseRange) -> tuple[str, int] | None:
        slots = movable(text)
        wanted = self.strength(text, len(slots) - 1, len(slots) - 1, doses, rng)
        if wanted is None:
            return None
        said = [slot.text for slot in slots]
        order = list(range(len(slots)))
        done = 0
        for _ in range(20 * len(slots)):  # a text of mostly equal words may allow fewer swaps than wanted
            if done == wanted:
                break
            at = below(rng, len(order) - 1)
            left, right = order[at], order[at + 1]
            if left < right and said[left] != said[right]:
                order[at], order[at + 1] = right, left
                done += 1
        parts: list[str] = []
        end = 0
        for slot, new in zip(slots, order, strict=True):
            parts += (text[end : slot.start], said[new])
            end = slot.end
        parts.append(text[end:])
        return "".join(parts), done
