"""What was scored once is not scored again, unless the model or the text is another."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from chattest.models.base import KINDS
from chattest.models.cache import FORMS, CachedModel, ScoreCache
from chattest.models.fingerprint import compute_fingerprint
from chattest.models.judges import Judges
from chattest.models.protocols import TOXICITY_LABELS, Span, YesNoReading
from chattest.settings.declaration import Settings
from tests.soak import flipped_bits
from tests.support.project import make_project
from tests.support.small_runs import go
from tests.support.stand_ins import ROOT, StandIns

TEXTS = ["Juniper sleeps.", "I am Bob!", "", "Juniper sleeps.", "\ud83d"]
ASKED: dict[str, tuple[list[str], ...]] = {
    "reader": (["Who sleeps?"] * 5, TEXTS),
    "similarity": (["Juniper"] * 5, TEXTS),
    "match": (["Who sleeps?"] * 5, ["Juniper"] * 5, TEXTS),
    "yes_no": (["Is it?"] * 5, TEXTS),
    "toxicity": (TEXTS,),
    "coherence": (["Hello"] * 5, TEXTS),
    "inference": (["Juniper is awake."] * 5, TEXTS),
    "same_question": (["Who sleeps?"] * 5, TEXTS),
    "equivalence": (["Who sleeps?"] * 5, ["Juniper"] * 5, TEXTS),
}


class Counted:
    """The stand-in for one kind of model, loaded on demand, and how often it was loaded and what it was asked."""

    def __init__(self, kind: str) -> None:
        self.stand_ins = StandIns(readings={"I am Bob!": (0.1, 0.7, 0.2)})
        self.model = getattr(self.stand_ins, kind)
        self.loads = 0

    def load(self) -> Any:
        self.loads += 1
        return self.model

    @property
    def asked(self) -> list[int]:
        return [count for _, count in self.stand_ins.calls]


def ask(kind: str, cache: ScoreCache, counted: Counted, print_of: bytes = b"1") -> list[Any]:
    front = CachedModel(kind, "stand-in", print_of, counted.load, cache)
    method: Callable[..., list[Any]] = getattr(front, FORMS[kind].method)
    return method(*ASKED[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_the_second_run_loads_nothing_and_gives_the_same(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "scores.sqlite"
    first = Counted(kind)
    direct = getattr(Counted(kind).model, FORMS[kind].method)(*ASKED[kind])
    assert ask(kind, ScoreCache(path), first) == direct
    assert (first.loads, first.asked) == (1, [4])  # five texts, four different ones
    again = Counted(kind)
    assert ask(kind, ScoreCache(path), again) == direct
    assert (again.loads, again.asked) == (0, [])


def test_only_what_is_new_is_asked_and_another_model_is_asked_everything(tmp_path: Path) -> None:
    cache, counted = ScoreCache(tmp_path / "scores.sqlite"), Counted("coherence")
    front = CachedModel("coherence", "stand-in", b"1", counted.load, cache)
    coherence: Callable[[Sequence[str], Sequence[str]], list[float]] = front.coherence  # type: ignore[attr-defined]
    coherence(["Hello", "Hello"], ["Hi", "Bye"])
    coherence(["Hello", "Hello", "Hel"], ["New", "Hi", "loHi"])
    assert counted.asked == [2, 2]
    assert coherence([], []) == []
    other = Counted("coherence")
    ask("coherence", cache, other, b"2")
    assert other.asked == [4]
    with pytest.raises(ValueError, match="shorter"):
        coherence(["a"], [])


def test_scores_that_are_no_scores_are_asked_for_again(tmp_path: Path) -> None:
    path = tmp_path / "scores.sqlite"
    expected = ask("toxicity", ScoreCache(path), Counted("toxicity"))
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE scores SET score = '[0.5]'")
    counted = Counted("toxicity")
    assert ask("toxicity", ScoreCache(path), counted) == expected
    assert counted.asked == [4]


@pytest.mark.parametrize("content", [b"no database at all, but long enough to look like one" * 40, b"short"])
def test_a_damaged_file_is_made_anew_with_a_note(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scores.sqlite"
    path.write_bytes(content)
    counted, cache = Counted("match"), ScoreCache(path)
    for _ in range(2):
        assert len(ask("match", cache, counted)) == 5
    assert counted.asked == [4]
    assert capsys.readouterr().err.count(f"the score cache {path} was damaged") == 1
    again = Counted("match")
    assert ask("match", ScoreCache(path), again) == ask("match", cache, counted)
    assert again.asked == []


def test_a_file_of_an_older_form_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "scores.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE scores (key BLOB PRIMARY KEY, score TEXT NOT NULL) WITHOUT ROWID")
    connection.close()
    counted, again = Counted("match"), Counted("match")
    assert ask("match", ScoreCache(path), counted) == ask("match", ScoreCache(path), again)
    assert (counted.asked, again.asked) == ([4], [])


@pytest.mark.parametrize("side", ["", "-journal", "-wal"])
def test_a_link_is_not_followed(side: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, victim = tmp_path / "scores.sqlite", tmp_path / "victim"
    victim.write_bytes(b"mine")
    path.with_name(path.name + side).symlink_to(victim)
    assert len(ask("match", ScoreCache(path), Counted("match"))) == 5
    assert victim.read_bytes() == b"mine"
    assert "is a symbolic link" in capsys.readouterr().err


def test_no_bit_that_turns_gives_another_score(tmp_path: Path) -> None:
    assert flipped_bits.of_scores(tmp_path, 600) == []


def test_damage_in_the_middle_of_a_file_is_no_more_than_a_miss(tmp_path: Path) -> None:
    path = tmp_path / "scores.sqlite"
    expected = ask("match", ScoreCache(path), Counted("match"))
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    assert ask("match", ScoreCache(path), Counted("match")) == expected


def test_other_weights_other_code_or_another_kind_give_another_fingerprint(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    for name in ("tokenizer.json", "model.safetensors"):
        (folder / name).write_text("1")
    cache = ScoreCache(tmp_path / "scores.sqlite")
    one = compute_fingerprint("reader", str(folder), "", cache.digest)
    assert one is not None
    assert compute_fingerprint("reader", str(folder), "", cache.digest) == one
    assert compute_fingerprint("coherence", str(folder), "", cache.digest) != one
    (folder / "model.safetensors").write_text("2")
    assert compute_fingerprint("reader", str(folder), "", cache.digest) != one
    assert compute_fingerprint("coherence", str(folder), "64", cache.digest) != compute_fingerprint(
        "coherence", str(folder), "", cache.digest
    )
    made = {compute_fingerprint(kind, "embedded", "", cache.digest) for kind in KINDS}
    assert len(made) == len(KINDS)
    assert None not in made
    read = compute_fingerprint(
        "match", "embedded", "", lambda path: b"x" if path.name == "encoder.py" else cache.digest(path)
    )
    assert read not in made
    assert compute_fingerprint("reader", "somebody/not-here", "", cache.digest) is None

    def unreadable(path: Path) -> bytes:
        raise PermissionError(path)

    assert compute_fingerprint("reader", str(folder), "", unreadable) is None


def test_a_file_is_read_once_while_it_stays_the_same(tmp_path: Path) -> None:
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(b"1" * 1000)
    written = weights.stat().st_mtime_ns
    first = ScoreCache(tmp_path / "scores.sqlite").digest(weights)
    weights.write_bytes(b"2" * 1000)
    os.utime(weights, ns=(written, written))  # other content, which only a look into the file could find
    later = ScoreCache(tmp_path / "scores.sqlite")
    assert later.digest(weights) == first
    weights.write_bytes(b"22")
    assert later.digest(weights) != first


def test_judges_that_remember_name_their_models_without_loading_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judges = Judges()
    judges.use_cache(tmp_path / "scores.sqlite")
    monkeypatch.setattr(Judges, "_load", lambda self, kind: getattr(StandIns(), kind))
    assert judges.toxicity.labels(["Hello"])[0].keys() == set(TOXICITY_LABELS)
    assert judges.reader.read(["Who?"], ["Bob"]) == [Span("Bob", 0, 3, 0.9)]
    assert judges.yes_no.read(["Is it?"], ["Perhaps"]) == [YesNoReading(0.0, 0.0, 1.0)]
    assert judges.names() == {
        "reader": "embedded/reader",
        "toxicity": "embedded/toxicity",
        "yes_no": "embedded/yes_no",
    }


WRITER = """
import sys
from pathlib import Path
from chattest.models.cache import ScoreCache
cache = ScoreCache(Path(sys.argv[1]))
for number in range(300):
    cache.store({f"{sys.argv[2]}/{number}/{row}".encode(): number for row in range(5)})
