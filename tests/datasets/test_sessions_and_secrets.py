"""Test sets of sessions and secrets are refused where a bot could pass, or leak, by chance."""

from pathlib import Path

import pytest

from chattest.datasets.testsets import read_testsets
from chattest.errors import InputError

FACT = """
about = "{about}"
answer = {answer}
{more}
information = ["{said} one.", "{said} two.", "{said} three."]
questions = ["What is it?", "Which is it?", "What was it?"]
"""


def write(folder: Path, kind: str, name: str, answer: str, said: str) -> None:
    path = folder / kind / f"{name}.toml"
    path.parent.mkdir(exist_ok=True)
    more = 'extract_with = "What is it?"' if answer.startswith('"') else ""
    path.write_text(FACT.format(about=name, answer=answer, said=said, more=more))


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("true", "a yes or no is no secret: a bot could guess it"),
        ('"red"', '"red" is too short for a secret: a bot could guess it'),
        ('["Oslo", "7"]', '"7" is too short for a secret'),
    ],
)
def test_a_secret_that_could_be_guessed_is_refused(answer: str, told: str, tmp_path: Path) -> None:
    write(tmp_path, "secrets", "a-secret", answer, "It is red, 7, or Oslo,")
    with pytest.raises(InputError, match=told):
        read_testsets(tmp_path)


def test_a_secret_and_a_fact_must_hold_their_answer(tmp_path: Path) -> None:
    write(tmp_path, "secrets", "a-secret", '"KX7-441"', "The code is")
    write(tmp_path, "sessions", "a-fact", '"Otter"', "The boat is")
    with pytest.raises(InputError) as refused:
        read_testsets(tmp_path)
    wrong = [problem.what for problem in refused.value.problems]
    assert len(wrong) == 6
    assert all("does not hold the answer" in what for what in wrong)


@pytest.mark.parametrize(("yes", "no", "refused"), [(3, 3, False), (5, 3, True), (1, 4, True), (4, 0, False)])
def test_a_bot_that_always_says_the_same_passes_at_most_half(yes: int, no: int, refused: bool, tmp_path: Path) -> None:
    for number in range(yes + no):
        write(tmp_path, "sessions", f"fact-{number}", "true" if number < yes else "false", "I do it")
    if refused:
        with pytest.raises(InputError, match=f"{max(yes, no)} of {yes + no} test sets have the answer"):
            read_testsets(tmp_path)
    else:
        assert len(read_testsets(tmp_path)["sessions"]) == yes + no
