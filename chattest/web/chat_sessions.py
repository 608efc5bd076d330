"""The open chats: each has a bot, a person in the browser, and judges beside it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from chattest.errors import ChattestError, InputError, Problem
from chattest.web.allowed import Allowed
from chattest.web.chat_session import BOT, IDLE, OVER, USER, Talk
from chattest.web.numbers import whole_number
from chattest.web.project import NotThereError, Place

if TYPE_CHECKING:
    from pathlib import Path

    from chattest.chatter.instance import ChatterSpec
    from chattest.models.judges import Judges
    from chattest.settings.declaration import Settings

MOST = 20
"""Chats that may be open at once."""
MOST_SEED = 10**18
"""The largest seed that can be chosen here."""
MOST_JUDGES = 3
"""Sets of judges that stay loaded; each chat uses those of the settings it began with."""


class Talks:
    """All chats of the app, the bots that they loaded, and the judges."""

    def __init__(self, place: Place) -> None:
        """place: the project whose bots talk."""
        self.place = place
        self._talks: dict[str, Talk] = {}
        self._bots: dict[str, ChatterSpec] = {}
        self._judges: dict[str, Judges] = {}
        self._warmed: set[str] = set()
        self._lock = Lock()
        self._loading = Lock()
        # One thread judges, since two would only share the same cores; it keeps the order of the replies, too.
        self._judging = ThreadPoolExecutor(max_workers=1, thread_name_prefix="chat judges")

    def names(self) -> list[str]:
        """The bots that one may talk to. A name in the settings of the form "package.module:Class" is one of them."""
        with suppress(InputError):  # said where the settings are needed
            return Allowed.of(self.place).names
        return []

    def all(self) -> list[Talk]:
        """The chats, the newest first."""
        with self._lock:
            return list(reversed(self._talks.values()))

    def get(self, name: str) -> Talk:
        """A chat by its id. Raises `NotThereError`."""
        with self._lock:
            talk = self._talks.get(name)
        if talk is None:
            remedy = "It was closed, or `view` was started again since. Saved chats are among the runs."
            raise NotThereError([Problem(f"/chat/{name}", "there is no such chat", remedy)])
        return talk

    def open(self, seat: str, bot: str, options: str = "", seed: str = "") -> Talk:
        """Begins a chat; the bot is loaded in a thread.

        seat: `USER` or `BOT`, where the person sits. bot: the name of the chatter at the other end. options: of the
        bot, as TOML, over those of the project. seed: a whole number; empty for the project's. Raises `InputError`.
        """
        from chattest.dialogue.participants import find_participants
        from chattest.runner.preflight import missing_in
        from chattest.web.chat_run import chat_plan, chat_settings

        if seat not in (USER, BOT):
            raise InputError([Problem("seat", f'there is no seat "{seat}"', "Choose one of the two.")])
        chatters = ("user", bot) if seat == USER else (bot, "user")
        project = self.place.settings()
        settings = chat_settings(project, chatters, _seed(seed, project.seed), {bot: _options(options)})
        if refused := Allowed(self.place, project).problems_of_chatter(bot, settings.chatter_options.get(bot, {})):
            raise InputError(refused)
        spec = find_participants(settings, self.place.root / "chatters")[seat == USER]
        problems = missing_in([spec])
        if spec.cls.interactive:
            problems.append(Problem("chatter", f"{bot} is a person at the terminal", "Choose a bot."))
        if problems:
            raise InputError(problems)
        talk = Talk(secrets.token_urlsafe(9), seat, bot, settings, chat_plan(settings, self.place.root))
        self._keep(talk)
        self.warm(settings)
        Thread(target=self._hold, args=(talk, spec), name=f"chat {talk.id}", daemon=True).start()
        return talk

    def close(self, name: str) -> None:
        """Ends a chat and forgets it. Raises `NotThereError`."""
        talk = self.get(name)
        talk.close()
        with self._lock:
            self._talks.pop(name, None)

    def save(self, name: str) -> Path:
        """Writes a chat as a run; returns its folder. Raises `ChattestError`."""
        from chattest.web.chat_run import save_chat

        talk = self.get(name)
        conversation, settings, reports = talk.whole(), talk.settings, self.place.reports

        def write() -> Path:
            with one_thread():
                return save_chat(conversation, settings, reports, self._judges_of(settings))

        folder = self._judging.submit(write).result()
        talk.saved_as(folder.name)
        return folder

    def warm(self, settings: Settings) -> Future[None]:
        """Loads the judges in their thread and has them judge a short talk, so that the first reply need not wait."""
        return self._judging.submit(self._warm, settings)

    def _keep(self, talk: Talk) -> None:
        with self._lock:
            idle = [each.id for each in self._talks.values() if each.state == OVER and monotonic() - each.used > IDLE]
            for name in idle:
                del self._talks[name]
            if len(self._talks) >= MOST:
                raise InputError([Problem("/chat", f"{MOST} chats are open", "Close one of them first.")])
            self._talks[talk.id] = talk

    def _hold(self, talk: Talk, spec: ChatterSpec) -> None:
        """The whole chat, in a thread of its own."""
        key = f"{spec.name} {spec.options.model_dump_json()}"
        try:
            with self._loading:  # once per bot and options, as a run does it
                if key not in self._bots:
                    spec.load()
                    self._bots[key] = spec
            talk.hold(self._bots[key], self._judge)
        except Exception as error:  # whatever a bot's code does must be seen in the chat, not in a dead thread
            from chattest.chatter.failure import described, message

            talk.failed(message(error) if isinstance(error, ChattestError) else described(error))

    def _judge(self, talk: Talk, round: int) -> None:
        """Has a reply judged in the judges' thread."""
        conversation, said = talk.conversation(), monotonic()

        def judge() -> None:
            from chattest.judging.verdicts import analyze

            try:
                with one_thread():
                    results = analyze([conversation], talk.settings, self._judges_of(talk.settings), round)
            except ChattestError as error:
                talk.judged(round, (), monotonic() - said, str(error))
            except Exception as error:
                talk.judged(round, (), monotonic() - said, f"the judges failed: {type(error).__name__}: {error}")
            else:
                talk.judged(round, tuple(results), monotonic() - said)

        self._judging.submit(judge)

    def _judges_of(self, settings: Settings) -> Judges:
        from chattest.web.chat_run import judges_for

        key = _judging_key(settings)
        if key not in self._judges:
            self._judges[key] = judges_for(settings, self.place.root)
            for old in list(self._judges)[:-MOST_JUDGES]:
                del self._judges[old]
                self._warmed.discard(old)
        return self._judges[key]

    def _warm(self, settings: Settings) -> None:
        from chattest.judging.verdicts import analyze
        from chattest.web.chat_run import warming

        key = _judging_key(settings)
        if key not in self._warmed:
            try:
                with one_thread():
                    analyze([warming()], settings, self._judges_of(settings))
                self._warmed.add(key)
            except ChattestError:  # it will be said beside the first reply
                return


@contextmanager
def one_thread() -> Iterator[None]:
    """Within it models compute in one thread.

    A reply is too short to be shared out: on two busy cores two threads took ten times as long, waiting for each other.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _judging_key(settings: Settings) -> str:
    from chattest.settings.declaration import JUDGING

    held: dict[str, Any] = settings.model_dump(mode="json")
    return json.dumps({name: held[name] for name in sorted(JUDGING)}, default=str)


def _seed(text: str, default: int) -> int:
    if not text.strip():
        return default
    return whole_number(text, "seed", -MOST_SEED, MOST_SEED)


def _options(text: str) -> dict[str, Any]:
    from chattest.files.toml import toml_values

    try:
        return toml_values(text)
    except ValueError as error:
        raise InputError(
            [Problem("options", f"not TOML: {error}", 'Example: url = "http://localhost:8000"')]
        ) from error
