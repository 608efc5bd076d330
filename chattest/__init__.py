"""chattest tests chatbots by talking to them.

    import chattest

    report = chattest.run(my_bot, cases=["ML-U3", "ML-I1"])

See `chattest.api` for everything that can be called.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chattest.api import check, compare, generate, judge, judge_transcript, perturb, require, run
    from chattest.chatter.base import Chatter
    from chattest.published.library import benchmark
    from chattest.records.conversation import Reply
    from chattest.runner.questions.saved_tests_table import Tests, load_tests
    from chattest.runner.report import Report, load_report

    __version__: str

__all__ = [
    "Chatter",
    "Reply",
    "Report",
    "Tests",
    "benchmark",
    "check",
    "compare",
    "generate",
    "judge",
    "judge_transcript",
    "load_report",
    "load_tests",
    "perturb",
    "require",
    "run",
]

_HOMES = {
    "Chatter": "chattest.chatter.base",
    "Reply": "chattest.records.conversation",
    "Report": "chattest.runner.report",
    "Tests": "chattest.runner.questions.saved_tests_table",
    "benchmark": "chattest.published.library",
    "load_report": "chattest.runner.report",
    "load_tests": "chattest.runner.questions.saved_tests_table",
}
"""Public name -> its module, if that is not `chattest.api`."""


def __getattr__(name: str) -> Any:
    """Import a public name on first use: `main.py --help` needs none, and pydantic is slow to load."""
    if name == "__version__":
        return import_module("chattest.records.version").VERSION
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, "chattest.api")), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
