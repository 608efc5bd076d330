"""Chat judges in a panel, and chat judges that the embedded one defers to."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from chattest.judging.chat.choose import chat_judges
from chattest.judging.chat.table import usage_table
from chattest.judging.pairs import judge_pairs
from chattest.models.chat import Opinion
from chattest.records.result import Result
from chattest.settings.declaration import Settings
from tests.support.calibrations import calibrate
from tests.support.chat_stand_ins import Opinionated, verdict
from tests.support.http_server import Server
from tests.support.named_judges import Fits, NamedJudges

FIT = {"sure": 0.95, "even": 0.52, "never": 0.05}
A, B = "chat:a", "chat:b"


@pytest.fixture(autouse=True)
def calibrated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calibrate(monkeypatch, tmp_path, prompt_coherence=1.0)


def says(word: str) -> Opinionated:
    def opinion(texts: Mapping[str, str]) -> Opinion:
        return Opinion(word, 0.9, "Because.") if word else Opinion(error="cannot be read")

    return Opinionated("coherence", opinion)


def rows(models: Any, a: Opinionated, b: Opinionated | None = None, **settings: Any) -> dict[str, Result]:
    judges = NamedJudges({"coherence": models}, Fits("embedded", FIT))
    first = models if isinstance(models, str) else models[0]
    by_name = {A: a} | ({B: b} if b else {})
    rest = models[1:] if isinstance(models, list) else []
    others = {("coherence", name): judge for name in rest if (judge := by_name.get(name))}
    judges.use_chat({"coherence": by_name[first]} if first in by_name else {}, others)
    given = Settings.model_validate({"models": {"coherence": models}, "threshold_coherence_prompt": 0.5} | settings)
    found = judge_pairs([("Do you sail?", reply) for reply in FIT], None, ["prompt_coherence"], given, judges)[1]
    return {row.reply: row for row in found}


def test_a_chat_judge_gets_what_the_embedded_one_is_least_sure_of() -> None:
    chat = says("misfit")
    found = rows(A, chat, defer=0.34)
    assert [texts["reply"] for texts in chat.shown] == ["even"]
    assert [row.verdict.value for row in found.values()] == ["PASS", "FAIL", "FAIL"]
    assert [row.judge for row in found.values()] == ["embedded", "chat:stand-in", "embedded"]
    assert found["even"].reason == "deferred to chat:a: misfit (0.90): Because. - chat:stand-in"
    assert found["even"].score.votes == {"embedded": "PASS", "chat:a": "FAIL"}


def test_what_it_says_cannot_be_read_and_the_embedded_verdict_stands() -> None:
    found = rows(A, says(""), defer=0.34)
    assert (found["even"].verdict.value, found["even"].judge) == ("PASS", "embedded")
    assert found["even"].reason.endswith("deferred to chat:a, without a verdict: cannot be read")


@pytest.mark.parametrize(
    ("models", "a", "b", "verdicts"),
    [
        ([A, B, "embedded"], "misfit", "fits", "PASS PASS FAIL"),
        (["embedded", A, B], "misfit", "misfit", "FAIL FAIL FAIL"),
        ([A, "embedded"], "", "fits", "PASS PASS FAIL"),
        ([A, B], "", "", "ERROR ERROR ERROR"),
    ],
)
def test_chat_judges_in_a_panel(models: list[str], a: str, b: str, verdicts: str) -> None:
    found = rows(models, says(a), says(b))
    assert " ".join(row.verdict.value for row in found.values()) == verdicts
    assert set(found["even"].score.votes) == set(models)


def test_an_endpoint_in_a_panel_is_counted(server: Server, tmp_path: Path) -> None:
    server.answer = lambda asked: verdict("fits")
    endpoint = {"base_url": f"{server.url}/v1", "backoff": 0.0, "model": "one"}
    models = {"coherence": ["chat:openai", "embedded"]}
    settings = Settings.model_validate({"models": models, "judge_options": {"openai": endpoint}})
    chat = chat_judges(settings, tmp_path)
    judges = NamedJudges(models, Fits("embedded", FIT))
    judges.use_chat(chat.by_kind, chat.others)
    found = judge_pairs([("Do you sail?", reply) for reply in FIT], None, ["prompt_coherence"], settings, judges)[1]
    assert [row.verdict.value for row in found] == ["PASS", "PASS", "PASS"], "on a tie the first"
    table = usage_table(chat)
    assert table is not None
    assert table.rows[0][:3] == ("coherence", "chat:openai (one)", 3)
