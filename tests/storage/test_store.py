"""Conversations on disk: whole or not at all, nothing lost, and the folder a run belongs in."""

import json
import re
import resource
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chattest.errors import InputError, StoreError
from chattest.files.atomic import write_whole
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.storage.conversations import delete_conversations, load, load_all, to_json
from chattest.storage.journal import Journal
from chattest.storage.run_folder import RunFolder, open_run_folder
from tests.support.stand_ins import probe, said, spec

TALK = said(
    ("Hey", "Hello"),
    ("My cat is called Juniper.", "=1+1\n\u2028 \x00 🙂"),
    ("What is my cat called?", "Juniper"),
    probes=[probe("ML-I1", 1, 2)],
)

texts = st.text(st.characters(exclude_categories=["Cs"]))
turns = st.builds(
    Turn,
    round=st.just(0),
    speaker=st.just(Speaker.DRIVER),
    text=texts,
    seconds=st.floats(0, 1e6),
    intent=st.none() | texts,
    confidence=st.none() | st.floats(0, 1),
    note=st.none() | texts,
)


@given(st.lists(turns, max_size=8), st.integers(0, 3), st.none() | texts)
@settings(max_examples=60, deadline=None)
def test_a_conversation_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, spoken: list[Turn], given_before: int, error: str | None
) -> None:
    path = tmp_path_factory.mktemp("c") / "run-001.json"
    given_before = min(given_before, len(spoken))
    both = list(Speaker)
    turns = [replace(turn, round=-1, speaker=both[place % 2]) for place, turn in enumerate(spoken[:given_before])]
    for place, turn in enumerate(spoken[given_before:]):
        turns.append(replace(turn, round=place // 2, speaker=both[place % 2]))
    turns[-1:] = [replace(turn, error=error) for turn in turns[-1:]]
    conversation = replace(TALK, turns=tuple(turns), settings={"p": {"ML-U3": 0.1}, "chatters": ["a", "b"]})
    write_whole(path, to_json(conversation))
    assert load(path) == conversation


def journal(folder: Path, conversation: Conversation, upto: int | None = None) -> Path:
    """The journal an interrupted run leaves."""
    left = Journal(folder, replace(conversation, turns=()))
    left.resumed()
    for turn in conversation.turns[:upto]:
        left.record(turn)
    left.close()
    return left.path


@pytest.mark.parametrize("upto", range(7))
def test_an_interrupted_conversation_comes_back_with_all_that_was_said(tmp_path: Path, upto: int) -> None:
    journal(tmp_path, TALK, upto)
    again = Journal(tmp_path, replace(TALK, turns=()))
    found = again.resumed()
    again.close()
    assert found == replace(TALK, turns=TALK.turns[:upto])


def test_a_kill_at_any_byte_loses_at_most_the_turn_being_written(tmp_path: Path) -> None:
    path = journal(tmp_path, TALK)
    whole = path.read_bytes()
    ends = [found.end() for found in re.finditer(rb"\n", whole)]
    for size in range(0, len(whole) + 1, 7):
        path.write_bytes(whole[:size])
        again = Journal(tmp_path, replace(TALK, turns=()))
        found = again.resumed()
        again.close()
        lines = sum(end <= size for end in ends)
        assert found.turns == TALK.turns[: max(0, lines - 1)]


def test_a_kill_while_it_is_taken_up_again_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal is never emptied to be filled again."""
    path = journal(tmp_path, TALK)
    before = path.read_bytes()

    def killed(*ignored: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("chattest.files.append.os.fsync", killed)
    with pytest.raises(KeyboardInterrupt):
        Journal(tmp_path, replace(TALK, turns=())).resumed()
    assert path.read_bytes() == before


def test_a_changed_plan_is_kept(tmp_path: Path) -> None:
    start = spec(9, probe("ML-I1", 4, 6))
    sooner = start.plan.move_next_probe_to(1)
    left = Journal(tmp_path, start)
    left.resumed()
    left.record(Turn(0, Speaker.DRIVER, "a"))
    left.replan(sooner)
    left.close()
    again = Journal(tmp_path, start)
    assert again.resumed().plan == sooner
    again.close()
    third = Journal(tmp_path, start)
    assert third.resumed().plan == sooner
    third.close()


def test_a_finished_conversation_leaves_no_journal(tmp_path: Path) -> None:
    left = Journal(tmp_path, replace(TALK, turns=()))
    left.resumed()
    left.finish(TALK)
    assert [path.name for path in tmp_path.iterdir()] == ["run-001.json"]
    assert load_all(tmp_path) == [TALK]


def test_a_journal_of_another_version_is_refused(tmp_path: Path) -> None:
    path = journal(tmp_path, TALK)
    path.write_bytes(path.read_bytes().replace(b'"schema":1', b'"schema":99', 1))
    with pytest.raises(InputError, match=r"99; this version of chattest reads 1"):
        Journal(tmp_path, replace(TALK, turns=())).resumed()


@pytest.mark.parametrize(
    ("line", "content"),
    [(1, b"not json\n"), (2, b'{"round": "x"}\n'), (3, b'{"plan": {"length": 0, "probes": 3}}\n'), (2, b"\xff\xfe\n")],
)
def test_a_journal_that_is_none_is_refused_with_its_line(tmp_path: Path, line: int, content: bytes) -> None:
    path = journal(tmp_path, TALK)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[line - 1] = content
    path.write_bytes(b"".join(lines))
    with pytest.raises(InputError, match=rf"run-001.turns:{line}: is not a turn"):
        Journal(tmp_path, replace(TALK, turns=())).resumed()


def broken(change: object) -> bytes:
    values = json.loads(to_json(TALK))
    values.update(change)
    return json.dumps(values).encode()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is not a saved conversation"),
        (b"[1, 2]", "is not a saved conversation"),
        (b"{\n]", "run-002.json:2: is not a saved conversation"),
        (b"\xff\xfe\x00", "is not a saved conversation"),
        (broken({"schema": 99}), "has schema 99; this version of chattest reads schema 1"),
        (b"{}", "has schema None"),
        (broken({"run": "first"}), "run: must be a whole number"),
        (broken({"turns": [{"round": 0}]}), r"turns\[0\].speaker: is missing"),
        (
            broken({"plan": {"length": 2, "probes": json.loads(to_json(TALK))["plan"]["probes"]}}),
            "round 2 is not one of",
        ),
    ],
)
def test_a_file_that_is_no_conversation_is_refused_by_name(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "run-001.json").write_bytes(to_json(TALK))
    (tmp_path / "run-002.json").write_bytes(content)
    with pytest.raises(InputError, match=r"run-002\.json") as refused:
        load_all(tmp_path)
    assert re.search(why, str(refused.value))


def test_every_unusable_file_is_told(tmp_path: Path) -> None:
    for run in (1, 2, 3):
        (tmp_path / f"run-{run:03d}.json").write_bytes(b"{}")
    with pytest.raises(InputError) as refused:
        load_all(tmp_path)
    assert len(refused.value.problems) == 3


@pytest.mark.parametrize("there", [True, False])
def test_a_folder_without_conversations_is_refused(tmp_path: Path, there: bool) -> None:
    with pytest.raises(InputError, match="no saved conversations"):
        load_all(tmp_path if there else tmp_path / "nowhere")


def test_conversations_come_in_order_of_runs_from_either_folder(tmp_path: Path) -> None:
    for run in (2, 10, 1, 1000):
        write_whole(tmp_path / "conversations" / f"run-{run:03d}.json", to_json(replace(TALK, run=run)))
    for folder in (tmp_path, tmp_path / "conversations"):
        assert [conversation.run for conversation in load_all(folder)] == [1, 2, 10, 1000]


def test_a_disk_that_refuses_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, no folder")
    with pytest.raises(StoreError, match="taken"):
        Journal(tmp_path / "taken", spec(3)).resumed()
    with pytest.raises(StoreError, match="taken"), RunFolder(tmp_path / "taken"):
        pass


def test_a_journal_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "run-001.turns").mkdir()
    with pytest.raises(StoreError, match=r"run-001\.turns cannot be used: Is a directory"):
        Journal(tmp_path, replace(TALK, turns=())).resumed()


def test_a_turn_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    begun = Journal(tmp_path, replace(TALK, turns=()))
    begun.resumed()
    begun.record(TALK.turns[0])
    most = (tmp_path / "run-001.turns").stat().st_size
    before, highest = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most + 10, highest))  # as on a full disk
    try:
        with pytest.raises(StoreError, match=r"run-001\.turns cannot be written: .*File too large"):
            begun.record(TALK.turns[1])
        begun.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, highest))
    again = Journal(tmp_path, replace(TALK, turns=()))
    assert again.resumed().turns == TALK.turns[:1]
    again.close()


def test_a_conversation_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "run-001.json").mkdir()
    with pytest.raises(InputError, match=r"run-001\.json: cannot be read: Is a directory"):
        load_all(tmp_path)


def test_forgetting_leaves_what_is_not_a_conversation(tmp_path: Path) -> None:
    for folder in ("only", "mixed"):
        write_whole(tmp_path / folder / "run-001.json", b"x")
    (tmp_path / "mixed" / "thesis.txt").write_text("mine")
    delete_conversations(tmp_path / "only")
    delete_conversations(tmp_path / "mixed")
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")) == ["mixed", "mixed/thesis.txt"]


def test_the_folders_name_is_the_runs_name(tmp_path: Path) -> None:
    """A name, then -2, -3; an unfinished run is gone on with under its own settings and refused under others."""
    taken = []
    for _ in range(3):
        with open_run_folder(tmp_path, "run", {"seed": 1}) as folder:
            folder.mark("talking", {"seed": 1})
            taken.append(folder.path.name)
            assert open_run_folder(tmp_path, "run", {"seed": 1}).path == folder.path
            with pytest.raises(InputError, match=r"other settings: seed, workers") as refused:
                open_run_folder(tmp_path, "run", {"seed": 2, "workers": 3})
            assert str(folder.path) == refused.value.problems[0].where
            folder.mark("judging", {"seed": 1})
            assert open_run_folder(tmp_path, "run", {"seed": 1}).path == folder.path
            folder.mark("finished", {"seed": 1})
    assert taken == ["run", "run-2", "run-3"]
    assert open_run_folder(tmp_path, "other", {}).path.name == "other"


def test_counted_names_begin_with_1(tmp_path: Path) -> None:
    for expected in ("check-1", "check-2"):
        with open_run_folder(tmp_path, "check", {}, counted=True) as folder:
            assert folder.path.name == expected
            folder.mark("finished", {})


def test_judging_again_leaves_an_unfinished_run_alone(tmp_path: Path) -> None:
    live, again = {"seed": 1, "is_load_conversation": False}, {"seed": 1, "is_load_conversation": True}
    with open_run_folder(tmp_path, "run", live) as folder:
        folder.mark("talking", live)
        with open_run_folder(tmp_path, "run", again) as other:
            assert other.path.name == "run-2"
            other.mark("judging", again)
        assert open_run_folder(tmp_path, "run", again).path.name == "run-2"
        with pytest.raises(InputError, match="other settings: seed"):
            open_run_folder(tmp_path, "run", again | {"seed": 2})


def test_claiming_writes_nothing(tmp_path: Path) -> None:
    open_run_folder(tmp_path / "reports", "run", {})
    assert not (tmp_path / "reports").exists()


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"state": "talking"}', b"\xff"])
def test_a_folder_that_cannot_be_understood_is_left_alone(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_bytes(content)
    with pytest.raises(InputError, match=r"run.json: cannot be read"):
        open_run_folder(tmp_path, "run", {})


def test_two_runs_cannot_use_one_folder(tmp_path: Path) -> None:
    with (
        open_run_folder(tmp_path, "run", {}),
        pytest.raises(StoreError, match="in use by another"),
        open_run_folder(tmp_path, "run", {}),
    ):
        pass
    with open_run_folder(tmp_path, "run", {}):
        pass
