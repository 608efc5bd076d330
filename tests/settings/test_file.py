"""config.py and --set: what is accepted, what wins, and how mistakes are told."""

import sys
from pathlib import Path

import pytest

from chattest.errors import InputError
from chattest.settings.declaration import Settings
from chattest.settings.file import read_settings


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "config.py"


def problems(config: Path, text: str, *overrides: str) -> list[str]:
    config.write_text(text)
    with pytest.raises(InputError) as refused:
        read_settings(config, overrides)
    return [str(problem) for problem in refused.value.problems]


def changed(config: Path, text: str, *overrides: str) -> dict[str, object]:
    config.write_text(text)
    return read_settings(config, overrides).changed()


def test_an_empty_file_takes_the_defaults(config: Path) -> None:
    config.write_text("")
    assert read_settings(config) == read_settings(None) == Settings()


def test_the_file_is_plain_python(config: Path) -> None:
    text = '"""Mine."""\nimport os\nfrom pathlib import Path\n_base = 3\nmax_runs = _base * 2\nseed: int = 5\n'
    assert changed(config, text) == {"max_runs": 6, "seed": 5}


@pytest.mark.parametrize(
    ("text", "overrides", "expected"),
    [
        ("p_MLU3TC1 = 0.5", [], {"p": {"ML-U3": 0.5}}),
        ('p = {"ML-U4": 0.1}\np_MLU3TC1 = 0.5', [], {"p": {"ML-U4": 0.1, "ML-U3": 0.5}}),
        ('p = {"ML-U3": 0.5}\np_MLU3TC1 = 0.5', [], {"p": {"ML-U3": 0.5}}),
        ('maxsets_MLI1TC1 = 3\nmaxlength = {"ML-I1": 4}', [], {"maxsets": {"ML-I1": 3}, "maxlength": {"ML-I1": 4}}),
        ("is_analyze_question_freq = False", [], {"is_analyze": {"ML-A7": False}}),
        ("is_MLA7TC1 = False\nis_analyze_question_freq = False", [], {"is_analyze": {"ML-A7": False}}),
        ("seed = 2", ["seed=3"], {"seed": 3}),
        ("", ["seed=3", "seed=4"], {"seed": 4}),
        ("", ["affect=joy"], {"affect": "joy"}),
        ("", ['affect="joy"'], {"affect": "joy"}),
        ("affect = 'joy'", ["affect=None"], {}),
        ("", [" max_runs = 2 "], {"max_runs": 2}),
        ("", ['chatters=["a", "b"]'], {"chatters": ["a", "b"]}),
        ("", ["is_save_conversation=false"], {"is_save_conversation": False}),
        ('p = {"ML-U3": 0.1, "ML-U4": 0.2}', ["p.ML-U3=0.3"], {"p": {"ML-U3": 0.3, "ML-U4": 0.2}}),
        ('p = {"ML-U3": 0.1, "ML-U4": 0.2}', ["p_MLU3TC1=0.3"], {"p": {"ML-U3": 0.3, "ML-U4": 0.2}}),
        ("p_MLU3TC1 = 0.1", ["p_MLU3TC1=0.3"], {"p": {"ML-U3": 0.3}}),
        ('p = {"I5": 0.1}', ["p.ML-I1=0.3"], {"p": {"ML-I1": 0.3}}),
        ('p = {"ML-I1": 0.1}', ["p.I5=0.3"], {"p": {"ML-I1": 0.3}}),
        ('p = {"ML-U3": 0.1}', ["p={}"], {"p": {}}),
        ("", ["p={ML-U3 = 0.3}"], {"p": {"ML-U3": 0.3}}),
        ("", ["perturbation.ML-U3=letter_typo(number=3)"], {"perturbation": {"ML-U3": "letter_typo(number=3)"}}),
        ("", ["perturbation.ML-U3=contraction+uppercase"], {"perturbation": {"ML-U3": "contraction+uppercase"}}),
        ("", ["chatter_options.alice={bot_name = 'Ally'}"], {"chatter_options": {"alice": {"bot_name": "Ally"}}}),
        ("", ["chatter_options.alice.bot_name=Ally"], {"chatter_options": {"alice": {"bot_name": "Ally"}}}),
        (
            'chatter_options = {"alice": {"bot_name": "Ally", "master": "Bo"}, "my.bots:One": {"x": 1}}',
            ["chatter_options.alice.bot_name=Cy", "chatter_options.my.bots:One.y=2"],
            {"chatter_options": {"alice": {"bot_name": "Cy", "master": "Bo"}, "my.bots:One": {"x": 1, "y": 2}}},
        ),
        ("", ["save_conv_folder=a b/c"], {"save_conv_folder": "a b/c"}),
    ],
)
def test_names_flat_names_and_overrides(
    config: Path, text: str, overrides: list[str], expected: dict[str, object]
) -> None:
    assert changed(config, text, *overrides) == expected


