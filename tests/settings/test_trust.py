"""What may come from the folder of a run: every setting says so, and nothing that acts by them goes round it."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel

from chattest.files import trusted
from chattest.settings.declaration import Settings, find_received_rule, iter_settings
from chattest.settings.setting import Received, Scope, declare_in
from chattest.settings.trust import HARMLESS, TOGETHER, read_recorded_settings, take_settings
from tests.support.paths import ROOT

TEXTS = {
    "convarray_init": "texts that are said",
    "predefined_conv_chatter1": "texts that are said",
    "predefined_conv_chatter2": "texts that are said",
    "testsets": "patterns; what they match lies in the project's testsets/",
    "panel_rule": "kinds of judge, of which it refuses all but the known ones",
    "check_min_count": "names of groups, each with a number",
    "check_min_pass_rates": "names of checks, each with a number",
}
"""Settings that take any text and may come from a run -> why no text in them chooses anything."""
BUILDERS = {
    "chattest/settings/file.py": "config.py and --set",
    "chattest/settings/trust.py": "the one door for runs",
    "chattest/dialogue/ray_executor.py": "a run's own settings, sent to its workers",
    "chattest/storage/finished_run.py": "those of a run that this process made",
    "chattest/runner/questions/augment.py": "those of a run that this process made",
    "chattest/web/rejudging.py": "the project's own, with what `take_settings` gave",
}
"""Files that build settings from values -> whose."""


@pytest.fixture(autouse=True)
def nobody_trusted() -> Iterator[None]:
    trusted.forget()
    yield
    trusted.forget()


def texts(annotation: Any, known: bool = False) -> bool:
    """Whether a type takes any text. known: whether a check of its own names what it takes."""
    if get_origin(annotation) is Annotated:
        inner, *checks = get_args(annotation)
        return texts(inner, known or any(type(check).__name__ == "AfterValidator" for check in checks))
    if get_origin(annotation) is Literal:
        return False
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return any(texts(field.annotation) for field in annotation.model_fields.values())
    return (annotation in (str, Any) and not known) or any(texts(part) for part in get_args(annotation))


@pytest.mark.parametrize("name", [name for name, _, _ in iter_settings()])
def test_every_setting_says_whether_a_run_may_bring_it(name: str) -> None:
    decision = find_received_rule(name)
    if decision is Received.TAKEN:
        assert not texts(Settings.model_fields[name].annotation) or name in TEXTS, f"{name} takes any text"
    assert name not in HARMLESS or decision is Received.OWN
    assert name not in TEXTS or decision is Received.TAKEN


def test_no_setting_can_be_declared_without_a_decision() -> None:
    with pytest.raises(TypeError):
        declare_in("GENERAL")(1, Scope.PLAN, "How many.")


def test_only_these_build_settings_from_values() -> None:
    builders = set()
    for path in sorted((ROOT / "chattest").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node).startswith("Settings.model_validate"):
                builders.add(str(path.relative_to(ROOT)))
    assert builders == set(BUILDERS)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("models", "chat:command"),
        ("models", {"match": ["embedded", "chat:command"]}),
        ("models", {"toxicity": "someone/model"}),
        ("models", "reference"),
        ("judge_options", {"command": {"command": "rm -r ."}}),
        ("judge_rubrics", {"match": "/etc/passwd"}),
        ("judge_figures", "/etc/passwd"),
        ("judge_budget", None),
        ("gates", "/etc/passwd"),
        ("check_files", [{"path": "/etc/passwd"}]),
        ("check_compare_by", "chatter"),
        ("check_chatter", "command"),
        ("perturbation", {"ML-U3": 'model_paraphrase(model="x")'}),
        ("perturbation", {"ML-U3": "model_paraphrase(model='x')+typo"}),
        ("checks", ["invariance.model_paraphrase(model='x')"]),
        ("perturbation", 3),
        ("checks", None),
        ("reports", ["somebody"]),
        ("executor", "ray"),
        ("is_save_conversation", False),
    ],
)
def test_what_chooses_is_the_projects_own(tmp_path: Path, name: str, value: Any) -> None:
    own = Settings(judge_budget=2.0)
    taken = take_settings(tmp_path, {name: value}, own=own)
    assert taken.values[name] == own.model_dump(mode="json")[name]
    assert [(left.name, left.theirs) for left in taken.left] == [(name, value)]
    trusted.trust(tmp_path, {name: value})
    assert take_settings(tmp_path, {name: value}, own=own).values == {name: value}
    assert take_settings(tmp_path, {name: value, "seed": 2}, own=own).left


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("models", {"match": "embedded", "toxicity": ["embedded"]}),
        ("gates", [{"pattern": "ML-U*", "min_pass_rate": 0.5}]),
        ("perturbation", {"ML-U3": "letter_typo(number=3)+uppercase"}),
        ("checks", ["invariance", "bias.*"]),
        ("check_compare_by", "jaro"),
        ("threshold_toxicity", 0.3),
        ("chatters", ["nobody", "evil:Evil"]),
        ("reports", ["jsonl", "parquet"]),
    ],
)
def test_what_chooses_nothing_is_taken(tmp_path: Path, name: str, value: Any) -> None:
    taken = take_settings(tmp_path, {name: value}, own=Settings())
    assert (dict(taken.values), taken.left) == ({name: value}, ())


def test_what_the_project_names_itself_is_taken(tmp_path: Path) -> None:
    named = {"models": {"match": "chat:openai"}, "judge_options": {"openai": {"model": "m"}}}
    taken = take_settings(tmp_path, named, own=Settings.model_validate(named))
    assert (dict(taken.values), taken.left) == (named, ())


@pytest.mark.parametrize("group", TOGETHER)
def test_settings_that_belong_together_are_taken_together(tmp_path: Path, group: set[str]) -> None:
    foreign = {"models": "chat:command", "check_compare_by": "chatter", "check_chatter": "command"}
    saved = {name: foreign.get(name, Settings.model_fields[name].default) for name in group}
    own = Settings(panel_rule="any", check_compare_bar=0.3)
    ours = own.model_dump(mode="json")
    assert take_settings(tmp_path, saved, own=own).values == {name: ours[name] for name in group}


def test_settings_to_show_name_models_and_no_files(tmp_path: Path) -> None:
    recorded = read_recorded_settings(
        tmp_path, {"models": {"match": "chat:x"}, "judge_figures": "/etc/passwd", "strange": 1}
    )
    assert (recorded.models, recorded.judge_figures) == ({"match": "chat:x"}, "")
