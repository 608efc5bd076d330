"""A run in progress: its conversations as they are said, and buttons to pause, resume and stop it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chattest.errors import Problem
from chattest.records.conversation import Turn
from chattest.reports.content.figures import describe_step
from chattest.storage.changes import lock_for_change
from chattest.storage.control import ACTIONS, send_command
from chattest.storage.run_folder import read_run_id
from chattest.web.answers import redirect_to, renderer, run_in_thread
from chattest.web.live_rates import LiveJudging, RatesSoFar
from chattest.web.pages.run import make_address
from chattest.web.project import NotThereError, Project
from chattest.web.requests import form, parse_number, values, wants_json
from chattest.web.watching import RunStatus, Watch, WatchedConversation

SHOWN = 8
"""Most conversations in progress that are shown."""
MOST_TURNS = 10**9
"""More than a conversation ever has."""
TURNS = 60
"""Most turns of a conversation that are shown. The page of the finished conversation has all."""
LONGEST = 4000
"""Longest turn that is shown, in characters."""
WORDS = {
    "talking": "It is talking.",
    "pausing": "It pauses after this round.",
    "paused": "It is paused. No time limit runs meanwhile.",
    "stopping": "It stops after this round. The conversations so far are then judged.",
    "judging": "The conversations are over and are being judged.",
    "finished": "It is finished.",
    "stopped": "It was stopped early, and its conversations were judged. The same command resumes it.",
    "interrupted": "It was interrupted. Nothing is lost. The same command resumes it.",
    "gone": "Its run.json cannot be read any more.",
}
"""State of a run -> the state in words."""


class Watches:
    """The runs that visitors watch."""

    def __init__(self, project: Project) -> None:
        """Begin without runs."""
        self._place = project
        self._known: dict[str, tuple[int, Watch]] = {}
        self.judging = LiveJudging(project)

    def look(self, name: str, judge: bool) -> tuple[RunStatus, RatesSoFar]:
        """Return a run as it is now, and its rates so far. Raises `NotThereError`."""
        folder = self._place.run(name)
        try:
            number = folder.stat().st_ino
        except OSError as error:
            raise NotThereError([Problem(str(folder), "the run has just been deleted")]) from error
        watched = self._known.get(name)
        if watched is None or watched[0] != number:  # a new folder may have the name of one that was deleted
            self.judging.forget(folder)
            watched = self._known[name] = (number, Watch(folder))
        seen = watched[1].look()
        if seen.ended:
            self._known.pop(name, None)
            self.judging.forget(folder)
            return seen, RatesSoFar()
        if seen.state == "judging":  # the run does it now itself; twice at once would slow it down
            self.judging.wait_no_more(folder)
            judge = False
        return seen, self.judging.so_far(folder, watched[1].finished() if judge else ())


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A turn as it is shown."""

    turn: Turn
    who: str
    text: str
    planted: str
    """What the plan has the driver do in this turn; empty without a probe."""


def routes(project: Project) -> list[Route]:
    """Return the routes of these pages."""
    watches = Watches(project)

    async def show(request: Request) -> Response:
        name, judge = request.path_params["name"], request.query_params.get("judge") != "no"
        seen, so_far = await run_in_thread(watches.look, name, judge)
        shown = [(talk, turns_since(talk, 0)) for talk in _choose_shown(seen)]
        shared = {"name": name, "at": make_address(name), "state": seen.state, "run_id": read_run_id(project.run(name))}
        more = {**shared, "judge": judge, "words": WORDS, "actions": ACTIONS, "shown": shown}
        return renderer(request).page(request, "live.html", f"{name}, live", seen=seen, so_far=so_far, **more)

    async def news(request: Request) -> Response:
        name, judge = request.path_params["name"], request.query_params.get("judge") != "no"
        seen, so_far = await run_in_thread(watches.look, name, judge)
        render, folder = renderer(request), project.run(name)
        return render.json(await run_in_thread(_find_news, render, request, folder, judge, seen, so_far))

    async def control(request: Request) -> Response:
        folder = project.run(request.path_params["name"])
        given = await (values(request) if wants_json(request) else form(request))
        await run_in_thread(_send_command, folder, str(given.get("action", "")), str(given.get("run_id", "")))
        if wants_json(request):
            return renderer(request).json({})
        return redirect_to(f"{make_address(folder.name)}/live")

    return [
        Route("/runs/{name}/live", show),
        Route("/runs/{name}/live.json", news),
        Route("/runs/{name}/control", control, methods=["POST"]),
    ]


def _send_command(folder: Path, action: str, run_id: str) -> None:
    """Pause, resume or stop the run that the visitor saw; see `chattest.storage.changes.lock_for_change`."""
    with lock_for_change(folder, run_id):
        send_command(folder, action)


def turns_since(talk: WatchedConversation, known: int) -> list[ShownTurn]:
    """Return the turns of a conversation after those that a page has, at most `TURNS`.

    Args:
        talk: the conversation.
        known: how many turns the page has.
    """
    conversation = talk.conversation
    planted = conversation.plan.by_round()
    first = max(known, len(conversation.turns) - TURNS)
    return [
        ShownTurn(
            turn,
            conversation.chatters[0 if turn.speaker == "driver" else 1],
            turn.text if len(turn.text) <= LONGEST else f"{turn.text[:LONGEST]} … [cut here]",
            describe_step(*planted[turn.round]) if turn.speaker == "driver" and turn.round in planted else "",
        )
        for turn in conversation.turns[first:]
    ]


def _choose_shown(seen: RunStatus) -> Sequence[WatchedConversation]:
    """Return the conversations to show, those in progress first."""
    return [*[talk for talk in seen.talks if not talk.over][:SHOWN], *[talk for talk in seen.talks if talk.over]]


def _find_news(
    render: Any, request: Request, folder: Path, judge: bool, seen: RunStatus, so_far: RatesSoFar
) -> dict[str, Any]:
    """Return what a page does not have yet. Its query states how many turns of each conversation it has."""
    talks, name = [], folder.name
    for talk in _choose_shown(seen):
        which = talk.conversation.name
        count = request.query_params.get(which, "")
        known = parse_number(count, 0, MOST_TURNS)
        turns = turns_since(talk, known)
        parts = {
            "name": which,
            "over": talk.over,
            "count": len(talk.conversation.turns),
            "turns": render.part("live_turns.html", said=turns) if turns else "",
        }
        if not count:
            parts["talk"] = render.part("live_talk.html", name=name, talk=talk, said=[])
        talks.append(parts)
    status = render.part("live_status.html", name=name, judge=judge, seen=seen, so_far=so_far, words=WORDS)
    return {
        "run_id": read_run_id(folder),
        "state": seen.state,
        "words": WORDS.get(seen.state, seen.state),
        "ended": seen.ended,
        "actions": seen.actions,
        "status": status,
        "talks": talks,
    }
