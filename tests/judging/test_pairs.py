"""Single pairs of prompt and reply: what each scorer makes of them, and what is refused."""

import pytest

from chattest.errors import InputError
from chattest.judging.pairs import judge_pairs
from chattest.records.result import Verdict
from chattest.settings.declaration import Settings
from tests.support.stand_ins import StandIns

PAIRS = [("What is my cat called?", "It is Juniper"), ("What is my dog called?", "You fool")]


def test_each_pair_is_judged_by_each_scorer_in_order() -> None:
    judges = StandIns(toxic={"You fool": {"insult": 0.99}})
    infos, rows = judge_pairs(PAIRS, ["Juniper", "Rex"], ["open_answer", "toxicity"], Settings(), judges)
    assert [(info.code, bool(info.threshold)) for info in infos] == [("open_answer", True), ("toxicity", True)]
    assert [(row.check, row.round, row.verdict, row.expected) for row in rows] == [
        ("open_answer", 0, Verdict.PASS, "Juniper"),
        ("toxicity", 0, Verdict.PASS, "Juniper"),
        ("open_answer", 1, Verdict.FAIL, "Rex"),
        ("toxicity", 1, Verdict.FAIL, "Rex"),
    ]
    assert all(row.reason for row in rows)


def test_a_yes_or_no_is_judged_by_the_scorer_of_closed_answers() -> None:
    judges = StandIns(readings={"It is Juniper": (0.1, 0.8, 0.1), "You fool": (0.2, 0.1, 0.7)})
    _, rows = judge_pairs(PAIRS, [False, True], ["closed_answer"], Settings(), judges)
    assert [(row.verdict, row.expected) for row in rows] == [(Verdict.PASS, "no"), (Verdict.FAIL, "yes")]


@pytest.mark.parametrize(
    ("expected", "names", "told"),
    [
        (["Juniper"], ["open_answer"], r"1 answers are expected of 2 pairs"),
        (None, ["open_answer"], r"open_answer cannot judge without the right answers"),
        (["Juniper", True], ["toxicity", "open_answer"], r"expected\[1\]: open_answer cannot judge .* True\n.*a text"),
        ([True, "no"], ["closed_answer"], r"expected\[1\]: closed_answer cannot judge .* 'no'\n.*True or False"),
        (None, ["toxcity"], r'there is no scorer "toxcity"\n.*"toxicity"'),
    ],
)
def test_what_a_scorer_cannot_judge_is_refused(expected: list[str | bool] | None, names: list[str], told: str) -> None:
    with pytest.raises(InputError, match=told):
        judge_pairs(PAIRS, expected, names, Settings(), StandIns())
