"""What is missing, double or damaged in a finished run is told by whoever reads it, and ends with exit code 2."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import chattest
from chattest.errors import InputError
from chattest.storage.inventory import compare_inventory, start_renewal
from chattest.storage.run_folder import read_state
from tests.support.corrupted_run import make_run
from tests.support.corruptions import DAMAGES, KINDS, Corruption
from tests.support.process import ended, start
from tests.support.web_process import viewing

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with one run that holds every kind of file."""
    return make_run(tmp_path_factory.mktemp("counted") / "project")[0]


@pytest.fixture
def project(held: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(held, tmp_path / "project", symlinks=True))


def lose_rows(folder: Path) -> None:
    rows = folder / "results.jsonl"
    rows.write_bytes(b"".join(rows.read_bytes().splitlines(keepends=True)[:-5]))


def double_rows(folder: Path) -> None:
    rows = folder / "results.jsonl"
    rows.write_bytes(rows.read_bytes() + rows.read_bytes())


def change_a_verdict(folder: Path) -> None:
    rows = folder / "results.jsonl"
    rows.write_text(rows.read_text("utf-8").replace('"PASS"', '"FAIL"', 1), "utf-8")


def lose_the_answers(folder: Path) -> None:
    (folder / "answers.jsonl").unlink()


def lose_a_conversation(folder: Path) -> None:
    (folder / "conversations" / "run-002.json").unlink()


def add_a_conversation(folder: Path) -> None:
    other = json.loads((folder / "conversations" / "run-002.json").read_text("utf-8"))
    other |= {"run": 3, "seed": "1/3"}
    (folder / "conversations" / "run-003.json").write_text(json.dumps(other), "utf-8")


def change_a_setting(folder: Path) -> None:
    state = folder / "run.json"
    state.write_text(state.read_text("utf-8").replace('"seed": 1', '"seed": 7', 1), "utf-8")


FAULTS: dict[Callable[[Path], None], str] = {
    lose_rows: "lines, and the run has",
    double_rows: "is line 1 again",
    change_a_verdict: "is not as chattest wrote it",
    lose_the_answers: "is missing; the run has",
    lose_a_conversation: "1 of 4 conversations of the run are missing: run-002.json",
    add_a_conversation: "holds what is no conversation of this run: run-003.json",
    change_a_setting: "was changed or damaged since chattest wrote it",
}


def call(project: Path, *arguments: str) -> tuple[int, str]:
    """A command in the project: its exit code and what it printed."""
    return ended(start(project, *arguments))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_every_reader_tells(project: Path, fault: Callable[[Path], None]) -> None:
    folder = project / "reports" / "first-run"
    fault(folder)
    words = FAULTS[fault]
    judging = fault not in (lose_rows, double_rows, change_a_verdict)  # these only judging writes
    for command in (["repeats", str(folder)], ["compare", str(folder), str(folder)], ["judge", str(folder)]):
        code, printed = call(project, *command)
        if command[0] == "judge" and not judging:
            assert code in (0, 1), printed
            continue
        assert code == 2, printed
        assert words in printed
        assert "--partial" in printed
    with pytest.raises(InputError, match="partial=True"):
        chattest.load_report(folder)


def test_partial_goes_on_and_says_so(project: Path) -> None:
    folder = project / "reports" / "first-run"
    lose_the_answers(folder)
    code, printed = call(project, "judge", str(folder), "--partial")
    assert code in (0, 1), printed
    assert "Note: " in printed
    assert "answers.jsonl: is missing; the run has" in printed
    report = chattest.load_report(folder, partial=True)
    assert "answers.jsonl: is missing" in report.notes[0]
    assert report.notes[0] in repr(report)


def test_a_sound_run_says_nothing(project: Path) -> None:
    folder = project / "reports" / "first-run"
    state = read_state(folder)
    assert state["holds"]["rows"] == len((folder / "results.jsonl").read_bytes().splitlines())
    assert state["holds"]["conversations"] == len(list((folder / "conversations").rglob("run-*.json"))) == 4
    code, printed = call(project, "judge", str(folder))
    assert code in (0, 1), printed
    assert "Note" not in printed
    assert chattest.load_report(folder).notes == ()


def test_a_run_of_an_older_chattest_is_read_with_a_note(project: Path) -> None:
    folder = project / "reports" / "first-run"
    state = {name: value for name, value in read_state(folder).items() if name in ("state", "settings")}
    (folder / "run.json").write_text(json.dumps(state), "utf-8")
    lose_a_conversation(folder)
    for command in (["compare", str(folder), str(folder)], ["judge", str(folder)]):
        code, printed = call(project, *command)
        assert code in (0, 1), printed
        assert "an older chattest made this run and kept no count of it" in printed


def test_a_report_that_was_cut_off_while_labels_were_written_into_it_is_no_damage(project: Path) -> None:
    folder = project / "reports" / "first-run"
    start_renewal(folder)
    rows = folder / "results.jsonl"
    rows.write_text(rows.read_text("utf-8").replace("anna: pass", "anna: fail"), "utf-8")
    report = chattest.load_report(folder)
    assert "its report was being written" in report.notes[0]
    lose_rows(folder)
    assert "lines, and the run has" in compare_inventory(folder).problems[0].what


def test_the_app_shows_what_lacks(project: Path) -> None:
    folder = project / "reports" / "first-run"
    with viewing(project) as client:
        assert "What is missing from this run" not in client.get("/runs/first-run").text
        lose_rows(folder)
        lose_a_conversation(folder)
        page = client.get("/runs/first-run").text
    assert "lines, and the run has" in page
    assert "1 of 4 conversations of the run are missing: run-002.json" in page


@pytest.mark.parametrize("kind", KINDS)
def test_no_reader_is_silent_about_a_damaged_file(held: Path, tmp_path: Path, kind: str) -> None:
    """A sample of `python -m tests.soak.corruptions`."""
    corruption = Corruption(held, held / "reports" / "first-run", tmp_path, 3)
    for number in range(len(DAMAGES)):
        corruption.damage(kind, number)
    assert not corruption.outcomes.silent
    assert not corruption.outcomes.tracebacks
    assert corruption.outcomes.told
