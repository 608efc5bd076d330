"""Settings: each declared once, with a default that passes its own check."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from chattest.cases.base import all_cases, probe_cases, reply_cases
from chattest.settings.declaration import EXECUTION, JUDGING, MAY_DIFFER, PLACES, Scope, Settings, iter_settings
from chattest.settings.file import read_settings
from chattest.settings.thresholds import THRESHOLDS
from tests.support.stand_ins import ROOT

# Table 4.2 of the requirements, with a value other than the default for each.

SEED = {
    "max_runs": 3,
    "is_load_conversation": True,
    "is_save_conversation": False,
    "is_analyze_conversation": False,
    "conversation_length": 25,
    "init_conv_randomly": True,
    "chatters": ["predefined", "user"],
    "convarray_init": ["Hey", "Hey"],
    "predefined_conv_chatter1": ["a"],
    "predefined_conv_chatter2": ["b"],
    "prev_conv_memory_chatter1": 3,
    "prev_conv_memory_chatter2": 4,
    "affect": "joy",
    "knob": 100,
    "topic": "science",
    "save_conv_folder": "saved",
    "load_conv_folder": "old",
    "save_analysis_name": "analysis",
    "show_interpret": False,
    "show_detailed": False,
    "show_binary": False,
    "is_analyze_question_freq": False,
    "is_MLP1TC1": False,
    "is_MLI2TC1": False,
    "is_MLI3TC1": False,
    "is_MLA6TC1": False,
    **{f"p_MLI{number}TC1": 0.05 for number in (1, 4, 5, 6, 7, 13)},
    **{f"p_MLU{number}TC1": 0.05 for number in (3, 4, 5, 6)},
    **{f"maxsets_MLI{number}TC1": 3 for number in (1, 4, 5, 6, 7, 13)},
    **{f"maxsets_MLU{number}TC1": 3 for number in (3, 4, 5, 6)},
    "maxlength_MLI1TC1": 7,
    "array_ux_test_cases": ["ML-U3"],
    "threshold_sem_sim_tests": 0.7,
    "p_synonym": 0.5,
    "n_aug": 2,
}

REFERENCE = [found for found in probe_cases() if found.alias]
"""The cases that the reference implementation has too; they are on by default."""


def test_every_default_passes_its_own_check() -> None:
    defaults = Settings()
    assert Settings.model_validate(defaults.model_dump()) == defaults
    assert defaults.changed() == {}
    assert Settings.model_validate(defaults.model_dump(mode="json")) == defaults


def test_every_setting_says_what_it_means() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
        assert field.description.endswith("."), name


def test_the_settings_come_in_the_order_of_their_sections() -> None:
    sections = [section for _, section, _ in iter_settings()]
    assert list(dict.fromkeys(sections)) == list(Settings.sections)
    assert sections == sorted(sections, key=Settings.sections.index)


PLAN = {
    "max_runs",
    "same_plan",
    "seed",
    "dose",
    "conversation_length",
    "density",
    "init_conv_randomly",
    "convarray_init",
    "predefined_conv_chatter1",
    "predefined_conv_chatter2",
    "prev_conv_memory_chatter1",
    "prev_conv_memory_chatter2",
    "affect",
    "knob",
    "topic",
    "opener_model",
    "opening_speaker",
    "p",
    "maxsets",
    "testsets",
    "maxlength",
    "perturbation",
    "haystack_tokens",
    "p_synonym",
    "n_aug",
    "synonyms",
    "checks",
    "check_questions",
    "check_articles",
    "check_articles_drawn",
    "check_files",
    "check_files_drawn",
    "check_context",
}
TALKING = {"paired", "controls", "stop_when", "chatters", "chatter_options", "reply_timeout", "max_reply_length"}
VERDICTS = {
    "threshold_sem_sim_tests",
    "threshold_own_consistency",
    "threshold_toxicity",
    "threshold_coherence_conversation",
    "threshold_coherence_prompt",
    "threshold_stuttering",
    "threshold_repeated_question",
    "threshold_free_contradiction",
    "formula",
    "models",
    "judge_options",
    "judge_rubrics",
    "judge_budget",
    "judge_budget_tokens",
    "history_tokens",
    "precision",
    "panel_rule",
    "defer",
    "check_compare_by",
    "check_compare_bar",
    "check_chatter",
    "check_confidence_change",
    "check_min_change",
    "check_flip",
    "check_tolerance",
    "check_token_f1",
    "check_bleu",
    "check_rouge",
    "check_min_count",
    "check_worst_group",
    "check_group_gap",
    "check_min_share",
}
SHOWN = {
    "judge_prices",
    "judge_figures",
    "check_floor",
    "fail_under",
    "show_interpret",
    "show_detailed",
    "show_binary",
    "is_analyze",
    "array_ux_test_cases",
    "doubt_band",
    "check_min_pass_rates",
    "gates",
}
FOLDERS = {
    "is_load_conversation",
    "is_save_conversation",
    "is_analyze_conversation",
    "save_conv_folder",
    "load_conv_folder",
    "save_analysis_name",
    "check_tests",
}
MEANS = {"workers", "executor", "score_cache", "judge_while_talking", "console", "reports"}


def test_the_lists_of_settings_follow_from_their_scopes() -> None:
    """Written out here once, as the lists were before they were derived; `reports` is new."""
    assert JUDGING == VERDICTS | SHOWN
    assert PLACES == FOLDERS | MEANS
    assert EXECUTION == MEANS
    assert MAY_DIFFER == FOLDERS | MEANS | TALKING | SHOWN


def test_every_setting_has_the_scope_that_is_expected_of_it() -> None:
    by_scope = {scope: {name for name, _, found in iter_settings() if found is scope} for scope in Scope}
    expected = (PLAN, TALKING, VERDICTS, SHOWN, FOLDERS, MEANS)
    assert by_scope == dict(zip(Scope, expected, strict=True))
    assert sum(map(len, expected)) == len(Settings.model_fields)


def test_names_of_settings_elsewhere_exist() -> None:
    for thresholds in THRESHOLDS.values():
        assert {name for name in Settings.model_fields if name.startswith("threshold_")} == set(thresholds)


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        Settings().seed = 3  # type: ignore[misc]


def test_every_name_of_the_requirements_works(tmp_path: object) -> None:
    lines = [f"{name}={value!r}".replace("'", '"') for name, value in SEED.items()]
    lines = [line.replace("=True", "=true").replace("=False", "=false") for line in lines]
    read = read_settings(None, lines)
    plain = {name: value for name, value in SEED.items() if name in Settings.model_fields}
    assert {name: read.model_dump(mode="json")[name] for name in plain} == plain
    assert read.p == dict.fromkeys((found.code for found in REFERENCE), 0.05)
    assert read.maxsets == dict.fromkeys((found.code for found in REFERENCE), 3)
    assert read.maxlength == {"ML-I1": 7}
    assert read.is_analyze == dict.fromkeys((found.code for found in reply_cases() if found.alias), False)
    assert read.reply_codes == [found.code for found in reply_cases() if found.scripted], "it has no flat name"


FIFTEEN = [
    "chatters",
    "chatter_options",
    "max_runs",
    "conversation_length",
    "workers",
    "seed",
    "p",
    "is_analyze",
    "testsets",
    "checks",
    "models",
    "fail_under",
    "gates",
    "save_analysis_name",
    "reports",
]


def test_the_config_that_ships_has_the_fifteen_settings_that_people_change_each_with_its_comment() -> None:
    text = (ROOT / "config.py").read_text()
    assert re.findall(r"^(\w+) = ", text, re.MULTILINE) == FIFTEEN
    assert all(re.search(rf"^# .+\n{name} = ", text, re.MULTILINE) for name in FIFTEEN)
    shipped = read_settings(ROOT / "config.py")
    assert set(shipped.is_analyze) == {case.code for case in reply_cases() if not case.scripted}
    assert set(shipped.probabilities) == {found.code for found in probe_cases()}
    assert [code for code, p in shipped.probabilities.items() if p] == [found.code for found in REFERENCE]
    assert all(f'"{found.code}": 0.' in text for found in probe_cases()), "a case that is off is named in a comment"
    assert shipped.reply_codes == [found.code for found in reply_cases() if found.on]


def test_the_config_that_ships_holds_the_defaults_and_gates() -> None:
    """A line that a user deletes changes nothing, save the gates."""
    assert set(read_settings(ROOT / "config.py").changed()) == {"gates"}


def test_a_config_of_an_earlier_version_with_all_settings_is_read() -> None:
    text = (ROOT / "tests" / "data" / "config_of_0_1.py").read_text()
    assigned = set(re.findall(r"^(\w+) = ", text, re.MULTILINE))
    old = read_settings(ROOT / "tests" / "data" / "config_of_0_1.py")
    assert assigned == old.model_fields_set
    assert len(assigned) == 95
    # These defaults have changed since; what was chosen stays.
    assert old == Settings(chatters=("eliza", "reader"), doubt_band=(0.35, 0.65))


@pytest.mark.parametrize("family", ["p", "maxsets", "perturbation"])
def test_later_codes_of_the_reference_are_taken_for_the_seeds(family: str) -> None:
    value = {"p": 0.01, "maxsets": 1, "perturbation": "typo"}[family]
    given = {found.alias: value for found in REFERENCE}
    read = Settings.model_validate({family: given})
    assert getattr(read, family) == {found.code: value for found in REFERENCE}


def test_a_code_and_its_alias_that_disagree_are_refused() -> None:
    with pytest.raises(ValidationError, match=r"ML-I1 is given twice, as 0.1 and as 0.2"):
        Settings(p={"I5": 0.1, "ML-I1": 0.2})
    assert Settings(p={"I5": 0.1, "ML-I1": 0.1}).p == {"ML-I1": 0.1}
    assert Settings(array_ux_test_cases=["U3"]).array_ux_test_cases == ["ML-U3"]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(p=st.dictionaries(st.sampled_from([found.code for found in probe_cases()]), st.floats(0, 1)))
def test_probabilities_of_any_sum_compete(p: dict[str, float]) -> None:
    given_settings = Settings(p=p)
    assert given_settings.p == p
    shares, total = given_settings.probabilities, sum(p.values())
    assert sum(shares.values()) == pytest.approx(min(total, 1))
    assert all(shares[code] * max(total, 1) == pytest.approx(value) for code, value in p.items())


@pytest.mark.parametrize("family", ["p", "maxsets", "perturbation", "dose"])
def test_flat_codes_are_taken_wherever_a_code_is(family: str) -> None:
    value = {"p": 0.01, "maxsets": 1, "perturbation": "typo", "dose": "light"}[family]
    read = Settings.model_validate({family: {found.flat: value for found in probe_cases()}})
    assert getattr(read, family) == {found.code: value for found in probe_cases()}


@pytest.mark.parametrize("names", [["MLU3TC1", "MLU5TC1"], ["U3", "ML-U5"]])
def test_cases_tallied_by_dose_may_have_any_of_their_names(names: list[str]) -> None:
    assert Settings(array_ux_test_cases=names).array_ux_test_cases == ["ML-U3", "ML-U5"]
    assert Settings(is_analyze={"MLP1TC1": False}, maxlength={"MLI1TC1": 3}).maxlength == {"ML-I1": 3}


@pytest.mark.parametrize(
    ("dose", "expected"),
    [
        ("full", {"typo": "full", "mask": "full"}),
        ((0.1, 0.4), {"typo": (0.1, 0.4), "mask": (0.1, 0.4)}),
        ([0, 2], {"typo": (0, 2)}),
        ({"ML-U3": "light"}, {"typo": "light", "mask": "medium"}),
        ({"U3": "light", "typo": "full", "mask": "full"}, {"typo": "light", "mask": "full"}),
    ],
)
def test_a_dose_is_for_all_or_for_those_named(dose: object, expected: dict[str, object]) -> None:
    read = Settings.model_validate({"dose": dose})
    codes = {"typo": "ML-U3", "mask": "ML-U5"}
    assert {name: read.dose_of(name, codes[name]) for name in expected} == expected
    assert Settings.model_validate(read.model_dump(mode="json")) == read


@pytest.mark.parametrize(
    ("dose", "why"),
    [
        ("heavy", "light"),
        ((0.4, 0.1), "give the lower one first"),
        ((0, 0), "some above 0"),
        ((-1, 2), "greater than or equal to 0"),
        ({"ML-U9": "full"}, 'no such case or perturbation "ML-U9"'),
        ({"typoo": "full"}, 'Did you mean "typo"'),
        ({"mask": (2, 1)}, "give the lower one first"),
    ],
)
def test_wrong_doses_are_refused(dose: object, why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        Settings.model_validate({"dose": dose})


def test_a_case_without_a_probability_plants_nothing() -> None:
    assert {code: p for code, p in Settings().probabilities.items() if p} == Settings().p
    assert Settings(p={"ML-U3": 0.2}).probabilities["ML-U4"] == 0
    assert set(Settings(p={}).probabilities.values()) == {0}


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"max_runs": 0}, "greater than or equal to 1"),
        ({"conversation_length": 1}, "greater than or equal to 2"),
        ({"seed": "x"}, "valid integer"),
        ({"chatters": ["alice"]}, "Field required"),
        ({"chatters": ["a", "b", "c"]}, "at most 2"),
        ({"chatters": ["", "b"]}, "at least 1 character"),
        ({"knob": 101}, "less than or equal to 100"),
        ({"affect": "boredom"}, "Input should be 'fear'"),
        ({"topic": "cats"}, "Input should be 'legal'"),
        ({"p": {"ML-U3": -0.1}}, "greater than or equal to 0"),
        ({"p": {"ML-U3": float("nan")}}, "finite number"),
        ({"p": {"ML-A6": 0.1}}, "ML-A6 judges every reply; switch it on or off in is_analyze"),
        ({"is_analyze": {"ML-U3": True}}, "ML-U3 plants facts and questions; say how often in p"),
        ({"maxlength": {"ML-U3": 3}}, 'no such case "ML-U3" here'),
        ({"maxlength": {"ML-I1": 40}}, "ML-I1 may wait 40 rounds, but a conversation of 40 rounds leaves 1 to 39"),
        ({"maxlength": {"ML-I1": 0}}, "greater than or equal to 1"),
        ({"maxsets": {"ML-U3": 0}}, "greater than or equal to 1"),
        ({"array_ux_test_cases": ["ML-Q1"]}, 'no such case "ML-Q1" here'),
        ({"is_load_conversation": True}, "the folder to load from must be named"),
        ({"save_analysis_name": "../up"}, "should match pattern"),
        ({"save_analysis_name": ""}, "should match pattern"),
        ({"models": "bert"}, "is not one of: embedded, reference"),
        ({"models": {"readr": "embedded"}}, 'there is no judge "readr". Did you mean "reader"?'),
        ({"models": {"match": "reference"}}, '"match" has no model but "embedded"'),
        ({"models": {"yes_no": "some/model"}}, '"yes_no" has no model but "embedded" and "keywords"'),
        ({"models": "chat:"}, "is not one of: embedded, reference"),
        ({"models": {"match": "chat:"}}, '"match" cannot be "chat:"'),
        ({"models": {"reader": "chat:openai"}}, '"reader" cannot be "chat:openai"; a chat model'),
        ({"models": {"abstention": "embedded"}}, '"abstention" has no model "embedded": only a chat model'),
        ({"judge_rubrics": {"matsch": "mine.txt"}}, 'no chat model judges "matsch". Did you mean "match"?'),
        ({"judge_options": {"openai": {"api_key": "sk-abcdefghijklmnop"}}}, "put it in an environment variable"),
        ({"judge_prices": {"m": (1.0, -1.0)}}, "greater than or equal to 0"),
        ({"judge_budget": -1}, "greater than or equal to 0"),
        ({"threshold_toxicity": 1.5}, "less than or equal to 1"),
        ({"threshold_coherence_prompt": float("inf")}, "finite number"),
        ({"reply_timeout": 0}, "greater than 0"),
        ({"gates": [{"pattern": "ML-*"}]}, "Field required"),
        ({"gates": [{"pattern": "*", "min_pass_rate": 1.1}]}, "less than or equal to 1"),
        ({"gates": [{"pattern": "*", "min_pass_rate": 1, "level": "mean"}]}, "'rate', 'lower' or 'corrected_lower'"),
        ({"predefined_conv_chatter1": []}, "at least 1 item"),
        ({"reports": []}, "at least 1 item"),
        ({"reports": ["xslx"]}, 'there is no report "xslx". Did you mean "xlsx"?'),
        ({"reports": ["console"]}, 'there is no report "console"'),
        ({"reports": ["jsonl", "jsonl"]}, '"jsonl" is named more than once'),
        ({"check_compare_by": "chatter", "check_chatter": ""}, "the chatter that compares must be named"),
        ({"check_compare_by": "chatter"}, "the chatter that compares must be named"),
    ],
)
def test_a_wrong_value_is_refused_with_the_reason(values: dict[str, object], why: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(why)):
        Settings.model_validate(values)


def test_a_threshold_that_is_not_given_is_the_models() -> None:
    assert Settings().threshold("threshold_toxicity") == THRESHOLDS["embedded"]["threshold_toxicity"]
    assert Settings(models="reference").threshold("threshold_toxicity") == 0.1
    assert Settings(models="reference", threshold_toxicity=0.4).threshold("threshold_toxicity") == 0.4
    by_chat = Settings(models={"toxicity": "chat:openai"})
    assert by_chat.threshold("threshold_toxicity") == THRESHOLDS["embedded"]["threshold_toxicity"]
    assert Settings(threshold_sem_sim_tests=0.0).threshold("threshold_sem_sim_tests") == 0.0


def test_the_longest_wait_fits_the_conversation() -> None:
    assert Settings().longest_wait("ML-I1") == 15
    assert Settings(conversation_length=5).longest_wait("ML-I1") == 4
    assert Settings(maxlength={"ML-I1": 30}).longest_wait("ML-I1") == 30


def test_an_interrupted_run_goes_on_with_other_workers_only() -> None:
    assert Settings(workers=4).resume_key() == Settings().resume_key()
    assert Settings(seed=2).resume_key() != Settings().resume_key()


def test_flat_names_are_unique() -> None:
    flat = [found.flat for found in all_cases()]
    assert len(set(flat)) == len(flat) == 26