@pytest.mark.parametrize(
    ("text", "overrides", "place", "why", "remedy"),
    [
        ("\nmax_run = 3", [], "config.py:2", 'there is no setting "max_run"', 'Did you mean "max_runs"?'),
        ("p_MLU33TC1 = 3", [], "config.py:1", "there is no setting", 'Did you mean "p_MLU3TC1"?'),
        ("", ["sed=1"], "--set sed=1", 'there is no setting "sed"', 'Did you mean "seed"?'),
        ("seed = 1\n\n\nmax_runs = 'many'", [], "config.py:4", "max_runs: must be a whole number", "How many"),
        ('p = {\n "ML-U3": 2}', [], "config.py:1", "p.ML-U3: must be 1 or less", "Probability"),
        ('p = {"ML-U9": 0.1}', [], "config.py:1", 'no such case "ML-U9"', ""),
        ("seed = 1\np_MLU3TC1 = 2", [], "config.py:2", "p.ML-U3: must be 1 or less", ""),
        ("p_MLP1TC1 = 0.1", [], "config.py:1", "ML-P1 judges every reply; switch it on or off in is_analyze", ""),
        ('p = {"ML-U3": 0.1}\n\np_MLU3TC1 = 0.2', [], "config.py:3", "p_MLU3TC1 is 0.2, but p has 0.1", "Keep one"),
        ("is_MLA7TC1 = True\nis_analyze_question_freq = False", [], "config.py:2", "is True (config.py:1)", "keep one"),
        ('p = {"I5": 0.1, "ML-I1": 0.2}', [], "config.py:1", "ML-I1 is given twice", ""),
        ("seed = (", [], "config.py:1", "is not Python", ""),
        ("seed = 1\nmax_runs = two", [], "config.py:2", "failed to run: NameError: name 'two' is not defined", ""),
        ("seed = 1\npaired = true", [], "config.py:2", "name 'true' is not defined", "Write True."),
        ("affect = none", [], "config.py:1", "name 'none' is not defined", "Write None."),
        ("paired = 'maybe'", [], "config.py:1", "paired: must be True or False", ""),
        ("", ["paired=maybe"], "--set paired=maybe", "paired: must be true or false", ""),
        ('p = {"I5": 3}', [], "config.py:1", "p.ML-I1: must be 1 or less", ""),
        ('is_analyze = {"ML-U3": 1}', [], "config.py:1", "ML-U3 plants facts and questions; say how often in p", ""),
        (
            'gates = [{"pattern": "*", "min_pass_rate": 2}]',
            [],
            "config.py:1",
            "gates[0].min_pass_rate: must be 1 or",
            "",
        ),
        ("chatters = 'alice'", [], "config.py:1", "chatters: must be a list, [...]", "Chatter 1"),
        ("save_analysis_name = 'a/b'", [], "config.py:1", "save_analysis_name: must begin with a letter or digit", ""),
        ("\nexit()", [], "config.py:2", "failed to run: SystemExit", ""),
        ("seed = 1", ["seed"], "--set seed", "is not name=value", "Example"),
        ("seed = 1", ["=3"], "--set =3", "is not name=value", "Example"),
        ("seed = 1", ["chatters=[a, b]"], "--set chatters=[a, b]", "the value is not TOML", "Examples"),
        (
            "",
            ['chatter_options={"http": {"url": "x"}}'],
            "--set chatter_options: the value is not TOML",
            """Example: 'chatter_options={http = {url = "http://localhost:8000"}}'""",
            """'chatter_options.http.url="http://localhost:8000"'""",
        ),
        ("", ['p={"ML-U3": 1}'], "--set p=", "the value is not TOML", "--set p.ML-U3=0.2"),
        ("", ['models={"a": 1}'], "--set models=", "the value is not TOML", 'models.reader="reference"'),
        ("seed = 1", ["seed="], "--set seed=", "the value is not TOML", "Examples"),
        ("seed = 1", ["seed=1.5"], "--set seed=1.5", "seed: must be a whole number", ""),
        ("seed = 1", ["seed.x=1"], "--set seed.x=1", 'there is no setting "seed.x"', 'mean "seed"?'),
        ("", ["p.ML-U3=much"], "--set p.ML-U3=much", "p.ML-U3: must be a number", ""),
        ("p = 5\np_MLU3TC1 = 0.1", [], "config.py:1", "p: must be a table, {...}", ""),
    ],
)
def test_a_mistake_is_told_with_its_place_and_what_is_allowed(
    config: Path, text: str, overrides: list[str], place: str, why: str, remedy: str
) -> None:
    told = "\n".join(problems(config, text, *overrides))
    assert place in told
    assert why in told
    assert remedy in told


