"""Conversation specs that are built on access: ten thousand take no more memory than one."""

from collections.abc import Callable, Collection, Sequence
from typing import overload

from chattest.records.conversation import Conversation


class LazyConversations(Sequence[Conversation]):
    """A sequence of conversation specs that keeps none of them in memory."""

    def __init__(self, runs: Sequence[int], make: Callable[[int], Conversation]) -> None:
        """Keep the numbers of the runs and the function that builds a spec.

        Args:
            runs: The numbers of the runs.
            make: Builds the spec of a run; it must return an equal spec each time.
        """
        self.runs = runs
        self._make = make

    def __len__(self) -> int:
        return len(self.runs)

    @overload
    def __getitem__(self, index: int) -> Conversation: ...
    @overload
    def __getitem__(self, index: slice) -> "LazyConversations": ...
    def __getitem__(self, index: int | slice) -> "Conversation | LazyConversations":
        if isinstance(index, slice):
            return LazyConversations(self.runs[index], self._make)
        return self._make(self.runs[index])

    def only(self, runs: Collection[int]) -> "LazyConversations":
        """Return the specs with these numbers, still without building them."""
        return LazyConversations([run for run in self.runs if run in runs], self._make)


def list_runs(specs: Sequence[Conversation]) -> Sequence[int]:
    """Return the numbers of the runs, without building their specs."""
    return specs.runs if isinstance(specs, LazyConversations) else [spec.run for spec in specs]


def select_runs(specs: Sequence[Conversation], runs: Collection[int]) -> Sequence[Conversation]:
    """Return the specs with these numbers, in order, without building them."""
    return specs.only(runs) if isinstance(specs, LazyConversations) else [spec for spec in specs if spec.run in runs]
