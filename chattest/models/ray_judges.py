"""Judges whose models run on a Ray cluster, in the worker processes that Ray itself keeps on every machine.

The texts of a call are split into parts, and each part is a task: it takes one processor, or one GPU if the cluster has
any. A worker process loads a model once. Ray queues the parts, gives them to machines that join meanwhile, and reruns
those of a lost process or machine. Parts have the same texts whatever the number of machines.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

from chattest.errors import ModelError
from chattest.models.cache import FORMS
from chattest.models.judges import Judges

T = TypeVar("T")
R = TypeVar("R")

LOSSES = 5
"""How many times a conversation, or a part of a judge's texts, is begun again after its machine was lost."""
PART = 128
"""Texts, or pairs of texts, in a part: enough for full batches, few enough that all processes end together."""


_Model = tuple[type[Judges], str, str, tuple[tuple[str, Any], ...]]
"""How a process loads a model: the class of its judges, kind, choice and options."""


class RayJudges(Judges):
    """Judges whose models run in worker processes on the cluster."""

    def map(self, judge: Callable[[T], R], items: Iterable[T]) -> list[R]:
        """Apply `judge` to all items at once, so that no machine waits for the last part of each.

        Chat models are asked in order, as that decides how their budget is spent.
        """
        if self._chat or self._others:
            return super().map(judge, items)
        given = list(items)
        with ThreadPoolExecutor(max_workers=max(1, len(given))) as pool:
            return list(pool.map(judge, given))

    def _load(self, kind: str) -> Any:
        import ray

        # A process that has a GPU would end after one task otherwise, and its model would be loaded for every part.
        gpu = {"num_gpus": 1, "max_calls": 0} if ray.cluster_resources().get("GPU") else {}
        task = ray.remote(**gpu, num_cpus=1, max_retries=LOSSES)(_scores)
        options = tuple(sorted(self.options.get(kind, {}).items()))
        return _ModelProxy(self._name(kind), task, (Judges, kind, self.choice(kind), options))


class _ModelProxy:
    """A stand-in for the processes' model, with the method of its kind."""

    def __init__(self, name: str, task: Any, model: _Model) -> None:
        self.name = name
        self._task, self._model = task, model
        setattr(self, FORMS[model[1]].method, self._scores)

    def _scores(self, *columns: Sequence[str]) -> list[Any]:
        import ray

        starts = range(0, len(columns[0]), PART)
        parts = [[list(column[start : start + PART]) for column in columns] for start in starts]
        try:
            answers: list[list[Any] | str] = ray.get([self._task.remote(self._model, part) for part in parts])
        except ray.exceptions.RayTaskError:
            raise  # what the model raised
        except ray.exceptions.RayError as error:
            first = str(error).strip().splitlines()[0]
            what = f"the {self._model[1]} judge was lost on the cluster {LOSSES + 1} times: {first}"
            raise ModelError(what) from error
        for answer in answers:
            if isinstance(answer, str):
                raise ModelError(answer)
        return [score for answer in answers for score in answer]


def _scores(model: _Model, part: list[list[str]]) -> list[Any] | str:
    """Score a part in a process of the cluster; return a text if the model cannot be loaded."""
    try:
        scores: list[Any] = getattr(_loaded(model), FORMS[model[1]].method)(*part)
        return scores
    except ModelError as error:
        return str(error)


@cache
def _loaded(model: _Model) -> Any:
    cls, kind, choice, options = model
    judges = cls(models={kind: choice})
    judges.options = {kind: dict(options)}
    return getattr(judges, kind)
