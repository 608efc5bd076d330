"""Chatters are found, given their options, and hold every conversation of a run."""

import io
import re
import shutil
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import pytest

from chattest.chatter.base import Chatter, NoOptions
from chattest.chatter.instance import ChatterSpec
from chattest.chatter.loader import chatter_names
from chattest.dialogue.participants import find_participants
from chattest.dialogue.pool import hold_all, make_history
from chattest.errors import ChatterError, InputError, StoreError
from chattest.files.atomic import write_whole
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.runner.prepare import prepare
from chattest.runner.run import run
from chattest.settings.declaration import Settings
from chattest.storage.conversations import load_all, to_json
from chattest.storage.journal import Journal
from tests.support.project import BOTS, make_project
from tests.support.small_runs import Silent
from tests.support.stand_ins import ROOT, Scripted, StandIns, probe, spec


def settings(*chatters: str, **more: object) -> Settings:
    return Settings.model_validate({"chatters": chatters, **more})


def nothing(*ignored: object) -> str:
    return ""


def test_lines_of_the_predefined_bots_come_from_the_settings_by_position() -> None:
    both = find_participants(
        settings("predefined", "predefined", predefined_conv_chatter1=["a"], predefined_conv_chatter2=["b", "c"]),
        ROOT / "chatters",
    )
    assert [member.options.lines for member in both] == [["a"], ["b", "c"]]  # type: ignore[attr-defined]
    given = settings("predefined", "predefined", chatter_options={"predefined": {"lines": ["mine"]}})
    assert find_participants(given, ROOT / "chatters")[0].options.lines == ["mine"]  # type: ignore[attr-defined]


def test_every_problem_of_both_chatters_and_all_options_is_told(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    wrong = settings("nobody", "keeper", chatter_options={"keeper": {"a": 1, "b": 2}, "asker": {"c": 3}, "ghost": {}})
    with pytest.raises(InputError) as refused:
        find_participants(wrong, project / "chatters")
    told = [problem.where for problem in refused.value.problems]
    assert told == [
        "chatters[0]",
        'chatter_options["keeper"].a',
        'chatter_options["keeper"].b',
        'chatter_options["asker"].c',
        "chatter_options",
    ]


def test_a_file_with_two_bots_or_none_is_refused(tmp_path: Path) -> None:
    bot = "class {}(Chatter):\n    def get_response(self, conv_array):\n        return 'Hey'\n\n\n"
    head = "from chattest import Chatter\n\n\n"
    made = {"both": [bot.format("One"), bot.format("Two")], "neither": [], "one": [bot.format("One"), bot.format("_B")]}
    project = make_project(tmp_path / "project", **{name: head + "".join(bots) for name, bots in made.items()})
    for name, number in (("both", 2), ("neither", 0)):
        with pytest.raises(InputError, match=f"{name}.py defines {number} chatters; exactly one is needed"):
            find_participants(settings("asker", name), project / "chatters")
    assert find_participants(settings("asker", "one"), project / "chatters")[1].cls.__name__ == "One"


def test_a_chatter_that_the_project_does_not_have_is_a_shipped_one(tmp_path: Path) -> None:
    own = make_project(tmp_path / "project", eliza=BOTS["asker"], blenderbot=BOTS["asker"])
    mine, theirs = find_participants(settings("eliza", "blenderbot_400M"), own / "chatters")
    assert (mine.cls.__name__, mine.cls.__module__) == ("Asker", "chatters.eliza")
    assert theirs.cls.__module__ == "chattest.shipped.chatters.blenderbot_400M"
    nowhere = tmp_path / "nowhere" / "chatters"
    assert chatter_names(nowhere) == chatter_names(ROOT / "chatters")
    assert set(chatter_names(own / "chatters")) == {*chatter_names(nowhere), "asker", "keeper"}
    shipped, _ = find_participants(settings("eliza", "alice"), nowhere)
    assert shipped.cls.__module__ == "chattest.shipped.chatters.eliza"


def test_a_bot_that_cannot_answer_is_refused_with_what_to_write(tmp_path: Path) -> None:
    bot = "from chattest import Chatter\n\n\nclass Bot(Chatter):\n    def {}(self, conv_array):\n        return 'Hey'\n"
    project = make_project(tmp_path / "project", mine=bot.format("get_respons"), other=bot.format("answer"))
    with pytest.raises(InputError) as refused:
        find_participants(settings("other", "mine"), project / "chatters")
    other, mine = refused.value.problems
    assert (other.where, mine.where) == ("chatters[0]", "chatters[1]")
    assert mine.what == f"{project / 'chatters' / 'mine.py'}: class Bot has no get_response"
    assert mine.remedy.startswith('Did you mean "get_respons" to be it? Write `def get_response(self, conv_array):`')
    assert other.remedy.startswith("Write `def get_response(self, conv_array):`")
    with pytest.raises(InputError, match="class Chatter has no get_response"):
        find_participants(settings("asker", "chattest.chatter.base:Chatter"), project / "chatters")


def test_a_class_from_anywhere_can_talk() -> None:
    name = "tests.support.stand_ins:Scripted"
    first, second = find_participants(settings(name, name), ROOT / "chatters")
    assert first.cls is second.cls is Scripted
    assert first.make() is not first.make()
    for wrong, why in (
        ("StandIns", "tests.support.stand_ins: class StandIns has no get_response"),
        ("Scriptde", 'there is no "Scriptde" in tests.support.stand_ins\n    Did you mean "Scripted"?'),
    ):
        with pytest.raises(InputError, match=re.escape(why)):
            find_participants(settings(name, f"tests.support.stand_ins:{wrong}"), ROOT / "chatters")


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (OSError("no such weights"), "bot cannot be loaded: OSError: no such weights"),
        (ChatterError("the model is gone"), "^the model is gone$"),
    ],
)
def test_a_bot_that_cannot_be_loaded_is_told(failure: Exception, told: str) -> None:
    class Broken(Chatter):
        @classmethod
        def load(cls, options: object) -> None:
            raise failure

    with pytest.raises(ChatterError, match=told):
        ChatterSpec("bot", Broken, NoOptions()).load()


