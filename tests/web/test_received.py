"""A run folder that somebody else made is shown, compared, reviewed and judged; it runs, sends and reads nothing.

Every door is tried as a user has it: commands as processes, requests to the running app, and the library.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

import chattest
from chattest.errors import ChattestError
from chattest.files import trusted
from chattest.runner import run
from chattest.storage.run_folder import read_run_settings
from chattest.web.project import Project
from tests.support import process
from tests.support.chat_stand_ins import said, shown
from tests.support.counted import recount
from tests.support.http_server import Asked, Server
from tests.support.light import Light
from tests.support.received import PRIVATE, SECRET, Stranger, change
from tests.support.saving import until_saved

POISONS = list(Stranger.poisons.fget(type("", (), {"marker": "", "url": "", "private": ""})()))  # type: ignore[attr-defined]
QUICK = {"command", "key", "files"}
"""Those that are tried with the fast tests, too."""
ASKING = {"compared", "checks", "files", "articles", "tests", "gates", "key", "hub"}
"""Those that are put into a run of single questions; the others into one of conversations."""
TRIED = [
    pytest.param(
        poison, "questions" if poison in ASKING else "first", marks=[] if poison in QUICK else pytest.mark.slow
    )
    for poison in POISONS
]
MOVED = {"threshold_toxicity": "0.005", "threshold_sem_sim_tests": "0.9"}


@pytest.fixture(autouse=True)
def light(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Judges that load nothing, and a key that must not get out."""
    monkeypatch.setattr(run, "Judges", lambda models: Light(models=models))
    monkeypatch.setenv("SECRET_KEY", SECRET)
    trusted.forget()
    yield
    trusted.forget()


@pytest.fixture
def stranger(project: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stranger]:
    """Fails the test if anything that a run named was run, imported, asked or read."""
    monkeypatch.chdir(project)
    monkeypatch.syspath_prepend(str(project))
    made = Stranger(project, server.url)
    yield made
    sys.modules.pop("evil_module", None)
    assert not made.marker.exists(), made.marker.read_text()
    assert not server.asked
    written = [path for path in (project / "reports").rglob("*") if path.is_file() and path.suffix in (".json", ".md")]
    assert not any(PRIVATE in path.read_text("utf-8", "replace") for path in written)


def told(code: int, printed: str) -> None:
    """A command ended as it should, without a traceback and without what nobody may read."""
    assert code in (0, 1, 2), printed
    assert "Traceback" not in printed
    assert PRIVATE not in printed
    assert SECRET not in printed


@pytest.mark.parametrize(("poison", "honest"), TRIED)
def test_no_command_does_what_a_run_names(stranger: Stranger, poison: str, honest: str) -> None:
    evil = stranger.put(honest, poison)
    for command in (
        ["judge", "evil"],
        ["compare", honest, "evil"],
        ["augment", "evil", "--out", "more.jsonl"],
        ["review", "evil", "--export", "labels.jsonl"],
    ):
        told(*process.run(stranger.project, *command))
    change(evil, lambda content: content.update(state="talking"))
    told(*process.run(stranger.project, "--set", 'save_analysis_name="evil"', "--set", "max_runs=1"))


@pytest.mark.slow
@pytest.mark.parametrize("poison", ["command", "code"])
def test_no_command_that_is_rare_does_either(stranger: Stranger, poison: str) -> None:
    stranger.put("first", poison)
    for command in (
        ["compare", "evil", "first", "second"],
        ["repeats", "evil"],
        ["review", "first", "--merge", "evil"],
        ["validate", "--shuffle", "evil"],
    ):
        told(*process.run(stranger.project, *command))


