"""Run a published benchmark on a bot, from Python."""

from pathlib import Path
from threading import Event
from typing import Any

from chattest.chatter.base import Chatter
from chattest.chatter.guards import guard
from chattest.files.home import keep_home
from chattest.published.play import Way
from chattest.published.run import prepare
from chattest.published.run import run as run_prepared
from chattest.runner.api_arguments import Bot, drop_unset, make_run_folder, register_bot
from chattest.runner.progress import ProgressBar, Silent
from chattest.runner.report import Report
from chattest.settings.file import read_values


def benchmark(
    bot: Bot,
    name: str,
    file: str | Path,
    *,
    way: Way = "turns",
    limit: int | None = None,
    dialogues: int | None = None,
    seed: int | None = None,
    progress: bool = False,
    root: str | Path | None = None,
    **settings: Any,
) -> Report:
    """Play the sessions of a published benchmark of memory to a bot, ask its questions, and judge the answers.

    Args:
        bot: as for `run`.
        name: `locomo` or `longmemeval`.
        file: as published.
        way: how the bot learns the sessions: `turns` holds each session with it, `history` gives it all of them as the
            conversation before the question, `context` gives it all of them in one message. A function answers from the
            conversation alone, so it needs one of the latter two.
        limit: number of questions, drawn by the seed.
        dialogues: take questions from so many of the first dialogues only.
        seed: as for `run`.
        progress: as for `run`.
        root: as for `run`.
        settings: as for `run`.

    Raises:
        InputError: names every wrong record of the file.
        ChatterError: the bot cannot be loaded.
        ModelError: a judge cannot be loaded.
    """
    bots: dict[str, type[Chatter]] = {}
    values = {"chatters": ["companion", register_bot(bot, bots)], "score_cache": False} | drop_unset(seed=seed)
    checked = read_values(values | settings)
    with keep_home() as folder, guard():
        planned = prepare(checked, folder / (root or ""), name, folder / file, way, limit, dialogues, bots=bots)
        observer = ProgressBar(1) if progress else Silent()
        with observer, make_run_folder() as reports:
            outcome = run_prepared(planned, reports, observer, Event(), writers=())
    assert outcome.report is not None, "a benchmark is always judged"
    return Report(outcome.report, planned.resume_key, outcome.folder, temporary=True)
