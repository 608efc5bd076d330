"""The open chats: each has a bot, a visitor, and judges for every reply."""

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
from chattest.web.chat_session import BOT, IDLE, OVER, USER, ChatSession
from chattest.web.permissions import Permissions
from chattest.web.project import NotThereError, Project
from chattest.web.requests import require_number

if TYPE_CHECKING:
    from pathlib import Path

    from chattest.chatter.instance import ChatterSpec
    from chattest.models.judges import Judges
    from chattest.settings.declaration import Settings

MOST = 20
"""Most chats that may be open at once."""
MOST_SEED = 10**18
"""The largest seed that can be chosen here."""
MOST_JUDGES = 3
"""Most sets of judges that stay loaded. A chat uses those of the settings that it began with."""


class ChatSessions:
    """All chats of the app, the bots that they loaded, and the judges."""

    def __init__(self, project: Project) -> None:
        """Begin without chats."""
        self.project = project
        self._talks: dict[str, ChatSession] = {}
        self._bots: dict[str, ChatterSpec] = {}
        self._judges: dict[str, Judges] = {}
        self._warmed: set[str] = set()
        self._lock = Lock()
        self._loading = Lock()
        # One thread judges, since two would only share the same cores; it keeps the order of the replies, too.
        self._judging = ThreadPoolExecutor(max_workers=1, thread_name_prefix="chat judges")

    def names(self) -> list[str]:
        """Return the names of the bots that a visitor may talk to.

        A bot named as `package.module:Class` in the settings is among them.
        """
        with suppress(InputError):  # the error is shown where the settings are needed
            return Permissions.of(self.project).names
        return []

    def all(self) -> list[ChatSession]:
        """Return the chats, the newest first."""
        with self._lock:
            return list(reversed(self._talks.values()))

    def get(self, name: str) -> ChatSession:
        """Return a chat by its id. Raises `NotThereError`."""
        with self._lock:
            chat = self._talks.get(name)
        if chat is None:
            remedy = "It was closed, or `view` was started again since. Saved chats are among the runs."
            raise NotThereError([Problem(f"/chat/{name}", "there is no such chat", remedy)])
        return chat

    def open(self, seat: str, bot: str, options: str = "", seed: str = "") -> ChatSession:
        """Begin a chat. The bot is loaded in a thread.

        Args:
            seat: where the visitor sits, `USER` or `BOT`.
            bot: name of the chatter that the visitor talks to.
            options: options of the bot as TOML; they replace those of the project.
            seed: a whole number; empty for the project's seed.

        Raises:
            InputError: a value is wrong, or the visitor may not choose this bot.
        """
        from chattest.dialogue.participants import find_participants
        from chattest.runner.preflight import find_unloadable
        from chattest.web.chat_run import make_chat_plan, make_chat_settings

        if seat not in (USER, BOT):
            raise InputError([Problem("seat", f'there is no seat "{seat}"', "Choose one of the two.")])
        chatters = ("user", bot) if seat == USER else (bot, "user")
        defaults = self.project.settings()
        settings = make_chat_settings(
            defaults, chatters, _read_seed(seed, defaults.seed), {bot: _read_options(options)}
        )
        if refused := Permissions(self.project, defaults).check_chatter(bot, settings.chatter_options.get(bot, {})):
            raise InputError(refused)
        spec = find_participants(settings, self.project.root / "chatters")[seat == USER]
        problems = find_unloadable([spec])
        if spec.cls.interactive:
            problems.append(Problem("chatter", f"{bot} is a person at the terminal", "Choose a bot."))
        if problems:
            raise InputError(problems)
        chat = ChatSession(secrets.token_urlsafe(9), seat, bot, settings, make_chat_plan(settings, self.project.root))
        self._keep(chat)
        self.warm(settings)
        Thread(target=self._hold, args=(chat, spec), name=f"chat {chat.id}", daemon=True).start()
        return chat

    def close(self, name: str) -> None:
        """End a chat and forget it. Raises `NotThereError`."""
        chat = self.get(name)
        chat.close()
        with self._lock:
            self._talks.pop(name, None)

    def save(self, name: str) -> Path:
        """Save a chat as a run. Return the run's folder. Raises `ChattestError`."""
        from chattest.web.chat_run import save_chat

        chat = self.get(name)
        conversation, settings, reports = chat.whole(), chat.settings, self.project.reports

        def write() -> Path:
            with one_thread():
                return save_chat(conversation, settings, reports, self._find_judges(settings))

        folder = self._judging.submit(write).result()
        chat.note_saved(folder.name)
        return folder

    def warm(self, settings: Settings) -> Future[None]:
        """Load the judges in their thread, and judge a short chat with them, so that the first reply need not wait."""
        return self._judging.submit(self._warm, settings)

    def _keep(self, chat: ChatSession) -> None:
        with self._lock:
            idle = [each.id for each in self._talks.values() if each.state == OVER and monotonic() - each.used > IDLE]
            for name in idle:
                del self._talks[name]
            if len(self._talks) >= MOST:
                raise InputError([Problem("/chat", f"{MOST} chats are open", "Close one of them first.")])
            self._talks[chat.id] = chat

    def _hold(self, chat: ChatSession, spec: ChatterSpec) -> None:
        """Hold a chat to its end, in a thread of its own."""
        key = f"{spec.name} {spec.options.model_dump_json()}"
        try:
            with self._loading:  # once per bot and options, as a run does it
                if key not in self._bots:
                    spec.load()
                    self._bots[key] = spec
            chat.hold(self._bots[key], self._judge)
        except Exception as error:  # whatever a bot's code does must be seen in the chat, not in a dead thread
            from chattest.chatter.failure import describe, message

            chat.failed(message(error) if isinstance(error, ChattestError) else describe(error))

    def _judge(self, chat: ChatSession, round: int) -> None:
        """Judge a reply in the thread of the judges."""
        conversation, start = chat.conversation(), monotonic()

        def judge() -> None:
            from chattest.judging.verdicts import analyze

            try:
                with one_thread():
                    results = analyze([conversation], chat.settings, self._find_judges(chat.settings), round)
            except ChattestError as error:
                chat.judged(round, (), monotonic() - start, str(error))
            except Exception as error:
                chat.judged(round, (), monotonic() - start, f"the judges failed: {type(error).__name__}: {error}")
            else:
                chat.judged(round, tuple(results), monotonic() - start)

        self._judging.submit(judge)

    def _find_judges(self, settings: Settings) -> Judges:
        from chattest.web.chat_run import load_judges

        key = _make_judging_key(settings)
        if key not in self._judges:
            self._judges[key] = load_judges(settings, self.project.root)
            for old in list(self._judges)[:-MOST_JUDGES]:
                del self._judges[old]
                self._warmed.discard(old)
        return self._judges[key]

    def _warm(self, settings: Settings) -> None:
        from chattest.judging.verdicts import analyze
        from chattest.web.chat_run import make_warm_up_chat

        key = _make_judging_key(settings)
        if key not in self._warmed:
            try:
                with one_thread():
                    analyze([make_warm_up_chat()], settings, self._find_judges(settings))
                self._warmed.add(key)
            except ChattestError:  # the first reply will show it
                return


@contextmanager
def one_thread() -> Iterator[None]:
    """Let models compute in one thread within the block.

    A reply is too short to be shared out: on two busy cores, two threads took ten times as long as one.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _make_judging_key(settings: Settings) -> str:
    from chattest.settings.declaration import JUDGING

    values: dict[str, Any] = settings.model_dump(mode="json")
    return json.dumps({name: values[name] for name in sorted(JUDGING)}, default=str)


def _read_seed(text: str, default: int) -> int:
    if not text.strip():
        return default
    return require_number(text, "seed", -MOST_SEED, MOST_SEED)


def _read_options(text: str) -> dict[str, Any]:
    from chattest.files.toml import parse_toml

    try:
        return parse_toml(text)
    except ValueError as error:
        raise InputError(
            [Problem("options", f"not TOML: {error}", 'Example: url = "http://localhost:8000"')]
        ) from error
