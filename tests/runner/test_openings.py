"""Who says the random opening, and what the chatters make of it."""

from pathlib import Path
from typing import Any

import pytest

from chattest.records.conversation import Conversation, Speaker
from chattest.runner.prepare import prepare
from chattest.settings.declaration import Settings
from chattest.storage.consistency import find_inconsistencies
from chattest.storage.conversations import load_all
from tests.support.project import make_project
from tests.support.small_runs import SMALL, go

RANDOM: dict[str, Any] = {"init_conv_randomly": True, "affect": "joy", "topic": "space"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("openings") / "project")


def planned(project: Path, **more: object) -> Conversation:
    return prepare(Settings.model_validate(SMALL | RANDOM | {"max_runs": 1} | more), project).specs[0]


@pytest.mark.parametrize(
    ("speaker", "given", "before"),
    [
        ("chatter2", [], ["Hey", "..."]),
        ("chatter2", ["A", "B"], ["A", "B", "Hey", "..."]),
        ("chatter2", ["A"], ["A", "..."]),
        ("chatter1", [], ["Hey", "Hey", "..."]),
        ("chatter1", ["A", "B"], ["A", "B", "..."]),
        ("chatter1", ["A"], ["A", "Hey", "..."]),
    ],
)
def test_who_says_the_sentence_is_chosen(project: Path, speaker: str, given: list[str], before: list[str]) -> None:
    spec = planned(project, opening_speaker=speaker, convarray_init=given)
    sentence = spec.turns[-1]
    assert [turn.text for turn in spec.turns[:-1]] == before[:-1]
    assert len(sentence.text) > 10
    assert sentence.speaker is (Speaker.DRIVER if speaker == "chatter1" else Speaker.SUBJECT)
    assert sentence.text == planned(project).turns[-1].text, "the same sentence, whoever says it"
    assert spec.opening == list(spec.turns)
    assert not list(find_inconsistencies(spec))
    assert spec.plan == planned(project).plan


def test_chatter_2_replies_to_what_chatter_1_opens_with(tmp_path: Path) -> None:
    echo = (
        "from chattest import Chatter\n\n\nclass Echo(Chatter):\n    def get_response(self, conv_array):\n"
        "        return f'{len(conv_array)}: {conv_array[-1]}'\n"
    )
    project = make_project(tmp_path / "project", echo=echo)
    chosen: dict[str, Any] = {"chatters": ("echo", "echo"), "max_runs": 1, "is_analyze_conversation": False}
    outcome = go(project, tmp_path, opening_speaker="chatter1", **RANDOM, **chosen)
    (talk,) = load_all(outcome.folder)
    sentence = planned(project).turns[-1].text
    assert [turn.text for turn in talk.turns[:5]] == ["Hey", "Hey", sentence, f"3: {sentence}", talk.turns[4].text]
    assert [turn.round for turn in talk.turns[:5]] == [-1, -1, 0, 0, 1]
    assert len(talk.turns) == 2 + 2 * SMALL["conversation_length"]
