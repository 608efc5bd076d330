"""How long `chattest view` takes to open a folder of 300 runs, and a run of 100,000 results."""

import json
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path
from threading import Event
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

from benchmarks.measuring import ROOT, Silent, apart, peak, seconds, tell

RUNS = 300
RESULTS = 100_000
LARGE = "large"
AGAIN = 5
"""Openings after the first one, of which the fastest counts."""
INDEXING = 60
"""Seconds that the results of a run may take to be indexed, in a thread, after the first opening."""


def make_runs(reports: Path, runs: int) -> None:
    """A small run, and copies of it under other names, every third with another bot's name and other settings."""
    from chattest.runner.prepare import prepare
    from chattest.runner.run import run
    from chattest.settings.declaration import Settings

    settings = Settings(chatters=("eliza", "oracle"), max_runs=2, conversation_length=20, save_analysis_name="small")
    run(prepare(settings, ROOT), reports, Silent(), Event())
    small = reports / "small"
    for number in range(1, runs):
        folder = Path(shutil.copytree(small, reports / f"night-{number:03d}"))
        if number % 3 == 0:
            for name in ("run.json", "report.json"):
                content = (folder / name).read_text("utf-8")
                (folder / name).write_text(content.replace('"oracle"', '"other"').replace('"seed": 1', '"seed": 3'))


TOKEN = "any"
"""The token of the app."""


def make_large(reports: Path, results: int) -> None:
    """A copy of the small run with as many results as wanted: its rows again and again, as further conversations."""
    folder = Path(shutil.copytree(reports / "small", reports / LARGE))
    rows = [json.loads(line) for line in (folder / "results.jsonl").read_text("utf-8").splitlines()]
    with (folder / "results.jsonl").open("w", encoding="utf-8") as file:
        for number in range(results):
            row = rows[number % len(rows)]
            run = 2 * (number // len(rows)) + row["run"]
            file.write(json.dumps(row | {"run": run, "conversation": f"run-{run:03d}"}, ensure_ascii=False) + "\n")


def opened(reports: str, path: str, wait: str) -> None:
    """Serves the folder, opens a page several times, and prints the seconds of each as JSON, with the peak of memory.

    wait: seconds between the first opening and the others.
    """
    from chattest.web.app import make_app
    from chattest.web.connections import make_server
    from chattest.web.project import Project
    from chattest.web.security import make_cookie_name, make_cookie_value
    from chattest.web.server import open_listener

    listener = open_listener("127.0.0.1", 0)
    server = make_server(make_app(Project(ROOT, Path(reports)), TOKEN))
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
    host = f"127.0.0.1:{listener.getsockname()[1]}"
    cookie = f"{make_cookie_name(host)}={make_cookie_value(TOKEN)}"
    request = Request(f"http://{host}{path}", headers={"Cookie": cookie})
    while not server.started:
        time.sleep(0.01)

    def open_page() -> None:
        with urlopen(request, timeout=600) as answer:
            answer.read()

    began = time.process_time()
    try:
        first = seconds(open_page)
    except HTTPError as error:
        print(json.dumps({"status": error.code}))
        return
    busy = time.process_time() - began
    time.sleep(float(wait))
    began = time.process_time()
    again = min(seconds(open_page) for _ in range(AGAIN))
    busy_again = (time.process_time() - began) / AGAIN
    figures = {"first": first, "first_busy": busy, "again": again, "again_busy": busy_again}
    print(json.dumps(figures | {"peak": peak()}))


def main(runs: int = RUNS, results: int = RESULTS) -> None:
    with tempfile.TemporaryDirectory() as folder:
        reports = Path(folder) / "reports"
        make_runs(reports, runs)
        what = f"opening {runs} runs"
        cold = apart("view", "open", str(reports), "/", "0")
        told(f"{what}, nothing indexed", cold, 1)
        warm = apart("view", "open", str(reports), "/", "0")
        told(f"{what}, app just started", warm, 1)
        told(f"{what}, indexed", warm, 0.2, "again")
        make_large(reports, results)
        at = f"/runs/{quote(LARGE)}"
        for page, path, wait, first in (
            ("overview", at, INDEXING, "nothing indexed"),
            ("results", f"{at}/results", 0, "app just started"),
            ("failed results with a word", f"{at}/results?verdict=FAIL&text=cat", 0, "app just started"),
        ):
            large = apart("view", "open", str(reports), path, str(wait))
            if "status" in large:
                print(f"{path}: the app answers {large['status']}; not measured")
                continue
            what = f"opening a run of {results:,} results, {page}"
            told(f"{what}, {first}", large, 1)
            told(f"{what}, indexed", large, 1, "again")


def told(what: str, figures: dict[str, float], bar: float, which: str = "first") -> None:
    """Prints the seconds of an opening, and how many of them it computed: the machine may have other work."""
    took, busy = figures[which], figures[f"{which}_busy"]
    tell(
        f"{what}, computing for {busy:.2f} s; peak {figures['peak']:.0f} MB",
        took,
        "s",
        f"under {bar:g}",
        took < bar,
        **figures,
    )


if __name__ == "__main__":
    opened(*sys.argv[2:]) if sys.argv[1:2] == ["open"] else main(*map(int, sys.argv[1:]))
