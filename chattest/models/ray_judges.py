"""The judges as actors on a Ray cluster."""

from collections.abc import Sequence
from typing import Any

from chattest.errors import ModelError
from chattest.models.cache import FORMS
from chattest.models.judges import Judges

LOSSES = 5
"""How often a conversation, or a judge's work, is begun again when its machine is lost."""


class RayJudges(Judges):
    """Judges whose models are held by actors of the cluster, one each."""

    def _load(self, kind: str) -> Any:
        import ray

        share = {"num_gpus": 1.0 / len(FORMS)} if ray.cluster_resources().get("GPU") else {}
        holder = ray.remote(**share, num_cpus=0, max_restarts=LOSSES, max_task_retries=LOSSES)(_Holder)
        return _Held(kind, self._name(kind), holder.remote(Judges, self._models, self.options, kind))


class _Holder:
    """On a machine of the cluster: one model, loaded when first asked."""

    def __init__(self, cls: type[Judges], models: Any, options: dict[str, Any], kind: str) -> None:
        self._kind = kind
        self._judges = cls(models=models)
        self._judges.options = options

    def scores(self, columns: tuple[list[str], ...]) -> list[Any] | str:
        """What the model gives; a text says why it could not be loaded."""
        try:
            found: list[Any] = getattr(getattr(self._judges, self._kind), FORMS[self._kind].method)(*columns)
            return found
        except ModelError as error:
            return str(error)


class _Held:
    """Here: stands for the actor's model, with the one method that its kind has."""

    def __init__(self, kind: str, name: str, actor: Any) -> None:
        self.name = name
        self._actor = actor
        setattr(self, FORMS[kind].method, self._scores)

    def _scores(self, *columns: Sequence[str]) -> list[Any]:
        import ray

        found: list[Any] | str = ray.get(self._actor.scores.remote(tuple(map(list, columns))))
        if isinstance(found, str):
            raise ModelError(found)
        return found
