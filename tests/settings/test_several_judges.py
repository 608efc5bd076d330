"""The settings of panels and of deferral: what they mean for a scorer, and what is refused."""

import re
from typing import Any

import pytest
from pydantic import ValidationError

from chattest.settings.declaration import Settings

READERS = {"reader": ["embedded", "reference"]}


@pytest.mark.parametrize(
    ("settings", "kinds", "share"),
    [
        ({}, ["coherence"], None),
        ({"defer": 0.2, "models": "reference"}, ["coherence"], 0.2),
        ({"defer": {"coherence": 0.2}, "models": "reference"}, ["coherence"], 0.2),
        ({"defer": {"coherence": 0.2}, "models": "reference"}, ["toxicity"], None),
        ({"defer": {"reader": 0.1, "similarity": 0.3}, "models": "reference"}, ["reader", "similarity", "match"], 0.3),
        ({"defer": 0.0, "models": READERS}, ["reader"], 0.0),
        ({"defer": 0.2, "models": READERS}, [], None),
    ],
)
def test_the_share_that_a_scorer_defers(settings: dict[str, Any], kinds: list[str], share: float | None) -> None:
    assert Settings(**settings).deferred(kinds) == share


@pytest.mark.parametrize(
    ("given", "kinds", "rule"),
    [
        ("all", ["reader"], "all"),
        ({"reader": "any"}, ["reader"], "any"),
        ({"reader": "any"}, ["coherence"], "majority"),
        ({"match": "all", "reader": "any"}, ["reader", "similarity", "match"], "any"),
    ],
)
def test_the_rule_of_a_scorers_panel(given: Any, kinds: list[str], rule: str) -> None:
    assert Settings(panel_rule=given).rule_of(kinds) == rule


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"models": {"coherence": ["embedded", "embedded"]}}, "a judge is named twice in the panel of coherence"),
        ({"models": {"coherence": []}}, "at least 1 item"),
        ({"models": {"match": ["embedded", "hub/name"]}}, '"match" has no model but "embedded"'),
        ({"models": {"mach": ["embedded"]}}, 'there is no judge "mach". Did you mean "match"?'),
        (
            {"models": READERS | {"similarity": ["embedded", "reference", "hub/name"]}},
            "asks panels of different size (reader 2, similarity 3)",
        ),
        ({"defer": 0.2}, "there is nobody to defer to"),
        ({"defer": 0.2, "models": {"coherence": ["embedded"]}}, "there is nobody to defer to"),
        ({"defer": {"coherence": 0.2}, "models": {"toxicity": "reference"}}, 'models = {"coherence": ...}'),
        ({"defer": {"match": 0.2}, "models": "reference"}, 'models = {"match": ...}'),
        ({"defer": {"mach": 0.2}, "models": "reference"}, 'there is no judge "mach"'),
        ({"defer": 1.2, "models": "reference"}, "less than or equal to 1"),
        ({"panel_rule": "most"}, "'majority', 'all' or 'any'"),
        ({"panel_rule": {"mach": "all"}}, 'there is no judge "mach"'),
    ],
)
def test_what_is_refused(settings: dict[str, Any], why: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(why)):
        Settings(**settings)


def test_panels_of_one_size_and_of_different_scorers_go_together() -> None:
    models: Any = READERS | {
        "similarity": ["embedded", "reference"],
        "coherence": ["embedded", "reference", "hub/name"],
    }
    assert Settings(models=models, defer=0.5).models == models
    assert Settings.model_validate(Settings(models=models).model_dump(mode="json")).models == models