def test_all_mistakes_are_told_together(config: Path) -> None:
    text = (
        'sed = 1\nmax_runs = 0\nknob = 200\np = {"ML-U3": 3, "ML-X1": 0.1, "ML-X2": 0.1}\ngates = [{"pattern": ""}]\n'
    )
    told = problems(config, text, "n_aug=-1", "bogus")
    for place in (
        "config.py:1",
        "config.py:2",
        "config.py:3",
        "config.py:4",
        "config.py:5",
        "--set n_aug",
        "--set bogus",
    ):
        assert any(one.startswith(place) for one in told), place
    for word in ("ML-U3", "ML-X1", "ML-X2"):
        assert any(word in one for one in told), word


@pytest.mark.parametrize(
    ("content", "why"),
    [(None, r": cannot be read"), (b"\xff\xfea\0", ":1: is UTF-16"), (b"\n\xe4", ":2: is not UTF-8")],
)
def test_a_file_that_cannot_be_read_is_told_by_name(config: Path, content: bytes | None, why: str) -> None:
    if content is not None:
        config.write_bytes(content)
    with pytest.raises(InputError, match=rf"config\.py{why}"):
        read_settings(config)


@pytest.mark.parametrize("name", ["p_ML" + "U3TC1" * 20000, "p_" * 50000, "a." * 50000])
def test_long_names_are_refused_in_no_time(config: Path, name: str) -> None:
    config.write_text("")
    with pytest.raises(InputError):
        read_settings(config, [f"{name}=1"])


def test_reading_leaves_nothing_behind(config: Path) -> None:
    before = set(sys.modules)
    changed(config, "seed = 4")
    assert not {name for name in set(sys.modules) - before if name.startswith("config")}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("is_load_conversation = True", "load_conv_folder: .*must be named"),
        ("max_runs = 100_000", "conversation_length: 100,000 conversations of 40 rounds are 4,000,000 rounds"),
        ('check_compare_by = "chatter"', "check_chatter: .*must be named"),
    ],
)
def test_a_setting_whose_default_does_not_go_with_another_is_told(config: Path, line: str, why: str) -> None:
    config.write_text(line)
    with pytest.raises(InputError, match=f"default: {why}"):
        read_settings(config)
