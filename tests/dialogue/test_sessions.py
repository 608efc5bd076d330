"""Groups of sessions are held as planned with any number of workers, and resumed without the bot noticing."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from chattest.chatter.base import Chatter, NoOptions
from chattest.chatter.instance import ChatterSpec
from chattest.dialogue.pool import hold_all
from chattest.records.conversation import Conversation, Session, Turn
from chattest.settings.declaration import Settings
from chattest.storage.conversations import load_all
from tests.support.stand_ins import Scripted, spec

ROUNDS = 4
SEATS = ((0, "a"), (0, "b"), (1, "a"))
GROUPS = 3


class Diary(Chatter):
    """Writes down, for all conversations, who began, said and ended what; answers with how much it has of its user."""

    @classmethod
    def load(cls, options: Any) -> list[tuple[str, str, str]]:
        return []

    def start(self, conversation_id: str, seed: str, plan: Any, user_id: str = "") -> None:
        self.who = conversation_id, user_id
        self.shared.append((*self.who, "start"))

    def get_response(self, conv_array: list[str]) -> str:
        self.shared.append((*self.who, "say"))
        return f"I heard you {sum(who == self.who[1] and what == 'say' for _, who, what in self.shared)} times."

    def close(self) -> None:
        self.shared.append((*self.who, "close"))


def group(first: int) -> Iterator[Conversation]:
    for number, (stage, user) in enumerate(SEATS):
        alone = spec(ROUNDS, run=first + number)
        yield Conversation(alone.run, alone.seed, alone.chatters, (), alone.plan, session=Session(first, stage, user))


SPECS = [each for number in range(GROUPS) for each in group(1 + number * len(SEATS))]


def talk(folder: Path, workers: int = 1, stop_after: int | None = None) -> list[tuple[str, str, str]]:
    """Holds all groups; what the bot wrote down. stop_after: turns until the run is told to stop."""
    folder.mkdir(exist_ok=True)
    stop, said = Event(), []

    def spoken(conversation: Conversation, turn: Turn) -> None:
        said.append(turn)
        if len(said) == stop_after:
            stop.set()

    subject = ChatterSpec("diary", Diary, NoOptions())
    subject.load()
    driver = ChatterSpec("driver", Scripted, NoOptions())
    given = Settings(workers=workers, conversation_length=ROUNDS)
    hold_all(SPECS, (driver, subject), given, folder, stop, spoken, lambda name, so_far: "")
    return list(subject.shared)


def texts(folder: Path) -> dict[str, list[str]]:
    return {each.name: each.texts for each in load_all(folder)}


def test_sessions_of_a_stage_take_turns_and_the_next_stage_follows(tmp_path: Path) -> None:
    events = [(name, what) for name, _, what in talk(tmp_path / "one")]
    first = [event for event in events if event[0] in ("run-001", "run-002", "run-003")]
    both = [(name, "say") for _ in range(ROUNDS) for name in ("run-001", "run-002")]
    parallel = [("run-001", "start"), ("run-002", "start"), *both, ("run-001", "close"), ("run-002", "close")]
    assert first == [*parallel, ("run-003", "start"), *[("run-003", "say")] * ROUNDS, ("run-003", "close")]
    said = texts(tmp_path / "one")
    assert said["run-001"][1] == said["run-002"][1] == "I heard you 1 times."
    assert said["run-003"][1] == f"I heard you {ROUNDS + 1} times."


def test_any_number_of_workers_gives_the_same(tmp_path: Path) -> None:
    folders = {workers: tmp_path / str(workers) for workers in (1, 2, 5)}
    for workers, folder in folders.items():
        talk(folder, workers)
    assert texts(folders[1]) == texts(folders[2]) == texts(folders[5])


def test_users_are_the_same_in_a_group_and_nowhere_else(tmp_path: Path) -> None:
    events = talk(tmp_path / "one")
    users = {name: user for name, user, _ in events}
    assert len(set(users.values())) == 2 * GROUPS
    assert users["run-001"] == users["run-003"] != users["run-002"]
    assert not set(users.values()) & {user for _, user, _ in talk(tmp_path / "two")}


@pytest.mark.parametrize("turns", [1, 8, 16, 18, 24])
def test_a_group_that_was_stopped_is_resumed_as_if_nothing_had_happened(turns: int, tmp_path: Path) -> None:
    """In a new process the bot has forgotten everything, so what it was told in the group is said to it again."""
    talk(tmp_path / "whole")
    before = talk(tmp_path / "stopped", stop_after=turns)
    after = talk(tmp_path / "stopped")
    assert texts(tmp_path / "stopped") == texts(tmp_path / "whole")
    begun = {name: user for name, user, _ in before}
    assert {name: user for name, user, _ in after if name in begun} == {
        name: user for name, user in begun.items() if name in {name for name, _, _ in after}
    }
    assert not list((tmp_path / "stopped").glob("*.turns"))
    assert talk(tmp_path / "stopped") == []


def test_a_session_whose_bot_failed_does_not_keep_the_others_from_talking(tmp_path: Path) -> None:
    class Fails(Diary):
        def get_response(self, conv_array: list[str]) -> str:
            if self.who[0] == "run-001" and len(conv_array) > 2:
                raise ValueError("no more")
            return super().get_response(conv_array)

    subject = ChatterSpec("fails", Fails, NoOptions())
    subject.load()
    driver = ChatterSpec("driver", Scripted, NoOptions())
    given = Settings(conversation_length=ROUNDS)
    hold_all(SPECS[:3], (driver, subject), given, tmp_path, Event(), lambda *_: None, lambda *_: "")
    held = {each.name: each for each in load_all(tmp_path)}
    assert held["run-001"].failed is not None
    assert [held[name].last_round for name in ("run-002", "run-003")] == [ROUNDS - 1] * 2
