"""Judges whose models run on a Ray cluster."""

from collections.abc import Sequence
from typing import Any

from chattest.errors import ModelError
from chattest.models.cache import FORMS
from chattest.models.judges import Judges

LOSSES = 5
"""How many times a conversation, or a call of a judge, is restarted after its machine was lost."""


class RayJudges(Judges):
    """Judges of which each model runs in an actor on the cluster."""

    def _load(self, kind: str) -> Any:
        import ray

        share = {"num_gpus": 1.0 / len(FORMS)} if ray.cluster_resources().get("GPU") else {}
        actor = ray.remote(**share, num_cpus=0, max_restarts=LOSSES, max_task_retries=LOSSES)(_ModelActor)
        return _ModelProxy(kind, self._name(kind), actor.remote(Judges, self._models, self.options, kind))


class _ModelActor:
    """The actor: one model, loaded on first use."""

    def __init__(self, cls: type[Judges], models: Any, options: dict[str, Any], kind: str) -> None:
        self._kind = kind
        self._judges = cls(models=models)
        self._judges.options = options

    def scores(self, columns: tuple[list[str], ...]) -> list[Any] | str:
        """The model's scores, or a text that says why the model cannot be loaded."""
        try:
            scores: list[Any] = getattr(getattr(self._judges, self._kind), FORMS[self._kind].method)(*columns)
            return scores
        except ModelError as error:
            return str(error)


class _ModelProxy:
    """A proxy of the actor's model, with the method of its kind."""

    def __init__(self, kind: str, name: str, actor: Any) -> None:
        self.name = name
        self._actor = actor
        setattr(self, FORMS[kind].method, self._scores)

    def _scores(self, *columns: Sequence[str]) -> list[Any]:
        import ray

        scores: list[Any] | str = ray.get(self._actor.scores.remote(tuple(map(list, columns))))
        if isinstance(scores, str):
            raise ModelError(scores)
        return scores
