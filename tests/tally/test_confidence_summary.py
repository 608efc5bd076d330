"""What a report says of how sure it is."""

from dataclasses import replace

import pytest

from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import ProbePlan
from chattest.records.report import Corrected, Estimate
from chattest.records.result import Result, Verdict
from chattest.settings.declaration import Settings
from chattest.statistics.judges import Accuracy
from chattest.storage.judge_accuracy import Measured
from chattest.tally.confidence_summary import describe_accuracy, describe_reviewed, suggest_next_step
from chattest.tally.labelled import UNLABELLED
from tests.support.judged_rows import with_scorer
from tests.support.labelled_rows import at_random, bot
from tests.support.labelled_rows import seen as seen_rows

JUDGE = Accuracy(100, 90, 100, 80)
KNOWN = {"toxicity": Measured(JUDGE, Settings().threshold("threshold_toxicity"), ("a-bot",))}


def rows(check: str = "ML-P1", number: int = 40, run: int = 1) -> list[Result]:
    return [
        with_scorer(
            Result(check, run, "run-001", place, Verdict.PASS if place % 4 else Verdict.FAIL, f"{place}", "yes")
        )
        for place in range(number)
    ]


def held(seconds: float) -> list[Conversation]:
    turns = (Turn(0, Speaker.DRIVER, "Hi"), Turn(0, Speaker.SUBJECT, "Hi", seconds))
    return [Conversation(1, "1", ("eliza", "alice"), turns, ProbePlan(1, ()))]


def test_who_judged_and_how_right_they_are() -> None:
    found = describe_accuracy(
        [*rows(), *rows("ML-A7"), *rows("ML-A6"), *rows("mft.x", run=0)], Settings(), KNOWN, UNLABELLED
    )
    assert found == (
        "Accuracy of the judges (embedded) on labelled replies of other bots: toxicity 85 % of 200. "
        "Not measured: repeated question, single questions."
    )
    others = describe_accuracy(rows(), Settings(models="reference"), KNOWN, UNLABELLED)
    assert others == "The accuracy of the judges (reference) was not measured: toxicity."
    assert describe_accuracy([], Settings(), KNOWN, UNLABELLED) == ""


def test_written_replies_are_not_said_to_be_replies_of_bots() -> None:
    written = {"open": Measured(JUDGE, Settings().threshold("threshold_sem_sim_tests"))}
    judged_open = [replace(row, scorer="open_answer") for row in rows("ML-U3")]
    assert describe_accuracy([*rows(), *judged_open], Settings(), KNOWN | written, UNLABELLED) == (
        "Accuracy of the judges (embedded) on labelled replies of other bots: toxicity 85 % of 200. "
        "Accuracy of the judges (embedded) on labelled replies that people wrote: open answer 85 % of 200."
    )


def test_each_kind_names_its_own_judge() -> None:
    """One kind is judged by a chat model; the figures are those of the embedded judges of the others."""
    chat = [replace(row, judge="chat:openai") for row in rows("ML-I2")]
    known = KNOWN | {"open": Measured(JUDGE, Settings().threshold("threshold_sem_sim_tests"), ("a-bot",))}
    answers = [replace(row, expected="Mittens") for row in rows("ML-I1")]
    found = describe_accuracy(
        [*answers, *chat, *rows()], Settings(models={"coherence": "chat:openai"}), known, UNLABELLED
    )
    assert found == (
        "Accuracy of the judges on labelled replies of other bots: open answer by embedded 85 % of 200, "
        "toxicity by embedded 85 % of 200. Not measured: conversation coherence by chat:openai."
    )
    # A judge that gave no verdict is not named.
    alone = describe_accuracy(rows(), Settings(models={"coherence": "chat:openai"}), known, UNLABELLED)
    assert alone == "Accuracy of the judges (embedded) on labelled replies of other bots: toxicity 85 % of 200."


def test_what_a_person_has_seen() -> None:
    judged, truth = bot(1)
    labelled = seen_rows(judged, at_random(judged, truth, 50))
    assert describe_reviewed(judged, labelled) == "People have reviewed 50 of 600 verdicts."
    assert describe_reviewed(judged, UNLABELLED) == "Nobody has reviewed any of the 600 verdicts."
    assert describe_reviewed([], UNLABELLED) == ""
    said = describe_accuracy(judged, Settings(), KNOWN, labelled)
    assert "On this bot, a person agrees with " in said
    assert said.endswith(" % of 50 verdicts drawn at random.")


def advice(half: float, margin: float, raw: float, seconds: float = 1.0, labels: int = 0, number: int = 400) -> str:
    estimate = Estimate(40, (0.7 - raw, 0.7 + raw), Corrected(0.7, (0.7 - half, 0.7 + half), margin, labels))
    other = Estimate(40, (0.6, 0.7), Corrected(0.65, (0.64, 0.66), 0.01))
    return suggest_next_step(rows(number=number), held(seconds), {"ML-P1": estimate, "ML-A7": other}, {"ML-P1": JUDGE})


CHEAPEST = "The cheapest way to halve this interval: "


@pytest.mark.parametrize(
    ("figures", "expected"),
    [
        # The conversations are too few, and quick to hold: 40 x ((0.2^2 - 0.01^2) / (0.1^2 - 0.01^2) - 1).
        ((0.2, 0.01, 0.2), CHEAPEST + "122 more conversations (about 2 minutes)."),
        # The judge errs, which more conversations do not mend.
        ((0.0905, 0.09, 0.04, 1.0, 50), CHEAPEST + "157 more labels drawn at random by chattest review"),
        ((0.2, 0.19, 0.04), CHEAPEST + "50 labels drawn at random by chattest review (about 17 minutes)."),
        # Labels would take longer than to set up another judge.
        ((0.2, 0.19, 0.0785), CHEAPEST + "another judge, if it is right on 95 % of the replies (about 30 minutes)."),
        (
            (0.2, 0.15, 0.2),
            "No single step halves this interval: take 120 more conversations, and 30 labels drawn at random by "
            "chattest review.",
        ),
    ],
)
def test_the_cheapest_way_to_be_surer(figures: tuple[float, ...], expected: str) -> None:
    found = advice(*figures)  # type: ignore[arg-type]
    low, high = 100 * (0.7 - figures[0]), 100 * (0.7 + figures[0])
    assert found.startswith(f"The least certain rate is that of ML-P1: 70.0 % ({low:.0f} to {high:.0f} %). {expected}")


def test_without_a_corrected_rate_labels_come_first() -> None:
    raw = {"ML-A7": Estimate(5, (0.4, 0.9)), "ML-A6": Estimate(5, (0.4, 0.9), exact=True)}
    said = suggest_next_step(rows("ML-A7"), (), raw, {})
    assert said == "Next: label 30 replies of ML-A7 (chattest review): its rate cannot be corrected yet."
    assert suggest_next_step(rows("ML-A6"), (), {"ML-A6": raw["ML-A6"]}, {}) == ""
