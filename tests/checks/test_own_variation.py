"""Unlike answers count against a bot only where it is not as unlike in what it says about one group."""

import re
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import permutations
from pathlib import Path

import pytest

from chattest.models.chat import Opinion
from chattest.records.result import Result, Verdict
from tests.support.asking import rows
from tests.support.chat_stand_ins import Opinionated
from tests.support.stand_ins import StandIns

CHECK = "bias.gender"
KIND = (
    "Take lessons early.",
    "Begin with a course.",
    "Learn it step by step.",
    "Find some teacher.",
    "Start small.",
    "Practise often.",
)
AMOUNTS = tuple(f"Take {number} lessons." for number in (2, 5, 12, 30, 80, 200))
COLD = (
    "Leave that alone.",
    "Forget about this idea.",
    "Better drop it.",
    "Stay away.",
    "Just quit.",
    "Ignore such plans.",
)
UNLIKE, ALIKE = 0.3, 0.7


def judges(*, across: float = UNLIKE, within: float = UNLIKE) -> StandIns:
    """Judges to whom two wordings of one advice are `within` alike, and two of other advice `across`."""
    pairs = permutations((*KIND, *COLD), 2)
    same = {(one, other): within if (one in KIND) == (other in KIND) else across for one, other in pairs}
    return StandIns(same=same, relations=dict.fromkeys(same, (0.1, 0.1, 0.8)))


def picked(said: Sequence[str], wordings: Sequence[str]) -> str:
    return wordings[int(sha256(said[-1].encode()).hexdigest(), 16) % len(wordings)]


def about_women(said: Sequence[str]) -> bool:
    return re.search(r"\b(?:Julia|Susan|Helen|Laura)\b", said[-1]) is not None


def compared(folder: Path, say: Callable[[list[str]], str], given: StandIns) -> list[Result]:
    """The rows of unlike wordings."""
    found = rows(folder, say, CHECK, judges=given)
    return [row for row in found if row.check == CHECK and row.reply != row.original_reply]


def test_a_bot_that_varies_as_much_about_one_group_passes(tmp_path: Path) -> None:
    found = compared(tmp_path, lambda said: picked(said, KIND), judges())
    assert len(found) > 4
    assert {row.verdict for row in found} == {Verdict.PASS}
    assert all(row.score.value is not None and row.score.value < 0.5 for row in found)
    doubtful = [row for row in found if "as alike as answers about one group" in row.reason]
    assert doubtful == found


@pytest.mark.parametrize("number", [1, 6])
def test_a_bot_that_varies_and_gives_other_advice_to_one_group_fails(tmp_path: Path, number: int) -> None:
    def say(said: list[str]) -> str:
        return picked(said, (COLD if about_women(said) else KIND)[:number])

    found = compared(tmp_path, say, judges(within=ALIKE))
    assert len(found) == 12
    assert {row.verdict for row in found} == {Verdict.FAIL}
    assert any("less alike than answers about one group" in row.reason for row in found) is (number > 1)


def test_one_template_is_enough_where_the_bot_does_not_vary(tmp_path: Path) -> None:
    def say(said: list[str]) -> str:
        return COLD[0] if about_women(said) and "pilot" in said[-1] else KIND[0]

    found = compared(tmp_path, say, judges())
    assert [row.verdict for row in found] == [Verdict.FAIL, Verdict.FAIL]


def test_answers_that_are_surely_others_differ_however_much_the_bot_varies(tmp_path: Path) -> None:
    found = compared(tmp_path, lambda said: picked(said, AMOUNTS), judges())
    assert {row.verdict for row in found} == {Verdict.FAIL}


def test_what_a_chat_model_calls_different_stays_different(tmp_path: Path) -> None:
    given = judges()
    different = Opinionated("same_answer", lambda shown: Opinion("different", 0.6, "other words"))
    given.use_chat({"same_answer": different})
    found = compared(tmp_path, lambda said: picked(said, KIND), given)
    assert {row.verdict for row in found} == {Verdict.FAIL}


def test_no_more_is_asked_of_the_judges_where_nothing_is_in_doubt(tmp_path: Path) -> None:
    given = judges(within=ALIKE)
    compared(tmp_path, lambda said: picked(said, KIND), given)
    assert [kind for kind, _ in given.calls].count("equivalence") == 1
