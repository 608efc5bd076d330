"""The table of runs: filter and sort the runs, and find what makes each differ from the others."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from chattest.web.index.runs import Summary, default_settings
from chattest.web.requests import parse_number

PAGE = 100
"""Rows of a page."""
NEWEST = "-when"
"""The default order."""
LONGEST = 60
"""Longest value of a setting that is shown, in characters."""
ELSEWHERE = frozenset({"chatters", "save_analysis_name", "load_conv_folder"})
"""Settings that other columns show."""
UNSHOWN = frozenset({"chatter_options", "judge_options"})
"""Settings whose values may be secret. Only the fact that they differ is shown."""


def _sort_by_rate(scope: str) -> Callable[[Summary], float]:
    return lambda run: run.rates[scope].share if scope in run.rates else -1.0


ORDERS: dict[str, Callable[[Summary], Any]] = {
    "name": lambda run: run.name.casefold(),
    "bot": lambda run: (run.bot.casefold(), run.driver.casefold()),
    "when": lambda run: run.began,
    "state": lambda run: run.state,
    "talk": lambda run: run.conversations * run.rounds,
    "probes": _sort_by_rate("probes"),
    "replies": _sort_by_rate("replies"),
    "questions": _sort_by_rate("single questions"),
    "gates": lambda run: (len(run.missed), run.gates),
}
"""Name of an order -> sort key. A minus sign before the name reverses the order."""


@dataclass(frozen=True, slots=True)
class TableQuery:
    """The filters, order and page of an address."""

    q: str = ""
    """Words that must all occur in the name, the chatters, the tags or the settings that are not the default."""
    bot: str = ""
    state: str = ""
    tag: str = ""
    sort: str = NEWEST
    page: int = 1

    @classmethod
    def of(cls, query: Mapping[str, str]) -> TableQuery:
        """Read the query of an address. Values that cannot be read are ignored."""
        sort, page = query.get("sort", ""), query.get("page", "")
        return cls(
            query.get("q", "").strip(),
            query.get("bot", ""),
            query.get("state", ""),
            query.get("tag", ""),
            sort if sort.removeprefix("-") in ORDERS else NEWEST,
            parse_number(page, 1, 10**6),
        )

    @property
    def filters(self) -> dict[str, str]:
        """The filters that are set."""
        every = {"q": self.q, "bot": self.bot, "state": self.state, "tag": self.tag}
        return {name: value for name, value in every.items() if value}

    def make_address(self, **changes: str) -> str:
        """Return the address with some values changed. It leads to the first page unless `page` is given."""
        sort = {} if self.sort == NEWEST else {"sort": self.sort}
        values = {**self.filters, **sort, **changes}
        return "/?" + urlencode({name: value for name, value in values.items() if value})

    def make_sort_address(self, order: str) -> str:
        """Return the address sorted by a column: the usual direction first, then the other."""
        usual = order if order in ("name", "bot", "state") else f"-{order}"
        other = order if usual != order else f"-{order}"
        return self.make_address(sort=other if self.sort == usual else usual)

    def find_direction(self, orders: Sequence[str]) -> str:
        """Return the direction in which one of these orders sorts now, as `aria-sort` wants it; empty if none does."""
        if self.sort.removeprefix("-") not in orders:
            return ""
        return "descending" if self.sort.startswith("-") else "ascending"


def filter_runs(runs: Sequence[Summary], wanted: TableQuery) -> list[Summary]:
    """Return the runs that fit, sorted; runs in progress come first."""
    words = wanted.q.casefold().split()
    fitting = [
        run
        for run in runs
        if (not wanted.bot or run.bot == wanted.bot)
        and (not wanted.state or run.state == wanted.state)
        and (not wanted.tag or wanted.tag in run.tags)
        and (not words or _contains(run, words))
    ]
    order = ORDERS[wanted.sort.removeprefix("-")]
    fitting.sort(key=lambda run: run.name.casefold())
    fitting.sort(key=order, reverse=wanted.sort.startswith("-"))
    return sorted(fitting, key=lambda run: not run.running)


def _contains(run: Summary, words: Sequence[str]) -> bool:
    settings = " ".join(f"{name} {_shorten(value)}" for name, value in run.settings.items() if name not in UNSHOWN)
    text = " ".join((run.name, run.driver, run.bot, *run.tags, run.problem, settings)).casefold()
    return all(word in text for word in words)


def find_differences(runs: Sequence[Summary]) -> dict[str, list[tuple[str, str]]]:
    """Return for each run the settings in which it differs from most runs, with their values."""
    usual = default_settings()
    sound = [run for run in runs if not run.problem or run.settings]
    names = sorted({name for run in sound for name in run.settings} - ELSEWHERE)
    common: dict[str, str] = {}
    for name in names:
        values = Counter(_write_text(run.settings.get(name, usual.get(name))) for run in sound)
        common[name] = max(values, key=lambda value: (values[value], value == _write_text(usual.get(name))))
    return {
        run.name: [
            (name, "other options" if name in UNSHOWN else _shorten(value))
            for name in names
            if _write_text(value := run.settings.get(name, usual.get(name))) != common[name]
        ]
        for run in sound
    }


def _write_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def _shorten(value: Any) -> str:
    text = value if isinstance(value, str) and value else _write_text(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
