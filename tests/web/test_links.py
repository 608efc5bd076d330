"""Symbolic links in a run folder are followed by no command and no request, for reading or for writing."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import chattest
from chattest.errors import InputError
from chattest.web.project import Project
from tests.support import process
from tests.support.received import PRIVATE

FILES = [
    *("run.json", "results.jsonl", "report.json", "report.md", "report.html", "report.xlsx", "summary.xlsx"),
    *("junit.xml", "labels.jsonl", "tags.json", "answers.jsonl", "tests.jsonl", "run.log", ".lock", ".labels.lock"),
    *(".tags.json.part", ".report.json.part", ".pause", ".stop"),
    *("conversations", "conversations/run-001.json", "conversations/run-002.turns", "conversations/clean"),
]


@pytest.fixture(params=FILES)
def linked(request: pytest.FixtureRequest, place: Project, tmp_path: Path) -> Iterator[Path]:
    """A run in which one file is a link to what nobody may see or change."""
    folder, name = place.reports / "first", str(request.param)
    target = folder / name
    private = tmp_path / "private"
    private.mkdir()
    victim = private / "victim"
    if target.is_dir() or name == "conversations/clean":
        victim = private / "folder"
        shutil.move(target, victim) if target.exists() else victim.mkdir()
    else:
        # As far as it goes it is the file that belongs there, so that nothing but the link is wrong.
        victim.write_bytes(target.read_bytes() if target.exists() else f"{PRIVATE}\n".encode())
        target.unlink(missing_ok=True)
    target.symlink_to(victim)
    before = contents(private)
    yield target
    assert contents(private) == before
    assert target.is_symlink()


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_no_request_follows_a_link(client: httpx.Client, place: Project, linked: Path) -> None:
    at = "/runs/first"
    pages = ["", "/results", "/rejudge", "/review?by=Anna", "/conversations", "/conversations/1", "/live", "/questions"]
    pages += [f"/files/{name}" for name in FILES if "/" not in name]
    for page in pages:
        answer = client.get(at + page)
        assert answer.status_code in (400, 404), (page, answer.text[:500])
        assert PRIVATE not in answer.text
    answer = client.get(at)
    assert f"{linked.name}" in answer.text
    assert "is a symbolic link" in answer.text
    posts = {
        "/rejudge": {"threshold_toxicity": "0.1"},
        "/review": {"by": "Anna", "budget": "3", "action": "start"},
        "/tags": {"add": "mine"},
        "/control": {"action": "stop"},
    }
    for page, fields in posts.items():
        assert client.post(at + page, data=fields).status_code in (400, 404), page
    assert client.get("/compare?run=first&run=second").status_code == 400
    assert client.get("/runs/second/rejudge?as=first").status_code == 400
    first_page = client.get("/")
    assert first_page.status_code == 200
    assert PRIVATE not in first_page.text
    for page in ("/trend", "/compare", "/testsets/qa/cat-name"):
        assert client.get(page).status_code < 500
    with pytest.raises(InputError, match="symbolic link"):
        chattest.load_report(place.reports / "first")


def test_no_command_follows_a_link(project: Path, linked: Path) -> None:
    commands = [["judge", "first"], ["review", "first", "--export", "labels.jsonl"]]
    for command in commands:
        code, printed = process.run(project, *command)
        assert code == 2, printed
        assert "is a symbolic link" in printed
        assert "Traceback" not in printed
        assert PRIVATE not in printed


@pytest.mark.slow
@pytest.mark.parametrize("command", ["compare first second", "repeats first", "augment first --out x.csv", "resume"])
def test_the_other_commands_do_not_either(project: Path, tmp_path: Path, command: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    folder = project / "reports" / "first"
    (folder / "run.log").unlink()
    (folder / "run.log").symlink_to(victim)
    arguments = command.split()
    if command == "resume":
        content = json.loads((folder / "run.json").read_text())
        (folder / "run.json").write_text(json.dumps(content | {"state": "talking"}))
        given = content["settings"]
        kept = ("seed", "max_runs", "conversation_length", "density", "p", "chatters", "check_floor")
        wanted = {name: given[name] for name in kept}
        arguments = ["--set", 'save_analysis_name="first"']
        (project / "config.py").write_text("".join(f"{name} = {value!r}\n" for name, value in wanted.items()))
    code, printed = process.run(project, *arguments)
    assert code == 2, printed
    assert "run.log: is a symbolic link" in printed
    assert victim.read_text() == "mine"


def test_a_linked_folder_that_the_user_names_is_read(project: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").symlink_to(project / "reports" / "first")
    code, printed = process.run(project, "--set", "check_floor=false", "judge", str(tmp_path / "elsewhere"))
    assert code == 0, printed


@pytest.mark.parametrize("name", [".trash", ".started", ".scores.sqlite", ".view.sqlite", ".view.sqlite-wal"])
def test_links_beside_the_runs_are_not_followed(
    client: httpx.Client, place: Project, tmp_path: Path, name: str
) -> None:
    private = tmp_path / "private"
    (private / "7" / "first").mkdir(parents=True)
    (private / "7" / "first" / "file").write_bytes(b"mine")
    link = place.reports / name
    link.unlink(missing_ok=True)
    link.symlink_to(private / "7" / "first" / "file" if "." in name[1:] else private)
    before = contents(private)
    for page in ("/", "/trash", "/runs/first", "/runs/first/results"):
        assert client.get(page).status_code == 200
    for page in ("/trash/empty", "/runs/third/trash", "/trash/7/restore"):
        assert client.post(page).status_code < 500
    if name == ".started":
        answer = client.post("/start", data={"action": "start", "save_analysis_name": "new"})
        assert answer.status_code == 400
        assert "symbolic link" in answer.text
        assert client.get("/start/runs/7").status_code in (200, 404)
    assert contents(private) == before