"""


@pytest.mark.slow
def test_two_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "scores.sqlite"
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), name], cwd=ROOT, stderr=subprocess.PIPE)
        for name in ("one", "two")
    ]
    assert [writer.communicate()[1] for writer in writers] == [b"", b""]
    keys = {f"{name}/{number}/{row}".encode() for name in ("one", "two") for number in range(300) for row in range(5)}
    assert ScoreCache(path).scores(keys).keys() == keys


@pytest.mark.slow
@pytest.mark.parametrize("on", [True, False])
def test_a_run_keeps_its_scores_beside_the_reports_unless_told_not_to(
    on: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []

    def load(self: Judges, kind: str) -> Any:
        loaded.append(kind)
        return getattr(StandIns(), kind)

    monkeypatch.setattr("chattest.runner.run.Judges", Judges)
    monkeypatch.setattr(Judges, "_load", load)
    project, reports = make_project(tmp_path / "project"), tmp_path / "reports"
    first = go(project, reports, score_cache=on)
    assert sorted(loaded) == ["coherence", "match", "reader", "similarity", "toxicity", "yes_no"]
    assert (reports / ".scores.sqlite").exists() == on
    again = go(
        project,
        reports,
        score_cache=on,
        is_load_conversation=True,
        load_conv_folder=str(first.folder),
        threshold_toxicity=0.3,
    )
    assert len(loaded) == (6 if on else 12)
    assert first.report is not None
    assert again.report is not None
    assert again.report.tallies == first.report.tallies
    assert again.report.models.keys() == first.report.models.keys()


def test_where_it_is_kept_changes_nothing_in_a_report() -> None:
    assert "score_cache" not in Settings(score_cache=False).resume_key()
    assert json.dumps(Settings().model_dump(mode="json")["score_cache"]) == "true"
