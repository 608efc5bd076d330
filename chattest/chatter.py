"""The base class of everything that talks, and how a chatter is found by its name.

A chatter is one file in the project's `chatters/` folder; its name is the file's stem. Any other class
is named `"package.module:Class"`.
"""

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from numbers import Real
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError

from chattest.dialogue import Reply, Turn
from chattest.errors import ChatterError, InputError, Problem, nearest
from chattest.keys import masked
from chattest.plain_words import told
from chattest.probe import ProbePlan


class NoOptions(BaseModel):
    """A chatter without settings of its own."""

    model_config = ConfigDict(extra="forbid")


class EndOfConversation(Exception):  # noqa: N818 - nothing went wrong
    """Raised by `get_response` to end the conversation cleanly; what was said is judged.

    Its text says why ("the person left", "the goal is reached").
    """


class Command(Exception):  # noqa: N818 - a person may raise it, nothing went wrong
    """Raised by a person's `get_response` to ask something of the program instead of speaking.

    name: `probe` says the next planned probe now, `score` shows the verdicts so far, `save` saves what was said.
    The answer comes by `told`, then `get_response` is asked again.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Chatter:
    """Base class of every chatter. Only `get_response` must be written.

    There is one instance per conversation; what several conversations can share (weights, a knowledge
    base, a connection pool) is made once per process by `load` and found as `self.shared`.
    """

    Options: type[BaseModel] = NoOptions
    """A pydantic model of the chatter's settings: name, meaning (`Field(description=...)`), default."""
    from_settings: ClassVar[dict[str, str]] = {}
    """Option -> setting of config.py that fills it; `{position}` stands for 1 (driver) or 2 (subject)."""
    remembers: ClassVar[bool] = True
    """Whether the instance keeps anything between replies. When an interrupted conversation goes on, a
    chatter that remembers is asked its earlier replies again (they are thrown away); one that answers
    from `conv_array` alone sets this to `False` and is not."""
    interactive: ClassVar[bool] = False
    """Whether a person is behind it; conversations with one are held one after another."""

    name: str = ""
    """The name it was chosen by."""
    options: Any = None
    """An instance of `Options`."""
    shared: Any = None
    """What `load` returned."""

    @classmethod
    def load(cls, options: Any) -> Any:
        """Makes what all instances share, once per process. May raise `ChatterError`."""
        return None

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Called once before the first turn; `seed` is all the chance a chatter should use."""

    def get_response(self, conv_array: list[str]) -> str | Sequence[str] | Reply:
        """The next reply.

        conv_array: the conversation so far, oldest text first; empty when this chatter opens it.
        Returns a text, several texts (messages of one turn), or a `Reply`. Raise `EndOfConversation` to end
        cleanly, anything else to fail: the turn is recorded with the error and the conversation ends there.
        """
        raise NotImplementedError(f"{type(self).__name__} must define get_response(conv_array)")

    @classmethod
    def get_responses(cls, shared: Any, conv_arrays: list[list[str]]) -> list[str | Sequence[str] | Reply]:
        """Replies to several conversations at once; only chatters that can batch define it."""
        raise NotImplementedError(f"{cls.__name__} does not answer in batches")

    @classmethod
    def torch_module(cls, shared: Any) -> Any:
        """The `torch.nn.Module` whose weights answer, for `python main.py mutants`; `None` where there is none.

        shared: what `load` returned. It is called before the weights are altered and again before they are put back.
        """
        return None

    def sent_instead(self, text: str, conv_array: list[str]) -> None:
        """Told that a probe's text went out in this chatter's place."""

    def heard(self, turn: Turn) -> None:
        """Told what the other chatter said, as soon as it is said; also the last turn, which is not replied to."""

    def told(self, text: str) -> None:
        """Told what came of a `Command` this chatter raised."""

    def close(self) -> None:
        """Called once after the last turn, also when the conversation failed."""

    @classmethod
    def batches(cls) -> bool:
        """Whether the class answers in batches, that is, defines `get_responses`."""
        return cls.get_responses.__func__ is not Chatter.get_responses.__func__  # type: ignore[attr-defined]


def as_reply(value: object) -> Reply:
    """Whatever `get_response` returned, as a `Reply`; anything but text raises `ChatterError`.

    A key of the environment that a bot repeats is starred out, as its words are saved and shown.
    """
    if isinstance(value, Reply):
        texts: Sequence[object] = (value.texts,) if isinstance(value.texts, str) else value.texts
    elif isinstance(value, str):
        texts = (value,)
    elif isinstance(value, (list, tuple)):
        texts = value
    else:
        raise ChatterError(f"get_response returned {type(value).__name__}, not a text")
    wrong = [text for text in texts if not isinstance(text, str)]
    if wrong:
        raise ChatterError(f"get_response returned {type(wrong[0]).__name__} among its texts")
    if isinstance(value, Reply):
        if not isinstance(value.intent, str | None):
            raise ChatterError(f"the intent of its reply is {type(value.intent).__name__}, not a text")
        if not isinstance(value.confidence, Real | None):
            raise ChatterError(f"the confidence of its reply is {type(value.confidence).__name__}, not a number")
        confidence = None if value.confidence is None else float(value.confidence)
        return replace(value, texts=tuple(masked(str(text)) for text in texts), confidence=confidence)
    return Reply(tuple(masked(str(text)) for text in texts))


def chatter_names(folder: Path) -> list[str]:
    """Stems of all chatter files in a `chatters/` folder, in alphabetical order."""
    return sorted(path.stem for path in folder.glob("*.py") if not path.stem.startswith("_"))


def find_chatter(name: str, folder: Path, where: str = "chatters") -> type[Chatter]:
    """The class behind a chatter's name.

    name: a file's stem in `folder`, or `"package.module:Class"`. where: place of the name, for messages.
    Raises `InputError` when there is no such chatter or its file cannot be imported.
    """
    if ":" in name:
        module_name, _, class_name = name.partition(":")
        module = _imported(lambda: importlib.import_module(module_name), name, where)
        found = getattr(module, class_name, None)
        if not isinstance(found, type) or not issubclass(found, Chatter):
            what = f'"{class_name}" in {module_name} is not a Chatter class'
            raise InputError([Problem(where, what, "Give package.module:Class.")])
        return _answering(found, module_name, where)
    if name not in chatter_names(folder):
        remedy = nearest(name, chatter_names(folder))
        raise InputError([Problem(where, f'there is no chatter "{name}"', remedy)])
    module = _imported(lambda: _from_file(folder / f"{name}.py"), name, where)
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Chatter)
        and value.__module__ == module.__name__
        and not value.__name__.startswith("_")
    ]
    if len(classes) != 1:
        what = f"{folder / (name + '.py')} defines {len(classes)} Chatter classes; exactly one is needed"
        remedy = "Give the others a name that begins with an underscore, or a file of their own."
        raise InputError([Problem(where, what, remedy)])
    return _answering(classes[0], str(folder / f"{name}.py"), where)


def _answering(cls: type[Chatter], place: str, where: str) -> type[Chatter]:
    """The class, if it defines `get_response`; else an `InputError` that says what to write."""
    if cls.get_response is not Chatter.get_response:
        return cls
    known = set(vars(Chatter))
    own = [name for base in cls.__mro__ for name, value in vars(base).items() if callable(value) and name not in known]
    meant = get_close_matches("get_response", own, n=1, cutoff=0.8)
    remedy = f'Did you mean "{meant[0]}" to be it? ' if meant else ""
    remedy += "Write `def get_response(self, conv_array):`, which returns the reply to conv_array[-1]."
    raise InputError([Problem(where, f"{place}: class {cls.__name__} has no get_response", remedy)])


def _from_file(path: Path) -> ModuleType:
    """Imports a chatter's file as `chatters.<stem>`, once per process and file."""
    module_name = f"{path.parent.name}.{path.stem}"
    loaded = sys.modules.get(module_name)
    if loaded is not None and getattr(loaded, "__file__", None) == str(path):
        return loaded
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[module_name]  # half a module must not be found the next time
        raise
    return module


def _imported(load: Any, name: str, where: str) -> ModuleType:
    try:
        module: ModuleType = load()
    except Exception as error:  # whatever a user's file does when it is imported
        what = f'chatter "{name}" cannot be imported: {type(error).__name__}: {error}'
        raise InputError([Problem(where, what)]) from error
    return module


def chatter_options(cls: type[Chatter], given: dict[str, Any], where: str = "chatter_options") -> BaseModel:
    """The chatter's checked options; every problem found is in the one `InputError` raised."""
    try:
        return cls.Options.model_validate(given)
    except ValidationError as error:
        problems = []
        for wrong in told(error, given):
            remedy = nearest(wrong.where, cls.Options.model_fields) if wrong.unknown else ""
            problems.append(Problem(f"{where}.{wrong.where}" if wrong.place else where, wrong.what, remedy))
        raise InputError(problems) from error
