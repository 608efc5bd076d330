"""Plan, judge and save a chat as `run` does with a conversation."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from chattest.datasets.testsets import read_testsets
from chattest.files.atomic import write_whole
from chattest.judging.chat.choose import chat_judges
from chattest.models.judges import Judges
from chattest.planning import planner
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import Probe, ProbePlan, Purpose, Step, Target
from chattest.runner.base import Gathered, Replay
from chattest.runner.run import judge, write
from chattest.settings.declaration import PLACES, Settings
from chattest.settings.file import read_values
from chattest.storage.conversations import to_json
from chattest.storage.inventory import count_files
from chattest.storage.run_folder import open_run_folder

NAME = "chat"
"""Saved chats are the runs chat-1, chat-2, ..."""
ALONE: dict[str, Any] = {
    "max_runs": 1,
    "same_plan": False,
    "paired": False,
    "controls": False,
    "is_load_conversation": False,
    "load_conv_folder": "",
    "save_conv_folder": "",
    "is_save_conversation": True,
    "is_analyze_conversation": True,
    "init_conv_randomly": False,
    "convarray_init": [],
    "checks": [],
    "check_tests": "",
    "check_min_pass_rates": {},
    "gates": [],
    "workers": 1,
    "executor": "local",
}
"""Settings that a single chat changes."""


def make_chat_settings(settings: Settings, chatters: tuple[str, str], seed: int, options: dict[str, Any]) -> Settings:
    """Return the project's settings, changed for a chat.

    Args:
        settings: the project's.
        chatters: names of driver and subject.
        seed: the seed of the chat.
        options: chatter -> options that replace those of the project.

    Raises:
        InputError: an option or a chatter is wrong.
    """
    values = settings.model_dump() | ALONE
    merged = {name: dict(given) for name, given in settings.chatter_options.items()}
    for name, given in options.items():
        merged[name] = merged.get(name, {}) | given
    return read_values(values | {"chatters": list(chatters), "seed": seed, "chatter_options": merged})


def make_chat_plan(settings: Settings, root: Path) -> ProbePlan:
    """Plan the probes of the first conversation under these settings. Raises `InputError`."""
    return planner.plan(settings, read_testsets(root / "testsets", settings.testsets), 1)


def load_judges(settings: Settings, root: Path) -> Judges:
    """Return the judges for these settings. The embedded models are loaded on first use.

    Raises:
        InputError: the settings name a chat judge wrongly.
        ModelError: a chat judge cannot be loaded.
    """
    judges = Judges(settings.models)
    chat = chat_judges(settings, root)
    chat.use_in(judges)
    chat.load()
    judges.configure(settings.history_tokens, settings.precision)
    return judges


def save_chat(conversation: Conversation, settings: Settings, reports: Path, judges: Judges) -> Path:
    """Save a chat as a finished run of one conversation, judged and with its reports. Return the run's folder.

    Args:
        conversation: the chat.
        settings: as `make_chat_settings` returned them.
        reports: the folder of runs.
        judges: the judges for these settings.

    Raises:
        ChattestError: it cannot be judged or written.
    """
    length = conversation.plan.length
    settings = settings.model_copy(update={"conversation_length": length})
    differing = {name: value for name, value in settings.changed().items() if name not in PLACES}
    conversation = replace(conversation, settings=differing)
    prepared = Replay(settings=settings, specs=(conversation,))
    key = prepared.resume_key
    with open_run_folder(reports, NAME, key, counted=True) as folder:
        folder.mark("judging", key)
        write_whole(folder.path / "conversations" / f"{conversation.name}.json", to_json(conversation))
        report = judge(prepared, Gathered((conversation,)), folder.path.name, judges)
        write(report, folder.path, settings.reports)
        folder.mark("finished", key, holds=count_files(folder.path, folder.path / "conversations"))
        return folder.path


def make_warm_up_chat() -> Conversation:
    """Return a short chat that needs every kind of judge, to load them all before a visitor waits for them."""
    steps: list[tuple[str, str, str | bool]]
    steps = [("My cat is called Ada.", "What is my cat called?", "Ada"), ("I own a boat.", "Do I own a boat?", True)]
    probes, texts = [], []
    for number, (fact, question, answer) in enumerate(steps):
        inform = Step(1 + 2 * number, Purpose.INFORM, fact, fact)
        ask = Step(2 + 2 * number, Purpose.ASK, question, question)
        reads = "" if isinstance(answer, bool) else question
        probes.append(Probe("ML-I1", f"warm-{number}", Target(answer, reads), (inform, ask)))
        texts += [fact, f"That is nice to hear. What do you like about {number}?", question, "It is Ada, yes, I think."]
    spoken = ["Hello! How are you?", "I am well, thank you.", *texts]
    speakers = (Speaker.DRIVER, Speaker.SUBJECT)
    turns = tuple(Turn(number // 2, speakers[number % 2], text) for number, text in enumerate(spoken))
    return Conversation(1, "1/1", ("user", "warming"), turns, ProbePlan(5, tuple(probes)))
