"""Makes chatters the way a run does, and a real web server for those that need one."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from chattest.chatter.base import Chatter
from chattest.chatter.http import Service
from chattest.chatter.loader import chatter_options, find_chatter
from chattest.records.plan import ProbePlan
from tests.support.paths import CHATTERS

Make = Callable[..., Chatter]


@pytest.fixture(scope="session")
def loaded() -> dict[tuple[str, str], Any]:
    """What `load` made, kept for the whole session as a run keeps it for the process."""
    return {}


@pytest.fixture
def make(loaded: dict[tuple[str, str], Any]) -> Iterator[Make]:
    """`make(name, seed="1", plan=None, conversation_id="c1", **options)`: a chatter ready to talk."""
    started = []

    def made(
        name: str, seed: str = "1", plan: ProbePlan | None = None, conversation_id: str = "c1", **options: Any
    ) -> Chatter:
        cls = find_chatter(name, CHATTERS)
        chatter = cls()
        chatter.name = name
        chatter.options = chatter_options(cls, options)
        key = (name, repr(chatter.options))
        if key not in loaded:
            loaded[key] = cls.load(chatter.options)
        chatter.shared = loaded[key]
        chatter.start(conversation_id, seed, plan or ProbePlan(length=10))
        started.append(chatter)
        return chatter

    yield made
    for chatter in started:
        chatter.close()
    for key in [key for key, shared in loaded.items() if isinstance(shared, Service)]:
        loaded.pop(key).close()
