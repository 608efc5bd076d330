"""Questions altered by a perturbation: context and question, or the question alone."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from chattest.datasets.questions import LabelledQuestion
from chattest.perturbations.base import Perturbation
from chattest.records.plan import Perturbed
from chattest.records.question import Question

BORDER = "\ue000"
"""Stands between context and question while both are altered as one text; no text of a user's holds it."""


def altered(entry: LabelledQuestion, perturbation: Perturbation, rng: Random) -> list[tuple[Question, Perturbed]]:
    """The entry's question altered in every way that applies, with what was done; kinds in their order.

    Grammar concerns the question alone. Names, pronouns and the like are altered in context and question as one text,
    so that a person keeps one name; everything else in each by itself. The options stay, and so does the right answer
    where it stands in the context.
    """
    question = entry.question
    answers = [entry.answer] if isinstance(entry.answer, str) else []
    keep = [*entry.keep, *answers, *entry.also]
    if not question.context or perturbation.family == "grammar":
        found = perturbation.variants(question.text, rng, keep)
        return [(replace(question, text=new.text), new) for new in found]
    if perturbation.family == "bias" or perturbation.name == "entity_swap":
        return _together(question, perturbation, rng, keep)
    return _apart(question, perturbation, rng, keep)


def _together(
    question: Question, perturbation: Perturbation, rng: Random, keep: Sequence[str]
) -> list[tuple[Question, Perturbed]]:
    whole = f"{question.context} {BORDER} {question.text}"
    pairs = []
    for new in perturbation.variants(whole, rng, [*keep, BORDER]):
        context, _, text = (part.strip() for part in new.text.partition(BORDER))
        pairs.append((replace(question, text=text, context=context), new))
    return pairs


def _apart(
    question: Question, perturbation: Perturbation, rng: Random, keep: Sequence[str]
) -> list[tuple[Question, Perturbed]]:
    contexts = {new.kind: new for new in perturbation.variants(question.context, rng, keep)}
    texts = {new.kind: new for new in perturbation.variants(question.text, rng, keep)}
    pairs = []
    for kind in perturbation.kinds:
        done = [found[kind] for found in (contexts, texts) if kind in found]
        if done:
            context = contexts[kind].text if kind in contexts else question.context
            text = texts[kind].text if kind in texts else question.text
            # One dose for both: the higher, as that is the harder of the two to read.
            most = max(done, key=lambda one: one.dose)
            pairs.append((replace(question, text=text, context=context), most))
    return pairs
