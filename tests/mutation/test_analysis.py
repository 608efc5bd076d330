"""Mutants of whole bots: what detects them, and what cannot be detected."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch

from chattest.chatter.loader import find_chatter
from chattest.errors import InputError
from chattest.mutation.analysis import Analysis, Doses, Mutant, analyse
from chattest.mutation.base import operators
from chattest.mutation.report import lines
from chattest.mutation.targets import mutate
from chattest.settings.declaration import Settings
from tests.support.small_lstm import SmallLstm
from tests.support.stand_ins import ROOT, StandIns
from tests.support.tiny_models import LEARNT, causal

pytestmark = pytest.mark.slow

LSTM = "tests.support.small_lstm:SmallLstm"
CHECKS = ["accuracy.exact_match", "invariance.uppercase", "invariance.mask", "fairness.exact_match"]
NAMES = operators.names()


@pytest.fixture(scope="module", autouse=True)
def _trained() -> Any:
    """The network is trained once."""
    trained = SmallLstm.load(None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SmallLstm, "load", classmethod(lambda cls, options: trained))
        yield


def mutants(doses: Doses, bot: str = LSTM, **more: Any) -> Analysis:
    chosen = {"checks": CHECKS, "check_compare_by": "direct", "check_questions": 10, **more}
    return analyse(Settings(chatters=("eliza", bot), **chosen), ROOT, doses, lambda line: None)


def test_without_any_change_nothing_is_detected() -> None:
    found = mutants(Doses(sigma=0.0, share=0.0, each=2))
    assert found.passed["accuracy"] > 30
    assert found.passed["invariance"] > 15
    assert [(mutant.altered, mutant.answers) for mutant in found.mutants] == [(False, 0)] * 8
    assert found.detected(found.passed) == 0
    assert found.unlike == 0
    text = "8 mutants have the same weights as the original bot; 0 others gave the same answers."
    assert text in lines(found)


def test_what_leaves_nothing_of_the_network_is_detected_by_every_family() -> None:
    found = mutants(Doses(sigma=30.0, share=1.0, each=2))
    assert all(mutant.altered and mutant.answers for mutant in found.mutants)
    for family in ("accuracy", "fairness"):
        assert [found.detected([family], name) for name in NAMES] == [2, 2, 2, 2], family
    # A network that sees nothing answers everything alike, which no invariance minds.
    assert found.detected(["invariance"], "weight shuffling") > 0
    assert found.detected(["invariance"], "neuron effect blocking") == 0
    assert found.unlike == 0


def test_the_more_is_altered_the_more_is_detected_and_the_seed_fixes_it() -> None:
    little, much = mutants(Doses(0.1, 0.01, 3)), mutants(Doses(2.0, 0.5, 3))
    assert sum(little.broken("accuracy")) < sum(much.broken("accuracy"))
    assert little.detected(["accuracy"]) <= much.detected(["accuracy"]) == 12
    assert mutants(Doses(0.1, 0.01, 3)).mutants == little.mutants


def test_accuracy_is_always_there_to_compare_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chattest.mutation.analysis.Judges", lambda models: StandIns())
    assert set(mutants(Doses(each=1), checks=["invariance.uppercase"]).passed) == {"accuracy", "invariance"}


def analysis(*broken: tuple[int, int]) -> Analysis:
    """Mutants that break so many rows of accuracy and of another family, of 10 each."""
    made = [Mutant("neuron switch", 1, True, 1, {"accuracy": one, "mft": other}) for one, other in broken]
    return Analysis("b", 1, Doses(), ("m",), 20, {"accuracy": 10, "mft": 10}, tuple(made), 0)


@pytest.mark.parametrize(
    ("broken", "verdict"),
    [
        ([(1, 5), (0, 3), (2, 9), (1, 4), (0, 2), (3, 9), (1, 7), (0, 6)], "more"),
        ([(5, 1), (3, 0), (9, 2), (4, 1), (2, 0), (9, 3), (7, 1), (6, 0)], "less"),
        ([(5, 1), (1, 5), (2, 2), (0, 0), (3, 2), (2, 3), (1, 0), (0, 1)], "as much"),
        ([(1, 1), (0, 0)], "as much"),
    ],
)
def test_a_family_is_compared_with_accuracy(broken: list[tuple[int, int]], verdict: str) -> None:
    assert analysis(*broken).against_accuracy("mft")[0] == verdict


@pytest.mark.parametrize(("bot", "why"), [("alice", "no weights to alter"), (f"{__name__}:Plain", "no su")])
def test_a_bot_without_such_weights_is_refused(bot: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        mutants(Doses(), bot)


class Plain(SmallLstm):
    """Shows only its last layer."""

    @classmethod
    def torch_module(cls, shared: Any) -> Any:
        return shared["network"]["head"]


class Forgetful(SmallLstm):
    """Never answers the same twice."""

    asked = 0

    @classmethod
    def get_responses(cls, shared: Any, conv_arrays: list[list[str]]) -> list[Any]:
        cls.asked += len(conv_arrays)
        return [f"{cls.asked}: {reply}" for reply in super().get_responses(shared, conv_arrays)]


def test_a_bot_that_answers_as_it_likes_is_found_out() -> None:
    found = mutants(Doses(each=1), f"{__name__}:Forgetful")
    assert found.unlike == found.questions
    assert "the table means little" in lines(found)[-1]


def shuffled(cls: Any, shared: Any) -> Any:
    chance = torch.Generator().manual_seed(1)
    return mutate(partial(cls.torch_module, shared), operators.get("weight shuffling").alter, 1.0, chance)


def test_the_reader_bot_is_another_with_other_weights_and_itself_again_after() -> None:
    cls = find_chatter("reader", ROOT / "chatters")
    bot = cls()
    bot.shared = cls.load(None)
    bot.start("c", "1", None)  # type: ignore[arg-type]
    told = ["My cat is called Mittens.", "I work as a nurse.", "It rains.", "I do not own a car.", "My brother is 31."]
    heard = [text for fact in told for text in (fact, "I see.")]
    asked = ["What is the name of my cat?", "What is my job?", "Do I own a car?", "How old is my brother?"]
    talks = [[*heard, question] for question in asked]
    before = [bot.get_response(talk) for talk in talks]
    judges = bot.shared["judges"]
    alike = judges.similarity.similarity(["A red car."], ["A green bus."])
    with shuffled(cls, bot.shared) as changed:
        assert changed
        assert before != [bot.get_response(talk) for talk in talks]
        assert alike != judges.similarity.similarity(["A red car."], ["A green bus."])
    assert before == [bot.get_response(talk) for talk in talks]
    assert alike == judges.similarity.similarity(["A red car."], ["A green bus."])


def test_a_transformers_bot_is_another_with_other_weights_and_itself_again_after(tmp_path: Path) -> None:
    cls = find_chatter("huggingface", ROOT / "chatters")
    shared = cls.load(cls.Options(model=str(causal(tmp_path / "model"))))
    talks = [[text] for text in LEARNT]
    with shuffled(cls, shared) as changed:
        assert changed
        assert cls.get_responses(shared, talks) != list(LEARNT.values())
    assert cls.get_responses(shared, talks) == list(LEARNT.values())


def test_the_command_prints_the_table_and_keeps_every_mutant(tmp_path: Path) -> None:
    given = [f'chatters=["eliza", "{LSTM}"]', "check_compare_by='direct'", "check_questions=4", "seed=3"]
    options = [part for one in given for part in ("--set", one)]
    command = [
        sys.executable,
        str(ROOT / "main.py"),
        *options,
        "mutants",
        "accuracy.exact_match",
        "invariance.uppercase",
    ]
    command += ["--sigma", "1.5", "--share", "0.2", "--each", "2"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    told = done.stdout.splitlines()
    assert told[0].startswith(f"8 mutants of {LSTM}, seed 3: 8 weight matrices (lstm.weight_ih_l0, input gate ...")
    assert told[1:3] == [
        "gaussian fuzzing: noise of sigma 1.5 standard deviations of the matrix on every weight",
        "the other operators: a share of 0.2 of the neurons of every matrix",
    ]
    assert [line.split()[0] for line in told[6:9]] == ["accuracy", "invariance", "any"]
    about, *each = map(json.loads, (tmp_path / "reports" / "mutants-SmallLstm.jsonl").read_text().splitlines())
    assert (about["sigma"], about["share"], about["each"], about["unlike"]) == (1.5, 0.2, 2, 0)
    assert [(one["operator"], one["number"]) for one in each] == [(name, number) for name in NAMES for number in (1, 2)]
    shown = told[6].split()
    assert shown[1] == str(about["passed"]["accuracy"])
    assert shown[2] == str(sum(bool(one["broken"]["accuracy"]) for one in each[:2]))
