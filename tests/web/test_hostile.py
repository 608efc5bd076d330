"""Replies, names and folders that try to break the app."""

import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Page

from chattest.web.project import Project
from tests.support.browser import in_browser
from tests.support.web_pages import HOSTILE, app_routes, filled, pages_of, parameters, there

pytestmark = pytest.mark.slow

SHOW_REPLIES = (
    "/runs/hostile",
    "/runs/hostile/results",
    "/runs/hostile/conversations",
    "/runs/hostile/conversations/1",
    "/runs/hostile/rejudge",
    "/runs/hostile/review?by=anna",
    "/compare?run=first&run=hostile",
    "/compare?run=first&run=second&run=hostile",
    "/testsets/qa/favourite-sport",
)
"""Pages on which replies of the run `hostile` are to be seen."""


MARK = "nobody may read this"
"""Stands in files that are no run."""


@in_browser
def test_no_reply_runs_or_loads_anything(open_page: Callable[..., Page], place: Project) -> None:
    page = open_page("/")
    host = urlsplit(page.url).netloc
    elsewhere: list[str] = []
    page.on("request", lambda request: elsewhere.append(request.url) if urlsplit(request.url).netloc != host else None)
    page.on("dialog", lambda dialog: elsewhere.append(dialog.message))
    seen = ""
    for address in filter(lambda address: there(place, address), SHOW_REPLIES):
        page.goto(f"http://{host}{address}")
        assert page.title().endswith(" · chattest"), address
        # A reply that became an element would be one that no template has.
        assert page.locator("main img, main iframe, main object, main script, main t, main style").count() == 0, address
        seen += page.locator("main").text_content() or ""
    assert [url for url in elsewhere if not url.startswith("data:")] == []
    assert "@SUM(A1:A9)" in seen, "no page shows what the bot said, so nothing was tried"


def test_no_name_leads_out_of_the_folders(client: httpx.Client, place: Project, project: Path) -> None:
    for outside in (project / "config.py", project.parent / "config.py"):
        with outside.open("a", encoding="utf-8") as file:
            file.write(f"\n# {MARK}\n")
    before = _files(project)
    wrong = []
    for route in app_routes(place):
        for parameter in parameters(route):
            for name in HOSTILE:
                for method in sorted((route.methods or {"GET"}) - {"HEAD"}):
                    answer = _raw(client, method, filled(route, **{parameter: name}))
                    if MARK in answer.text or not 400 <= answer.status_code < 500:
                        wrong.append((method, route.path, name[:40], answer.status_code))
    assert not wrong
    assert _files(project) == before


def test_no_query_breaks_a_page(client: httpx.Client, place: Project) -> None:
    """Values of filters that stand for nothing are answered with an empty page or an error, never with a bug."""
    wrong = []
    names = ("page", "case", "verdict", "sort", "run", "bot", "by", "text", "kind", "from", "family", "threshold")
    for route in app_routes(place):
        if "GET" in (route.methods or ()) and "/events" not in route.path:
            for value in ("%00", "%ff", "-1", "9" * 400, "..%2f..", "%5b", "%3cscript%3e"):
                address = f"{filled(route)}?" + "&".join(f"{name}={value}" for name in names)
                answer = _raw(client, "GET", address)
                if answer.status_code >= 500 or "<script>" in answer.text:
                    wrong.append((address[:80], answer.status_code))
    assert not wrong


def _cut(path: Path) -> object:
    return path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _each(folder: Path, change: Callable[[Path], object]) -> None:
    for path in (folder / "conversations").glob("*.json"):
        change(path)


def _holds(name: str, content: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(content, "utf-8")


def _emptied(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def _made_a_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("no folder", "utf-8")


def _made_folders(folder: Path) -> None:
    for name in ("results.jsonl", "report.json"):
        (folder / name).unlink()
        (folder / name).mkdir()


def _talking(folder: Path) -> None:
    state = (folder / "run.json").read_text("utf-8")
    (folder / "run.json").write_text(state.replace('"finished"', '"talking"'), "utf-8")


DAMAGES: dict[str, Callable[[Path], object]] = {
    "deleted": shutil.rmtree,
    "empty": _emptied,
    "a file": _made_a_file,
    "results cut": lambda folder: _cut(folder / "results.jsonl"),
    "results gone": lambda folder: (folder / "results.jsonl").unlink(),
    "results are no rows": _holds("results.jsonl", '{"check": 1}\n[]\nnull\n'),
    "results are bytes": lambda folder: (folder / "results.jsonl").write_bytes(bytes(range(256)) * 9),
    "report cut": lambda folder: _cut(folder / "report.json"),
    "report gone": lambda folder: (folder / "report.json").unlink(),
    "report is another thing": _holds("report.json", '{"checks": [null]}'),
    "report nested": _holds("report.json", "[" * 100_000),
    "state cut": lambda folder: _cut(folder / "run.json"),
    "state is a list": _holds("run.json", "[]"),
    "state has no settings": _holds("run.json", '{"state": "finished"}'),
    "state has odd settings": _holds(
        "run.json", '{"state": 7, "settings": {"chatters": null, "seed": {}, "save_conv_folder": 3}}'
    ),
    "state talks": _talking,
    "conversations cut": lambda folder: _each(folder, _cut),
    "conversations gone": lambda folder: shutil.rmtree(folder / "conversations"),
    "conversations are lists": lambda folder: _each(folder, lambda path: path.write_text("[]", "utf-8")),
    "folders in the place of files": _made_folders,
}
"""What happens to the folder of a run."""


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_run_is_told(client: httpx.Client, place: Project, project: Path, damage: str) -> None:
    client.get("/")  # so that what is kept of the run is out of date
    DAMAGES[damage](project / "reports" / "first")
    pages = list(pages_of(place, "first"))
    answers = {page: client.get(page, headers={"Accept": "application/json"}) for page in pages}
    wrong = {page: (answer.status_code, answer.text[:300]) for page, answer in answers.items() if not _helps(answer)}
    assert not wrong
    assert answers["/"].status_code == 200


def _helps(answer: httpx.Response) -> bool:
    """Whether an answer is no bug, and says what to do if it is an error."""
    if answer.status_code < 400:
        return True
    if answer.headers["content-type"] == "application/json":
        return answer.status_code < 500 and any(problem["remedy"] for problem in answer.json()["problems"])
    return answer.status_code < 500 and ('class="problem"' in answer.text or 'class="empty"' in answer.text)


def _raw(client: httpx.Client, method: str, target: str) -> httpx.Response:
    """Sends an address as it is: httpx would resolve its dots."""
    request = client.build_request(method, "/", extensions={"target": target.encode("ascii")})
    return client.send(request)


def _files(project: Path) -> dict[str, int]:
    """All files of a project but the app's index, with their sizes."""
    paths = [path for path in project.rglob("*") if path.is_file() and not path.name.startswith(".view")]
    return {str(path): path.stat().st_size for path in paths if "__pycache__" not in path.parts}