@pytest.mark.parametrize(("poison", "honest"), TRIED)
def test_no_request_does_what_a_run_names(client: httpx.Client, stranger: Stranger, poison: str, honest: str) -> None:
    evil = stranger.put(honest, poison)
    pages = [
        *("/", "/trend", "/runs/evil", "/runs/evil/results", "/runs/evil/questions", "/runs/evil/rejudge"),
        *("/runs/evil/review", "/runs/evil/review?by=Anna", "/runs/evil/conversations", "/runs/evil/conversations/1"),
        *("/runs/evil/live", "/runs/evil/live.json", "/compare", "/compare?run=first&run=evil"),
        *("/compare?run=first&run=second&run=evil", "/runs/first/rejudge?as=evil", "/runs/evil/rejudge?as=first"),
        *("/testsets/qa/cat-name", "/runs/evil/files/report.md", "/runs/evil/review/intervals?by=Anna&budget=9"),
    ]
    posts: list[tuple[str, dict[str, str]]] = [
        ("/runs/evil/rejudge", MOVED),
        ("/runs/evil/rejudge", {**MOVED, "own": "yes"}),
        ("/runs/first/rejudge", {"as": "evil"}),
        ("/runs/first/rejudge", {"as": "evil", "own": "yes", **MOVED}),
        ("/runs/evil/rejudge", {"as": "first", "own": "yes"}),
        ("/runs/evil/review", {"by": "Anna", "budget": "3", "action": "start"}),
        ("/runs/evil/review", {"by": "Anna", "budget": "3", "action": "finish"}),
        ("/runs/evil/tags", {"add": "x"}),
    ]
    for page in pages:
        answer = client.get(page, follow_redirects=True)
        assert answer.status_code < 500, (page, answer.text)
        assert PRIVATE not in answer.text
    for page, fields in posts:
        answer = client.post(page, data=fields)
        assert answer.status_code < 500, (page, answer.text)
        if answer.status_code == 303 and "/saving" in answer.headers["location"]:
            until_saved(client, answer)
    change(evil, lambda content: content.update(state="talking"))
    for page in ("/runs/evil/live", "/runs/evil/live.json?judge=1", "/runs/evil/live?judge=1"):
        assert client.get(page).status_code < 500
    for action in ("pause", "stop", "resume"):
        assert client.post("/runs/evil/control", data={"action": action}).status_code < 500


@pytest.mark.parametrize("poison", POISONS)
def test_the_library_does_not_do_what_a_run_names(stranger: Stranger, poison: str) -> None:
    stranger.put("questions", poison)
    with suppress(ChattestError):
        report = chattest.load_report("reports/evil")
        assert PRIVATE not in repr(report) + report.how_sure
        report.save("reports/saved")
        with suppress(ChattestError):
            chattest.compare(chattest.load_report("reports/questions"), report).to_pandas()
        report.augment()


