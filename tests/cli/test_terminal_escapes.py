"""What a bot or a stranger's file says reaches the terminal as text, whatever way it takes."""

import sys
from pathlib import Path

import pytest

from chattest.chatter.loader import find_chatter
from chattest.cli import commands
from chattest.cli.invocation import invocation
from chattest.cli.terminal import Terminal
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.question import Answer
from chattest.settings.declaration import Settings
from chattest.text.escape import visible
from tests.support.project import make_project
from tests.support.stand_ins import ROOT, spec

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m \u202egnp.exe\u202c \u2066x\u2069 \r\x08over\x7f\u2028"
HARMFUL = set(EVIL) - set("]0;owned[2J31m gnp.exexover")


def harmless(text: str) -> bool:
    return not HARMFUL & set(text)


def test_a_bots_error_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    held: Conversation = spec(3)
    with Terminal(Settings()) as terminal:
        terminal.spoken(held, Turn(0, Speaker.SUBJECT, "", error=f"ValueError: {EVIL}"))
        terminal.answered(Answer(error=EVIL))
    shown = capsys.readouterr().err
    assert shown.count("owned") == 2
    assert harmless(shown)


def test_a_bots_words_to_a_person(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    person = find_chatter("user", ROOT / "chatters")()
    person.heard(Turn(0, Speaker.SUBJECT, EVIL, 0.5))
    person.heard(Turn(1, Speaker.SUBJECT, "", error=EVIL))
    person.sent_instead(EVIL, [EVIL])
    shown = capsys.readouterr().out
    assert shown.count("owned") == 3
    assert harmless(shown)


@pytest.mark.parametrize(
    ("arguments", "code"), [(["judge", "saved"], 2), (["perturb", EVIL, "--only", "lowercase"], 0), (["plan"], 0)]
)
def test_a_strangers_file_or_test_set(
    arguments: list[str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make_project(tmp_path / "project")
    (root / "testsets").unlink()
    (root / "testsets" / "qa").mkdir(parents=True)
    (root / "saved").mkdir()
    (root / "saved" / "run-001.json").write_text(f'{{"schema": "{EVIL[:-1]}"}}'.replace("\x1b", "\\u001b"), "utf-8")
    escaped = "".join(f"\\u{ord(character):04x}" if character in HARMFUL else character for character in EVIL)
    (root / "testsets" / "qa" / "cat-name.toml").write_text(
        'about = "cat"\nanswer = "Juniper"\nextract_with = "Who?"\n'
        f'information = ["Juniper {escaped}", "b Juniper", "c Juniper"]\n'
        f'questions = ["{escaped} a?", "b?", "c?"]\n'
    )
    monkeypatch.chdir(root)
    monkeypatch.setattr(invocation, "overrides", ())
    monkeypatch.setattr(
        sys, "argv", ["main.py", "--set", 'chatters=["asker", "keeper"]', "--set", 'p={"ML-I4"=1.0}', *arguments]
    )
    with pytest.raises(SystemExit) as ended:
        commands.main(root)
    shown = capsys.readouterr()
    assert ended.value.code == code, shown.err
    assert harmless(shown.out + shown.err)
    if arguments != ["judge", "saved"]:
        assert "owned" in shown.out


@pytest.mark.parametrize("said", ["plain", "two\nlines\tand a tab", "עברית \u200f!", "👩‍👩‍👧", "windows\r\nline"])
def test_harmless_text_is_left_as_it_is(said: str) -> None:
    assert visible(said) == said.replace("\r\n", "\n")
