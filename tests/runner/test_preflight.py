"""Models that a run names and that are not there: all are told at once, before anybody says a word."""

from pathlib import Path
from typing import Any

import pytest

from chattest.errors import InputError
from chattest.runner.prepare import prepare
from chattest.settings.declaration import Settings
from tests.support import tiny_models
from tests.support.project import make_project
from tests.support.small_runs import SMALL


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    return make_project(tmp_path / "project")


def missing(project: Path, checks_only: bool = False, **more: Any) -> list[str]:
    """The names and places of what is told to be missing."""
    settings = Settings.model_validate(SMALL | more)
    try:
        prepare(settings, project, checks_only)
    except InputError as error:
        problems = error.problems
    else:
        return []
    assert all("cannot be loaded" in problem.what for problem in problems), problems
    return [f"{problem.where}: {problem.what.partition(' cannot')[0]}" for problem in problems]


BOT = {"chatters": ("asker", "huggingface"), "chatter_options": {"huggingface": {"model": "some/bot"}}}
JUDGE = {"models": {"match": "chat:huggingface"}, "judge_options": {"huggingface": {"model": "some/judge"}}}
READER, TOXICITY = 'The reader model "some/reader"', 'The toxicity model "some/toxic"'
MODELS = {"models": {"reader": "some/reader", "toxicity": "some/toxic"}}


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({}, []),
        (MODELS, [f"models: {READER}", f"models: {TOXICITY}"]),
        (MODELS | {"is_analyze": {"ML-P1": False}}, [f"models: {READER}"]),
        (MODELS | {"p": {}}, [f"models: {TOXICITY}"]),
        (MODELS | {"is_analyze_conversation": False}, []),
        (BOT, ['huggingface: the model "some/bot"']),
        (JUDGE, ['huggingface: the model "some/judge"']),
        ({"init_conv_randomly": True, "opener_model": "some/opener"}, ['opener_model: the model "some/opener"']),
        ({"opener_model": "some/opener"}, []),
        (
            BOT | MODELS | {"init_conv_randomly": True, "opener_model": "some/opener"},
            [
                f"models: {READER}",
                f"models: {TOXICITY}",
                'opener_model: the model "some/opener"',
                'huggingface: the model "some/bot"',
            ],
        ),
        (
            {"perturbation": {"ML-U3": 'model_paraphrase(model="some/t5")'}} | BOT,
            [
                'perturbation["ML-U3"]: model_paraphrase is not available: the model "some/t5"',
                'huggingface: the model "some/bot"',
            ],
        ),
    ],
)
def test_what_is_missing_is_told_at_once(project: Path, settings: dict[str, Any], told: list[str]) -> None:
    assert missing(project, **settings) == told


def test_single_questions_need_no_driver(project: Path) -> None:
    swapped = BOT | {"chatters": ("huggingface", "keeper")}
    assert missing(project, checks_only=True, checks=["mft.greeting"], **swapped) == []
    assert missing(project, checks_only=True, checks=["mft.greeting"], **BOT) == ['huggingface: the model "some/bot"']


def test_the_message_says_what_to_do(project: Path) -> None:
    with pytest.raises(InputError) as refused:
        prepare(Settings.model_validate(SMALL | BOT | MODELS), project)
    text = str(refused.value)
    assert "HF_HUB_OFFLINE" in text
    assert "hf download" in text
    assert 'Set models = {"reader": "..."}' in text


@pytest.mark.slow
def test_a_checkpoint_that_is_there_passes(project: Path, tmp_path: Path) -> None:
    folder = tiny_models.causal(tmp_path / "tiny")
    there: dict[str, Any] = {
        "chatters": ("asker", "huggingface"),
        "chatter_options": {"huggingface": {"model": str(folder)}},
    }
    assert missing(project, **there) == []
    (folder / "model.safetensors").unlink()
    assert missing(project, **there) == [f'huggingface: the model "{folder}"']