def test_given_history_is_said_in_turn() -> None:
    turns = make_history(["a", "b", "c"])
    assert [(turn.speaker, turn.text) for turn in turns] == [
        (Speaker.DRIVER, "a"),
        (Speaker.SUBJECT, "b"),
        (Speaker.DRIVER, "c"),
    ]
    assert {turn.round for turn in turns} == {-1}


def scripted() -> tuple[ChatterSpec, ChatterSpec]:
    first, second = find_participants(
        settings("tests.support.stand_ins:Scripted", "tests.support.stand_ins:Scripted"), ROOT / "chatters"
    )
    return first, second


def specs(count: int, length: int = 2) -> list[Conversation]:
    return [spec(length, run=run) for run in range(1, count + 1)]


def test_what_is_held_is_not_held_again_and_what_was_begun_is_gone_on_with(tmp_path: Path) -> None:
    done = replace(spec(2), turns=(Turn(0, Speaker.DRIVER, "already said"),))
    write_whole(tmp_path / "run-001.json", to_json(done))
    begun = Journal(tmp_path, spec(2, run=2))
    begun.resumed()
    begun.record(Turn(0, Speaker.DRIVER, "begun"))
    begun.close()
    told: list[tuple[int, str]] = []
    hold_all(
        specs(3),
        scripted(),
        Settings(),
        tmp_path,
        Event(),
        lambda talk, turn: told.append((talk.run, turn.text)),
        nothing,
    )
    one, two, three = load_all(tmp_path)
    assert one == done
    assert [turn.text for turn in two.turns] == ["begun", "Go on.", "Go on.", "Go on."]
    assert len(three.turns) == 4
    assert [run for run, _ in told] == [2] * 3 + [3] * 4


@pytest.mark.parametrize("workers", [1, 3])
def test_a_disk_that_refuses_ends_everything_and_is_told(
    tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Journal, turn: Turn) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(Journal, "record", full)
    with pytest.raises(StoreError, match="the disk is full"):
        hold_all(specs(6), scripted(), Settings(workers=workers), tmp_path, Event(), nothing, nothing)  # type: ignore[arg-type]
    assert not list(tmp_path.glob("run-*.json"))


def test_a_finished_file_that_is_no_conversation_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run-001.json").write_text("{}")
    with pytest.raises(InputError, match=r"run-001\.json"):
        hold_all(specs(1), scripted(), Settings(), tmp_path, Event(), nothing, nothing)  # type: ignore[arg-type]


def test_conversations_are_held_at_once_but_a_persons_one_after_another(tmp_path: Path) -> None:
    for interactive, most in ((False, 3), (True, 1)):
        seen: set[str] = set()
        both = scripted()

        def spoken(talk: Conversation, turn: Turn) -> None:
            seen.add(threading.current_thread().name)  # noqa: B023 - called in this very round of the loop

        cls = type("Person", (Scripted,), {"interactive": interactive})
        members = tuple(replace(member, cls=cls) for member in both)
        folder = tmp_path / str(interactive)
        hold_all(specs(6, 4), members, Settings(workers=3), folder, Event(), spoken, nothing)  # type: ignore[arg-type]
        assert len(load_all(folder)) == 6
        assert len(seen) <= most
        assert interactive == (seen == {"MainThread"})


