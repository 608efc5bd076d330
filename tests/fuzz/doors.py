"""The four ways in which a stranger's text comes in, each as a function of bytes that raises where it did harm.

What chattest refuses it must refuse with an `InputError`; what it takes it must be able to judge and to save again.
Anything else that is raised is a crash. The first byte chooses which reader gets the rest.
"""

import json
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random

from chatters.script import Script, ScriptOptions
from chattest.checks.base import CheckContext, families
from chattest.comparison.plans import find_differences
from chattest.datasets.questions import read_pairs, read_questions
from chattest.datasets.testsets import KINDS, read_testsets
from chattest.errors import InputError
from chattest.judging.verdicts import analyze
from chattest.records.conversation import Conversation
from chattest.settings.declaration import Settings
from chattest.settings.file import read_settings
from chattest.settings.gates import read_gates
from chattest.storage import emely
from chattest.storage.answers import read_answers
from chattest.storage.conversations import load, to_json
from chattest.storage.finished_run import read_run
from chattest.storage.journal import Journal
from chattest.storage.judge_accuracy import save_measured
from chattest.validation.labelled import read_cases
from tests.fuzz.edits import edited
from tests.fuzz.outputs import check_text
from tests.support.stand_ins import ROOT, StandIns, spec

DEFAULTS = Settings()
SAVED = ROOT / "tests" / "data" / "saved_conversations"


@cache
def scratch() -> Path:
    """A folder of this process, in memory where that can be."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="chattest-fuzz-", dir=memory if memory.is_dir() else None))


@cache
def whole() -> Conversation:
    """A conversation that chattest would read."""
    return load(SAVED / "whole.json")


def _file(name: str, content: bytes) -> Path:
    path = scratch() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def reply(data: bytes) -> None:
    """What a bot says; halves of surrogate pairs included."""
    try:
        text = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    check_text(text)
    if len(data) % 16:  # judging costs more than showing
        return
    turns = tuple(replace(turn, text=text) if turn.round == 2 else turn for turn in whole().turns)
    if not any("\ud800" <= character <= "\udfff" for character in text):  # the loop replaces them on arrival
        _judged(replace(whole(), turns=turns))


def testset(data: bytes) -> None:
    """A file of a test set, of any kind, or a dialogue file."""
    readers: list[tuple[str, Callable[[Path], object]]] = [
        *((f"testsets/{kind}/fuzz.toml", read_testsets) for kind in KINDS),
        ("testsets/questions/fuzz.toml", read_questions),
        ("testsets/pairs/fuzz.toml", read_pairs),
        *((f"testsets/{kind}/fuzz.toml", partial(_checks, kind)) for kind in ("mft", "directional", "bias")),
        ("fuzz.toml", lambda folder: Script.load(ScriptOptions(file=folder.parent / "fuzz.toml"))),
    ]
    name, read = readers[(data[:1] or b"\0")[0] % len(readers)]
    path = _file(name, data[1:])
    with suppress(InputError):
        read(scratch() / "testsets")
    path.unlink()


def _checks(kind: str, testsets: Path) -> None:
    for check in families.get(kind).checks(CheckContext(testsets.parent, DEFAULTS)):
        check.trials(Random(1))


def saved(data: bytes) -> None:
    """A saved conversation, whole or half held, answers, results of a run, labelled replies, figures of judges."""
    chosen, rest = (data[:1] or b"\0")[0] % len(_SAVED), data[1:]
    with suppress(InputError):
        _SAVED[chosen](rest)


def settings(data: bytes) -> None:
    """Overrides of settings, and files of gates."""
    chosen, rest = (data[:1] or b"\0")[0] % 4, data[1:]
    with suppress(InputError):
        if chosen < 2:
            text = rest.decode("utf-8", "replace")
            found = read_settings(None, text.split("\x1e") if chosen else [text])
            json.dumps(found.resume_key(), allow_nan=False)
            assert Settings.model_validate(found.changed()) == found
        else:
            read_gates(_file("gates.toml" if chosen == 2 else "gates.yaml", rest))


def _judged(conversation: Conversation) -> None:
    rows = analyze([conversation], DEFAULTS, StandIns())
    assert all(row.run == conversation.run for row in rows)


def _conversation(content: bytes) -> None:
    read = load(_file("run-001.json", content))
    assert load(_file("run-001.json", to_json(read))) == read
    with suppress(InputError):  # a case of another chattest, which `prepare` refuses
        _judged(read)


def _edited(data: bytes) -> None:
    _conversation(json.dumps(edited(json.loads(to_json(whole())), data), indent=1).encode())


def _seed_text(content: bytes) -> None:
    read = emely.read(_file("conversation_1.txt", content), 1)
    assert load(_file("run-001.json", to_json(read))) == read
    _judged(read)


def _journal(content: bytes) -> None:
    for left in scratch().glob("run-001.*"):
        left.unlink()
    journal = Journal(scratch(), spec(3))
    _file("run-001.turns", content)
    try:
        again = journal.resumed()
    finally:
        journal.close()
    assert load(_file("run-001.json", to_json(again))) == again or again.turns


def _answers(content: bytes) -> None:
    read_answers(_file("answers.jsonl", content))


def _run(content: bytes) -> None:
    state, _, rows = content.partition(b"\x1e")
    _file("one/run.json", state)
    _file("one/results.jsonl", rows)
    one = read_run(scratch() / "one")
    assert not find_differences(one, one) or not one.results
    str(one.title)


def _labelled(content: bytes) -> None:
    read_cases([_file("labelled.jsonl", content)])


def _figures(content: bytes) -> None:
    known = scratch() / "measured.json"
    known.unlink(missing_ok=True)
    save_measured([_file("figures.json", content)], known)


_SAVED: list[Callable[[bytes], None]] = [
    _conversation,
    _edited,
    _seed_text,
    _journal,
    _answers,
    _run,
    _labelled,
    _figures,
]

DOORS: dict[str, Callable[[bytes], None]] = {
    "reply": reply,
    "testset": testset,
    "saved": saved,
    "settings": settings,
}
