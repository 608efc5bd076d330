"""What visitors may run: what config.py names, and shipped bots that reach nothing, unless --allow-commands."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from chattest.settings.declaration import Settings
from chattest.web import chat_run
from chattest.web.permissions import RESERVED
from chattest.web.project import Project
from chattest.web.server import _describe_permissions
from tests.support.light import Light
from tests.support.web_app import served, visitor

CONFIG = """
chatters = ["asker", "command"]
chatter_options = {{"command": {{"command": ["sh", {script!r}]}}, "http": {{"url": "http://localhost:1/"}}}}
max_runs = 1
conversation_length = 4
score_cache = False
reports = ["jsonl"]
"""
MODULE = """
from pathlib import Path

Path({mark!r}).write_text("ran")


class Bot:
    def get_response(self, conv_array):
        return "Hello."
"""


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """A file that is there once anything has run that a visitor named."""
    return tmp_path / "ran"


@pytest.fixture
def visiting(project: Path, mark: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    """A visitor of an app without --allow-commands."""
    monkeypatch.setattr(chat_run, "Judges", lambda models: Light(models=models))
    script = project / "echo.sh"
    script.write_text("while read line; do echo You say: $line; done\n")
    (project / "config.py").write_text(CONFIG.format(script=str(script)))
    (project / "chatters" / "mine.py").write_text(MODULE.format(mark=str(mark)))
    (project / "chatters" / "eliza.py").write_text(MODULE.format(mark=str(mark)))  # hides the shipped one
    with served(Project(project, project / "reports")) as address, visitor(address) as client:
        yield client


def begin(client: httpx.Client, bot: str, options: str = "", seat: str = "user") -> httpx.Response:
    """What the app answers to the form of a new chat."""
    return client.post("/chat", data={"bot": bot, "seat": seat, "options": options, "seed": ""})


def check(client: httpx.Client, action: str = "check", **settings: str) -> dict[str, Any]:
    """What the app tells of a form of settings."""
    answer = client.post("/start", data={"action": action, **settings}, headers={"Accept": "application/json"})
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    return content


def test_a_bot_of_config_talks_with_its_options_only(visiting: httpx.Client, mark: Path) -> None:
    answer = begin(visiting, "command")
    assert answer.status_code == 303
    visiting.get(f"{answer.headers['location']}/events")
    said = visiting.post(f"{answer.headers['location']}/say", data={"text": "Good day."}, follow_redirects=True)
    assert "You say: Good day." in said.text
    for options in (f'command = ["touch", "{mark}"]', "skip_lines = 1", 'url = "http://localhost:2/"'):
        for bot in ("command", "http"):
            refused = begin(visiting, bot, options)
            assert refused.status_code == 400
    assert not mark.exists()


@pytest.mark.parametrize("seat", ["user", "bot"])
@pytest.mark.parametrize("bot", ["mine", "eliza", "callable", "script", "openai", "huggingface", "rasa", "os:getcwd"])
def test_other_bots_are_refused_before_anything_of_them_runs(
    visiting: httpx.Client, mark: Path, bot: str, seat: str
) -> None:
    answer = begin(visiting, bot, seat=seat)
    assert answer.status_code == 400
    assert "--allow-commands" in answer.text
    told = check(visiting, "plan", chatters=json.dumps(["asker", bot]))
    assert "--allow-commands" in " ".join(told["problems"]["chatters"])
    assert not mark.exists()


def test_only_what_may_be_chosen_is_offered(visiting: httpx.Client) -> None:
    offered = {"alice", "amnesiac", "asker", "blabber", "command", "http", "leaky", "oracle", "predefined", "reader"}
    for page in ("/chat", "/start"):
        text = visiting.get(page).text
        names = {name for name in (*offered, "mine", "eliza", "openai", "script") if f">{name}</option>" in text}
        assert names == offered


def test_shipped_bots_that_reach_nothing_take_any_options(visiting: httpx.Client) -> None:
    assert begin(visiting, "predefined", 'lines = ["Hm."]').status_code == 303
    assert begin(visiting, "leaky", 'memory = "user"').status_code == 303
    assert not check(visiting, chatters='["asker", "amnesiac"]', seed="3")["problems"]


@pytest.mark.parametrize(
    ("setting", "text"),
    [
        ("chatter_options", '{command = {command = "touch MARK"}, http = {url = "http://localhost:1/"}}'),
        ("chatter_options", '{openai = {model = "m", base_url = "http://evil.example/", key_env = "HOME"}}'),
        ("models", '{match = "chat:command"}'),
        ("models", '{reader = "some/model"}'),
        ("judge_options", '{command = {command = "touch MARK"}}'),
        ("judge_rubrics", '{match = "/etc/passwd"}'),
        ("judge_figures", "/etc/passwd"),
        ("opener_model", "evil/model"),
        ("save_conv_folder", "/tmp"),
        ("load_conv_folder", "/etc"),
        ("check_tests", "/etc/passwd"),
        ("check_files", '["/etc/passwd"]'),
        ("check_articles", '["/etc/passwd"]'),
        ("check_chatter", "command"),
        ("gates", "/etc/passwd"),
        ("perturbation", "{ML-U3 = \"model_paraphrase(model='/tmp/evil')\"}"),
    ],
)
def test_settings_that_reach_out_are_those_of_config(
    visiting: httpx.Client, mark: Path, setting: str, text: str
) -> None:
    for action in ("check", "plan", "start"):
        told = check(visiting, action, **{setting: text.replace("MARK", str(mark))})
        assert list(told["problems"]) == [setting]
        assert "--allow-commands" in " ".join(told["problems"][setting])
        assert not told.get("started")
    assert not mark.exists()


def test_settings_that_name_nothing_stay_free(visiting: httpx.Client) -> None:
    free = {"gates": '[{pattern = "ML-*", min_pass_rate = 0.5}]', "perturbation": '{ML-U3 = "typo"}', "seed": "7"}
    assert not check(visiting, **free)["problems"]


def test_every_setting_that_takes_a_text_is_looked_at() -> None:
    """A new setting with a free text in it is either reserved, or named here as one that names nothing."""
    names_nothing = {
        "array_ux_test_cases",  # codes of cases
        "chatter_options",  # looked at chatter by chatter
        "chatters",
        "check_min_count",
        "check_min_pass_rates",
        "checks",
        "convarray_init",  # texts that are said
        "formula",
        "is_analyze",
        "judge_prices",
        "maxlength",
        "maxsets",
        "defer",
        "dose",
        "p",
        "panel_rule",
        "predefined_conv_chatter1",
        "predefined_conv_chatter2",
        "reports",  # names of installed writers
        "save_analysis_name",  # a name in the folder of runs
        "stop_when",
        "testsets",  # patterns of names
    }
    schema = Settings.model_json_schema()
    free = {name for name, field in schema["properties"].items() if _takes_a_text(field, schema.get("$defs", {}))}
    assert free - names_nothing == set(RESERVED)


def _takes_a_text(schema: Any, definitions: dict[str, Any]) -> bool:
    """Whether a value of a JSON schema may hold a text that is none of a few."""
    if isinstance(schema, list):
        return any(_takes_a_text(part, definitions) for part in schema)
    if not isinstance(schema, dict):
        return False
    if "$ref" in schema:
        return _takes_a_text(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "enum" in schema or "const" in schema:
        return False
    if schema.get("type") == "object":
        return True  # its keys are texts
    inner = [value for key, value in schema.items() if key in ("anyOf", "items", "prefixItems", "oneOf", "allOf")]
    return schema.get("type") == "string" or any(_takes_a_text(part, definitions) for part in inner)


def test_the_owner_may_leave_the_choice_to_visitors(project: Path, mark: Path, visiting: httpx.Client) -> None:
    place = Project(project, project / "reports", allow_commands=True)
    with served(place) as address, visitor(address) as client:
        assert not check(client, chatters='["asker", "mine"]', load_conv_folder="elsewhere")["problems"]
        assert begin(client, "mine").status_code == 303
    assert mark.exists()
    assert "run any program on this machine as you" in _describe_permissions(place)


def test_the_notice_says_what_a_visitor_may_do(project: Path, visiting: httpx.Client) -> None:
    notice = _describe_permissions(Project(project, project / "reports"))
    assert "read every run" in notice
    assert "command" in notice.splitlines()[-1]
    assert "mine" not in notice
    assert "--allow-commands" not in notice