class Together(Chatter):
    """Answers in batches, and is best asked for three conversations at once."""

    at_once = 3
    remembers = False
    sizes: list[int] = []

    @classmethod
    def get_responses(cls, shared: Any, conv_arrays: list[list[str]], seeds: Sequence[str] = ()) -> list[Any]:
        cls.sizes.append(len(conv_arrays))
        sleep(0.05)  # or, on a busy machine, a conversation ends before the next one begins
        return [f"{seed}: {len(texts)}" for seed, texts in zip(seeds, conv_arrays, strict=True)]


@pytest.mark.parametrize(("drivers", "workers", "most"), [(8, 1, 3), (2, 1, 2), (1, 1, 1), (1, 4, 4)])
def test_where_both_chatters_say_so_conversations_are_held_at_once_with_one_worker(
    tmp_path: Path, drivers: int, workers: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chattest.chatter.batching.PATIENCE", 5.0)  # however busy the machine is
    Together.sizes = []
    driver = replace(scripted()[0], cls=type("Driver", (Scripted,), {"at_once": drivers}))
    subject = ChatterSpec("together", Together, NoOptions())
    if most == 1:  # without batches it is asked as any other
        monkeypatch.setattr(Together, "get_response", lambda self, texts: f"alone: {len(texts)}")
    hold_all(specs(6, 4), (driver, subject), Settings(workers=workers), tmp_path, Event(), nothing, nothing)  # type: ignore[arg-type]
    held = load_all(tmp_path)
    assert max(Together.sizes, default=1) == most
    for talk in held:
        who = "alone" if most == 1 else talk.seed
        assert [turn.text for turn in talk.turns[1::2]] == [f"{who}: {number}" for number in (1, 3, 5, 7)]


def test_a_person_in_a_pipe_is_judged_and_can_ask_for_the_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The person drives; the probe they ask for is said at once, in their place."""
    project = make_project(tmp_path / "project")
    shutil.copy(ROOT / "chatters" / "user.py", project / "chatters" / "user.py")
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns(models=models))
    monkeypatch.setattr(
        sys, "stdin", io.StringIO("Hello\n/score\n/save\n/probe\nWell\nNever mind\n/quit\nnot reached\n")
    )
    drawn = settings("user", "keeper", max_runs=1, conversation_length=30, p={"ML-I1": 0.05})
    prepared = prepare(drawn, project)
    prepared = replace(prepared, specs=(replace(prepared.specs[0], plan=spec(30, probe("ML-I1", 20, 22)).plan),))
    first = next(prepared.specs[0].plan.steps())[1]
    outcome = run(prepared, tmp_path / "reports", Silent(), Event())
    printed = capsys.readouterr().out
    (talk,) = load_all(outcome.folder)
    assert [turn.text for turn in talk.turns[::2]][:2] == ["Hello", first.text]
    assert "The next probe is planted in round 1." in printed
    assert f"You (probe): {first.text}" in printed
    assert "ML-P1: [1, 1] passed" in printed
    assert "Every turn is saved at once" in printed
    assert outcome.report is not None
    assert {row.verdict.value for row in outcome.report.results if row.check == "ML-P1"} == {"PASS"}
    assert next(talk.plan.steps())[1].round == 1


def test_a_persons_interrupted_conversation_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = make_project(tmp_path / "project")
    shutil.copy(ROOT / "chatters" / "user.py", project / "chatters" / "user.py")
    both = find_participants(settings("user", "keeper"), project / "chatters")
    start = spec(6, probe("ML-I1", 1, 3))
    turns = [
        Turn(0, Speaker.DRIVER, "Hello"),
        Turn(0, Speaker.SUBJECT, "Hi"),
        Turn(1, Speaker.DRIVER, "My cat is called Juniper."),
    ]
    begun = Journal(tmp_path, start)
    begun.resumed()
    for turn in turns:
        begun.record(turn)
    begun.close()
    monkeypatch.setattr(sys, "stdin", io.StringIO("Back again\n"))
    hold_all([start], both, settings("user", "keeper"), tmp_path, Event(), nothing, nothing)  # type: ignore[arg-type]
    printed = capsys.readouterr().out
    (talk,) = load_all(tmp_path)
    assert [turn.text for turn in talk.turns[::2]] == [
        "Hello",
        "My cat is called Juniper.",
        "Back again",
        "What is my cat called?",
    ]
    assert "You (probe): My cat is called Juniper." not in printed
    assert "You (probe): What is my cat called?" in printed
