"""Put words into another order (ML-U4)."""

from random import Random

from chattest.perturbations._graded import Graded
from chattest.perturbations.base import perturbation
from chattest.records.dose import DoseRange
from chattest.text.words import around_words


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
        parts = around_words(text)
        words = parts[1::2]
        wanted = self.strength(text, len(words) - 1, len(words) - 1, doses, rng)
        if wanted is None:
            return None
        order = list(range(len(words)))
        done = 0
        if len(set(words)) == 1:
            return text, done
        for _ in range(20 * len(words)):  # a text of mostly equal words may allow fewer swaps than wanted
            if done == wanted:
                break
            index = rng.randrange(len(order) - 1)
            left, right = order[index], order[index + 1]
            if left < right and words[left] != words[right]:
                order[index], order[index + 1] = right, left
                done += 1
        parts[1::2] = [words[new] for new in order]
        return "".join(parts), done