def test_rows_and_tests_name_no_model(stranger: Stranger) -> None:
    evil = stranger.put("questions", "command")
    change(evil, lambda content: content["settings"].update(models="embedded", judge_options={}))
    name = f'invariance.model_paraphrase(model="{stranger.url}/model")'
    rows = [json.loads(line) for line in (evil / "results.jsonl").read_text().splitlines()]
    for row in rows:
        row["check"] = name if row["check"].startswith("invariance") else row["check"]
    (evil / "results.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    recount(evil)
    code, printed = process.run(stranger.project, "augment", "evil", "--out", "more.jsonl")
    assert (code, "which may be a model" in printed) == (2, True), printed
    code, printed = process.run(
        stranger.project, "generate", "--out", "reports/evil/tests.jsonl", "invariance.letter_typo"
    )
    assert code == 0, printed
    tests = evil / "tests.jsonl"
    tests.write_text(tests.read_text().replace('"invariance.letter_typo"', json.dumps(name)))
    recount(evil)
    code, printed = process.run(stranger.project, "judge", "evil")
    assert (code, "which may be a model" in printed) == (2, True), printed


def test_the_page_lists_what_is_not_taken_and_waits_for_a_yes(client: httpx.Client, stranger: Stranger) -> None:
    stranger.put("first", "command")
    page = client.get("/runs/evil/rejudge").text
    for words in ("chat:command", "it-ran", "view --trust-run evil", "Judge it with the values of config.py"):
        assert words in page
    refused = client.post("/runs/evil/rejudge", data=MOVED)
    assert refused.status_code == 400
    assert "models is" in refused.text
    assert "view --trust-run evil" in refused.text
    until_saved(client, client.post("/runs/evil/rejudge", data={**MOVED, "own": "yes"}))
    settings = read_run_settings(stranger.project / "reports" / "evil-2")
    assert (settings["models"], settings["judge_options"]) == ("embedded", {})
    assert settings["threshold_toxicity"] == 0.005
    other = client.get("/runs/first/rejudge?as=evil").text
    assert "view --trust-run evil" in other
    refused = client.post("/runs/first/rejudge", data={"as": "evil", "own": "yes"})
    assert refused.status_code == 400
    assert "models is" in refused.text


def knows(asked: Asked) -> tuple[int, dict[str, str], Any]:
    word = "right" if "expected" in shown(asked) else "no"
    return said(json.dumps({"reason": "Look.", "verdict": word, "confidence": 0.95}))


def chat_judge(server: Server) -> dict[str, Any]:
    options = {"base_url": f"{server.url}/v1", "model": "judge-1", "retries": 0, "key_env": "SECRET_KEY"}
    return {"models": {"match": "chat:openai"}, "judge_options": {"openai": options}}


def configure(project: Path, settings: dict[str, Any]) -> None:
    with (project / "config.py").open("a") as file:
        file.writelines(f"\n{name} = {value!r}\n" for name, value in settings.items())


@pytest.fixture
def judged_by_chat(project: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run whose settings name a chat judge."""
    monkeypatch.chdir(project)
    server.answer = knows
    folder = project / "reports" / "first"
    change(folder, lambda content: content["settings"].update(chat_judge(server)))
    return folder


def test_a_chat_judge_of_config_py_judges_again(
    client: httpx.Client, project: Path, server: Server, judged_by_chat: Path
) -> None:
    configure(project, chat_judge(server))
    assert "What differs from the run" not in client.get("/runs/first/rejudge").text
    until_saved(client, client.post("/runs/first/rejudge", data=MOVED))
    assert server.asked
    assert {asked.headers["Authorization"] for asked in server.asked} == {f"Bearer {SECRET}"}
    assert read_run_settings(project / "reports" / "first-2")["models"] == {"match": "chat:openai"}


def test_a_trusted_run_judges_again_with_its_own(
    client: httpx.Client, place: Project, server: Server, judged_by_chat: Path
) -> None:
    assert client.post("/runs/first/rejudge", data=MOVED).status_code == 400
    trusted.trust(judged_by_chat, read_run_settings(judged_by_chat))
    assert "What differs from the run" not in client.get("/runs/first/rejudge").text
    until_saved(client, client.post("/runs/first/rejudge", data=MOVED))
    assert server.asked
    until_saved(client, client.post("/runs/second/rejudge", data={"as": "first"}))
    assert read_run_settings(place.run("second-2"))["models"] == {"match": "chat:openai"}
    # Another run in its place is not the one that was named.
    change(judged_by_chat, lambda content: content["settings"]["judge_options"]["openai"].update(model="other"))
    assert client.post("/runs/first/rejudge", data={"threshold_toxicity": "0.1"}).status_code == 400


@pytest.mark.parametrize("before", [True, False])
def test_the_command_line_trusts_by_name(project: Path, stranger: Stranger, before: bool) -> None:
    stranger.put("questions", "files")
    code, printed = process.run(project, "judge", "evil")
    assert code == 2
    assert "check_files is" in printed
    assert "--trust-run evil" in printed
    command = ["--trust-run", "evil", "judge", "evil"] if before else ["judge", "evil", "--trust-run", "evil"]
    code, printed = process.run(project, *command)
    assert f"Trusted: reports/evil: check_files = [{{'path': '{stranger.private}/questions.csv'" in printed
    assert "check_files is" not in printed
    code, printed = process.run(project, "judge", "evil", "--trust-run", "nobody")
    assert code == 2
    assert "there is no run of this name" in printed


def test_conversations_outside_of_the_project_are_told(project: Path, stranger: Stranger, client: httpx.Client) -> None:
    evil = stranger.put("first", "places")
    (evil / "conversations").rename(stranger.private / "evil")
    change(evil, lambda content: content["settings"].update(is_load_conversation=False, load_conv_folder=""))
    for command in ("judge", "review"):
        code, printed = process.run(project, command, "evil")
        assert code == 2
        assert f"names conversations outside of the project: {stranger.private}/evil" in printed
        assert "--trust-run evil" in printed
    assert "outside of the project" in client.get("/runs/evil/conversations/1").text
    with pytest.raises(ChattestError, match="outside of the project"):
        chattest.load_report(evil)
    assert chattest.load_report(evil, trust=True).record.conversations
    configured = {"save_conv_folder": str(stranger.private)}
    configure(project, configured)
    trusted.forget()
    code, printed = process.run(project, "review", "evil", "--export", "labels.jsonl")
    assert code == 0, printed
