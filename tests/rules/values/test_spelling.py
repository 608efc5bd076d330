"""Words of an answer in another form, in the other English, or mistyped."""

import tomllib

import pytest

from chattest.rules.values.spelling import spell_as
from tests.support.paths import DATA

CASES = [
    case
    for kind in ("spelling", "typos")
    for case in tomllib.loads((DATA / "matching" / f"{kind}.toml").read_text(encoding="utf-8"))["cases"]
]


@pytest.mark.parametrize(("expected", "reply", "replaced"), CASES)
def test_a_word_that_stands_for_an_expected_one_is_spelt_like_it(expected: str, reply: str, replaced: str) -> None:
    assert spell_as(expected, reply) == replaced
