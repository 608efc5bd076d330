"""Scorers of other packages that are written for the names of 0.1."""

from collections.abc import Sequence
from typing import Any

import pytest

from chattest.records.result import Score, Verdict
from chattest.scorers.base import Item, Scorer


def test_a_scorer_with_the_old_names_still_judges_and_warns() -> None:
    with pytest.warns(DeprecationWarning, match="is called") as warned:

        class Short(Scorer):
            """Letters of a reply."""

            name = "short"
            threshold = ""
            needs = "at most {bar:g} letters"

            def score(self, items: Sequence[Item], judges: Any) -> list[Score]:
                return [Score(float(len(item.reply))) for item in items]

            def why(self, score: Score, item: Item, bar: float) -> str:
                return f"{score.value:g} letters"

    assert [str(each.message) for each in warned] == [
        "Short.needs is called requirement now",
        "Short.why is called explain now",
    ]
    short: Scorer = Short()  # type: ignore[abstract]
    item = Item("Hi", "Hello")
    with pytest.warns(DeprecationWarning, match=r"Item.own is called earlier_replies now"):
        assert Item("Hi", "Hello", earlier_replies=("Ho",)).own == ("Ho",)
    assert short.describe_requirement(3) == "at most 3 letters"
    assert short.reason(Score(5.0), item, 3) == "5 letters"
    assert short.verdict(Score(5.0), item, 3) is Verdict.PASS
