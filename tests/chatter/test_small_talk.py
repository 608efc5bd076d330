"""The small talk that fits: the driver and the oracle say its two parts."""

from typing import get_args

import pytest

from chattest.chatter.small_talk import UNKNOWN, SmallTalkDriver, SmallTalkOracle, small_talks
from chattest.records.conversation import Conversation
from chattest.records.plan import ProbePlan
from tests.support.stand_ins import ROOT, probe
from tests.support.talk import held


def talk(run: int, rounds: int, *probes: object) -> list[str]:
    """The texts of a conversation between the two."""
    plan = ProbePlan(rounds, probes)  # type: ignore[arg-type]
    spec = Conversation(run, f"1/{run}", ("small talk", "oracle"), (), plan)
    return held(spec, SmallTalkDriver(), SmallTalkOracle()).texts


def lines(number: int) -> list[str]:
    """A talk's texts in order. number: from 0."""
    return [text for exchange in small_talks()[number] for text in exchange]


def test_there_are_twelve_talks_of_ten_exchanges_and_no_prompt_comes_twice() -> None:
    assert [len(talk) for talk in small_talks()] == [10] * 12
    prompts = [prompt for talk in small_talks() for prompt, _ in talk]
    assert len(set(prompts)) == len(prompts)
    assert all(text.strip() == text for talk in small_talks() for exchange in talk for text in exchange)


@pytest.mark.parametrize(("run", "first"), [(1, 0), (2, 1), (12, 11), (13, 0)])
def test_each_conversation_begins_with_the_next_talk_and_goes_on_with_another(run: int, first: int) -> None:
    assert talk(run, 13) == lines(first) + lines((first + 1) % 12)[:6]


def test_a_probe_takes_the_place_of_a_line_which_follows_it() -> None:
    said = talk(1, 4, probe("ML-U3", 1, 3))
    assert said == [
        *lines(0)[:2],
        "My cat is called Juniper.",
        UNKNOWN,
        *lines(0)[2:4],
        "What is my cat called?",
        UNKNOWN,
    ]


def test_the_talks_end_and_begin_again() -> None:
    assert talk(1, 121)[-2:] == lines(0)[:2]


@pytest.mark.slow
def test_no_judge_learns_from_what_measures_it() -> None:
    from training.written_rows import Kind, read_written, sequences

    folder = ROOT / "chattest" / "chatter" / "data"
    lines = [line for name in ("small_talk", "unrelated") for line in (folder / f"{name}.txt").read_text().splitlines()]
    known = sequences(line for line in lines if not line.startswith("#"))
    assert len(known) > 1000
    learnt = (ROOT / "training" / "small_talk.toml").read_text(encoding="utf-8")
    assert not known & sequences(learnt.splitlines())
    for kind in get_args(Kind):
        for row in [*read_written(kind, "train"), *read_written(kind, "choosing")]:
            texts = [text for text in row.values() if isinstance(text, str)]
            assert not known & sequences([*texts, *(row.get("context") or ())]), row
