"""Questions that share no more than how they ask, of which the model has to be surer."""

import pytest

from chattest.records.result import Score
from chattest.rules.questions import have_little_to_compare
from chattest.scorers.base import Item, scorers
from chattest.settings.declaration import Settings
from tests.support.stand_ins import StandIns

REPEATED = scorers.get("repeated_question")
THRESHOLD = Settings().threshold("threshold_repeated_question")


@pytest.mark.parametrize(
    ("first", "second", "little"),
    [
        ("Where did they go?", "Where were you waiting?", True),
        ("Like who?", "Such as what?", True),
        ("What are you reading?", "What are you wearing?", True),
        ("What are you reading?", "What were you reading there?", False),
        ("Which pills are you on?", "What medicine did the doctor give you?", False),
        ("You hurt her, didn't you?", "Did you hurt her?", False),
    ],
)
def test_what_gives_little_to_compare(first: str, second: str, little: bool) -> None:
    assert have_little_to_compare(first, second) is little
    assert have_little_to_compare(second, first) is little


def score(first: str, second: str, by_model: float) -> Score:
    judges = StandIns(same={(second, first): by_model})
    (found,) = REPEATED.score([Item("", second, earlier_replies=(first,))], judges)
    return found


@pytest.mark.parametrize(
    ("first", "second"), [("Where did they go?", "Where did they wait?"), ("What did it say?", "What was in it?")]
)
@pytest.mark.parametrize(("by_model", "alarm"), [(0.61, False), (0.89, False), (0.91, True), (1.0, True), (0.0, False)])
def test_the_model_has_to_be_surer_there(first: str, second: str, by_model: float, alarm: bool) -> None:
    assert ((score(first, second, by_model).value or 0.0) >= THRESHOLD) is alarm


def test_where_questions_share_content_the_model_decides_as_before() -> None:
    assert score("Which pills are you on?", "Which pills did the nurse hand you?", 0.61).value == 0.61
