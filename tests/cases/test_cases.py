"""Every case with the models that ship: conversations that pass, fail and do not apply, from disk to verdict."""

import re
import tomllib
from typing import Any

import pytest

from chattest.cases.base import Case, ProbeCase, StoryCase, all_cases, cases, reply_cases
from chattest.files.atomic import write_whole
from chattest.judging.verdicts import analyze
from chattest.models.judges import Judges
from chattest.records.conversation import Conversation, Session, Speaker, Turn
from chattest.records.plan import Perturbed, Probe, ProbePlan, Purpose, Step, Target, Told, WrongAnswer
from chattest.records.result import Result, Verdict
from chattest.settings.declaration import Settings
from chattest.storage.conversations import load_all, to_json
from tests.support.paths import DATA

CASES = DATA / "cases"
LONGEST = 30
"""Rounds that were planned, however many were said."""
ELSEWHERE = 500
"""How much higher the number of the session is in which another's fact was told."""


def told() -> list[tuple[str, dict[str, Any]]]:
    """Code and conversation, for every conversation of every file."""
    files = sorted(CASES.glob("*.toml"))
    return [(path.stem, talk) for path in files for talk in tomllib.loads(path.read_text())["conversation"]]


TOLD = told()


def conversation(code: str, talk: dict[str, Any], run: int) -> Conversation:
    """A conversation as a run would have saved it."""
    turns = [
        Turn(round, speaker, text, expect=tuple(talk.get("expect", ())) if speaker is Speaker.DRIVER else ())
        for round, texts in enumerate(talk["rounds"])
        for speaker, text in zip(Speaker, texts, strict=False)
    ]
    if "failed" in talk:
        turns.append(Turn(len(talk["rounds"]) - 1, Speaker(talk["failed"]), "", error="TimeoutError: too late"))
    probes = (probe(code, talk),) if "asked" in talk else ()
    place = Session(run, 1, "a") if "told" in talk else None
    return Conversation(run, f"1/{run}", ("driver", "subject"), tuple(turns), ProbePlan(LONGEST, probes), session=place)


def earlier(talk: dict[str, Any], run: int) -> Conversation:
    """The session in which the fact of another was told."""
    turns = (Turn(0, Speaker.DRIVER, talk["told"]), Turn(0, Speaker.SUBJECT, "I see."))
    return Conversation(run + ELSEWHERE, f"1/{run}", ("driver", "subject"), turns, ProbePlan(LONGEST))


def probe(code: str, talk: dict[str, Any]) -> Probe:
    """The probe that the conversation's data tell of."""
    case = cases.get(code)
    assert isinstance(case, ProbeCase)

    def step(round: int, purpose: Purpose) -> Step:
        said = talk["rounds"][round] if round < len(talk["rounds"]) else []
        text = said[0] if said else talk.get("original", "What was it?")
        original = talk.get("original", text)
        altered = None
        if case.perturbation and purpose is Purpose.ASK:
            altered = Perturbed(text, "none" if text == original else "altered", dose=float(text != original))
        return Step(round, purpose, text, original if purpose is Purpose.ASK else text, altered)

    planted = talk.get("planted", [])
    told = [step(round, Purpose.INFORM) for round in (planted if isinstance(planted, list) else [planted])]
    asked = [step(round, Purpose.ASK) for round in talk["asked"]]
    asked += [step(talk["pressed"], Purpose.PRESS)] if "pressed" in talk else []
    wrong = tuple(WrongAnswer(*named) for named in talk.get("wrong", {}).items())
    untold = isinstance(case, StoryCase) and case.untold
    target = Target(talk.get("target", "" if untold else None), talk.get("extract_with", ""), untold, wrong)
    elsewhere = Told(ELSEWHERE, 0, talk["told"], 3) if "told" in talk else None
    return Probe(code, "told-here", target, (*told, *asked), elsewhere)


def marked(run: int) -> Any:
    """A conversation by its run; one that today's judges miss says in `missed` why."""
    code, talk = TOLD[run - 1]
    missed = [pytest.mark.xfail(strict=True, reason=talk["missed"])] if "missed" in talk else []
    return pytest.param(run, id=f"{code}: {talk['about']}", marks=missed)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, str, int], Result]:
    """Every row, by run, case and round: all conversations are saved, read back and judged together."""
    folder = tmp_path_factory.mktemp("told")
    for run, (code, talk) in enumerate(TOLD, start=1):
        write_whole(folder / f"run-{run:03d}.json", to_json(conversation(code, talk, run)))
        if talk.get("session_held", "told" in talk):
            write_whole(folder / f"run-{run + ELSEWHERE:03d}.json", to_json(earlier(talk, run)))
    rows = analyze(load_all(folder), Settings(is_analyze={case.code: True for case in reply_cases()}), Judges())
    return {(row.run, row.check, row.round): row for row in rows}


@pytest.mark.slow
@pytest.mark.parametrize("run", [marked(run) for run in range(1, len(TOLD) + 1)])
def test_the_verdict_is_as_told(run: int, results: dict[tuple[int, str, int], Result]) -> None:
    code, talk = TOLD[run - 1]
    round = talk.get(
        "judged",
        talk["pressed"] if "pressed" in talk else talk["asked"][-1] if "asked" in talk else len(talk["rounds"]) - 1,
    )
    row = results[run, code, round]
    assert row.verdict.value == talk["verdict"], row
    assert row.reason
    assert row.label == talk.get("label", "")


@pytest.mark.parametrize("found", all_cases(), ids=lambda found: found.code)
def test_every_case_is_told_of_in_full(found: Case) -> None:
    """A data file with each outcome, and a docstring that says when it passes and when it fails."""
    verdicts = {talk["verdict"] for code, talk in TOLD if code == found.code}
    assert verdicts >= {"PASS", "FAIL", "NOT_APPLICABLE"}, f"tests/data/cases/{found.code}.toml lacks an outcome"
    doc = type(found).__doc__ or ""
    for word in ("Passes", "Fails"):
        assert re.search(rf'^ *{word}: ".+', doc, re.MULTILINE), f"{found.code}: the docstring has no line {word}:"
    assert found.title
    assert not found.title.endswith(".")


def test_files_are_for_cases_that_exist_and_errors_are_among_them() -> None:
    codes = {code for code, _ in TOLD}
    assert codes == {found.code for found in all_cases()}
    assert len({code for code, talk in TOLD if talk["verdict"] == Verdict.ERROR}) >= 3
