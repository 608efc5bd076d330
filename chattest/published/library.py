"""`chattest.benchmark`: a published benchmark on a bot, from Python."""

from pathlib import Path
from threading import Event
from typing import Any

from chattest.chatter.base import Chatter
from chattest.chatter.guards import guarded
from chattest.files.home import staying
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
    """Tells a bot the sessions of a published benchmark of memory, asks its questions, and judges the answers.

    name: `locomo` or `longmemeval`. file: as published. way: how the bot gets to know the sessions: `turns` holds each
    with it, `history` gives it all as the conversation before the question, `context` tells it all in one message. A
    function answers from the conversation alone, so it needs one of the latter two. limit: how many questions the seed
    draws. dialogues: how many of the first dialogues they are from.

    The rest is as for `run`. Raises `InputError`, with every wrong record of the file, `ChatterError`, `ModelError`.
    """
    bots: dict[str, type[Chatter]] = {}
    values = {"chatters": ["eliza", register_bot(bot, bots)], "score_cache": False} | drop_unset(seed=seed)
    checked = read_values(values | settings)
    with staying() as folder, guarded():
        planned = prepare(checked, folder / (root or ""), name, folder / file, way, limit, dialogues, bots=bots)
        observer = ProgressBar(1) if progress else Silent()
        with observer, make_run_folder() as reports:
            outcome = run_prepared(planned, reports, observer, Event(), writers=())
    assert outcome.report is not None, "a benchmark is always judged"
    return Report(outcome.report, planned.resume_key, outcome.folder, temporary=True)
