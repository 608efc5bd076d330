"""Conversations before their first turn, each made when it is asked for: ten thousand take no more memory than one."""

from collections.abc import Callable, Sequence
from typing import overload

from chattest.records.conversation import Conversation


class LazyConversations(Sequence[Conversation]):
    """A sequence of conversations that holds none of them."""

    def __init__(self, runs: Sequence[int], make: Callable[[int], Conversation]) -> None:
        """runs: their numbers. make: gives the conversation of a number, the same each time."""
        self.runs = runs
        self._make = make

    def __len__(self) -> int:
        return len(self.runs)

    @overload
    def __getitem__(self, place: int) -> Conversation: ...
    @overload
    def __getitem__(self, place: slice) -> "LazyConversations": ...
    def __getitem__(self, place: int | slice) -> "Conversation | LazyConversations":
        if isinstance(place, slice):
            return LazyConversations(self.runs[place], self._make)
        return self._make(self.runs[place])


def runs_of(specs: Sequence[Conversation]) -> Sequence[int]:
    """The numbers of the runs, without making the conversations."""
    return specs.runs if isinstance(specs, LazyConversations) else [spec.run for spec in specs]
