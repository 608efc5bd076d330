"""Alter questions by a perturbation: context and question, or only the question."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from chattest.datasets.questions import LabelledQuestion
from chattest.perturbations.base import Perturbation
from chattest.records.dose import Dose, Level
from chattest.records.plan import Perturbed
from chattest.records.question import Question

BORDER = "\ue000"
"""Separates context and question while both are altered as one text; a private-use character, which no text has."""


Pairs = list[tuple[Question, Perturbed]]


def alter_question(
    entry: LabelledQuestion, perturbation: Perturbation, rng: Random, dose: Dose = Level.MEDIUM
) -> Pairs:
    """Return the question altered in every way that applies, each with a record of the alteration.

    They come in the order of kinds. Perturbations of grammar alter only the question. Names, pronouns and the like are
    altered in context and question as one text, so that a person keeps one name. So are perturbations with `whole`,
    such as a greeting, which is added once. All others alter context and question separately. The options stay as they
    are, and so does the right answer where the context contains it.

    Args:
        dose: How strongly to alter, where the perturbation has a strength.
    """
    question = entry.question
    answers = (
        [answer for answer in (entry.answer, *entry.also) if isinstance(answer, str)] if entry.keeps_answer else []
    )
    keep = [*entry.keep, *answers]
    if not question.context or perturbation.family == "grammar":
        variants = perturbation.variants(question.text, rng, keep, dose)
        return [(replace(question, text=variant.text), variant) for variant in variants]
    if perturbation.whole or perturbation.family == "bias" or perturbation.name == "entity_swap":
        return _together(question, perturbation, rng, keep, dose)
    return _separately(question, perturbation, rng, keep, dose)


def _together(question: Question, perturbation: Perturbation, rng: Random, keep: Sequence[str], dose: Dose) -> Pairs:
    whole = f"{question.context} {BORDER} {question.text}"
    pairs = []
    for variant in perturbation.variants(whole, rng, [*keep, BORDER], dose):
        context, _, text = (part.strip() for part in variant.text.partition(BORDER))
        pairs.append((replace(question, text=text, context=context), variant))
    return pairs


def _separately(question: Question, perturbation: Perturbation, rng: Random, keep: Sequence[str], dose: Dose) -> Pairs:
    contexts = {variant.kind: variant for variant in perturbation.variants(question.context, rng, keep, dose)}
    texts = {variant.kind: variant for variant in perturbation.variants(question.text, rng, keep, dose)}
    pairs = []
    for kind in perturbation.kinds:
        applied = [variants[kind] for variants in (contexts, texts) if kind in variants]
        if applied:
            context = contexts[kind].text if kind in contexts else question.context
            text = texts[kind].text if kind in texts else question.text
            # The dose of the pair is the higher one, that of the text that is harder to read.
            strongest = max(applied, key=lambda variant: variant.dose)
            pairs.append((replace(question, text=text, context=context), strongest))
    return pairs
