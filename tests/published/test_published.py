"""Published benchmarks: what is read from their files, and what is refused."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chattest.errors import InputError
from chattest.published.read import draw_questions, read_benchmark
from chattest.published.record import ACKNOWLEDGED, Benchmark
from tests.support.paths import DATA

FOLDER = DATA / "published"


def content(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text())


def test_locomo_is_told_by_the_names_of_its_speakers() -> None:
    (dialogue,) = read_benchmark("locomo", FOLDER / "locomo.json").dialogues
    assert [session.messages for session in dialogue.sessions] == [
        [
            "[9:30 am on 3 March, 2024]\nBen: Hi Ada! How is the new flat?\nAda: Lovely. I moved to Bergen last week.",
            "Ben: I got a dog, look. (shares a photo: a photo of a brown dog)\n"
            "Ada: What a sweet one! What is it called?",
            "Ben: Rusty.",
        ],
        [
            "[6:05 pm on 20 April, 2024]\nAda: I have started to learn the cello.",
            "Ben: Great! Rusty and I go hiking every Sunday.",
        ],
    ]
    assert dialogue.history[1::2] == [ACKNOWLEDGED] * 5
    assert dialogue.transcript.count("\n\n[") == 1
    assert [(question.category, question.answer) for question in dialogue.questions] == [
        ("single-hop", "Bergen"),
        ("temporal", "2024"),
        ("multi-hop", "hiking"),
        ("open-domain", True),
        ("adversarial", None),
    ]


def test_longmemeval_is_told_in_order_of_its_dates() -> None:
    dialogues = read_benchmark("longmemeval", FOLDER / "longmemeval.json").dialogues
    assert [session.messages for session in dialogues[0].sessions] == [
        ["[2024/04/30 (Tue) 21:45]\nName a good soup.", "(You said: Try a leek soup.)\nThanks, I will."],
        ["[2024/05/02 (Thu) 09:10]\nI bought a bicycle at the harbour market.", "(You said: Enjoy your rides!)"],
    ]
    (question,) = dialogues[0].questions
    assert question.asked == "(Today is 2024/05/20 (Mon) 10:00.) Where did I buy my bicycle?"
    kinds = [(each.questions[0].category, each.questions[0].answer is None) for each in dialogues]
    assert kinds == [
        ("single-session-user", False),
        ("single-session-assistant", False),
        ("single-session-preference", False),
        ("abstention", True),
    ]
    assert [each.questions[0].rubric for each in dialogues] == [False, False, True, False]


def _list(sample: dict[str, Any]) -> Any:
    """As later releases of LoCoMo have it."""
    told = {key: value for key, value in sample.items() if key != "qa"}
    return [{"sample_id": "conv-1", "conversation": told, "qa": sample["qa"]}]


@pytest.mark.parametrize(("names", "form"), [(["a/b/26.json", "__MACOSX/._26.json"], None), (["x.json"], _list)])
def test_both_releases_of_locomo_are_read(names: list[str], form: Callable[..., Any] | None, tmp_path: Path) -> None:
    sample = content("locomo")
    with zipfile.ZipFile(tmp_path / "locomo10.zip", "w") as archive:
        for name in names:
            archive.writestr(name, json.dumps(form(sample) if form else sample))
    benchmark = read_benchmark("locomo", tmp_path / "locomo10.zip")
    assert [dialogue.id for dialogue in benchmark.dialogues] == ["conv-1" if form else "26"]
    assert benchmark.questions == 5


def _set(*path: str | int, to: Any = None) -> Callable[[Any], None]:
    """Replaces a value; `None` takes it away."""

    def change(values: Any) -> None:
        for part in path[:-1]:
            values = values[part]
        if to is None:
            del values[path[-1]]
        else:
            values[path[-1]] = to

    return change


BROKEN = [
    ("locomo", _set("speaker_b"), ["the conversation: speaker_b: is missing"]),
    ("locomo", _set("session_1", 2, "text"), ["session_1[2]: text: is missing"]),
    ("locomo", _set("session_1", 2, "speaker", to="Eve"), ['session_1[2]: speaker: "Eve" is neither "Ada" nor "Ben"']),
    ("locomo", _set("session_2", to="none"), ["session_2: must be a list, [...]"]),
    ("locomo", _set("session_2_date_time", to=5), ["session_2_date_time: must be a text in quotes"]),
    ("locomo", _set("qa"), ["qa: must be a list of questions"]),
    ("locomo", _set("qa", 1, "category", to=6), ["qa[1]: category: must be 5 or less"]),
    ("locomo", _set("qa", 0, "answer"), ["qa[0]: answer: is missing"]),
    ("locomo", _set("qa", 0, "question", to=" "), ["qa[0]: question: must not be blank"]),
    ("longmemeval", _set(1, "question_type", to="other"), ["record 1 (said_2): question_type: must be "]),
    ("longmemeval", _set(0, "haystack_dates", 0), ["record 0 (user_1): haystack_dates: 1 dates for 2 haystack_sessio"]),
    ("longmemeval", _set(0, "haystack_sessions", 0, 0, "role", to="bot"), ["haystack_sessions[0][0].role: must be"]),
    (
        "longmemeval",
        _set(2, "question_id", to="user_1"),
        ['record 2 (user_1): question_id: another record is called "u'],
    ),
    ("longmemeval", _set(3, "question_id", to="../x"), ["record 3 (../x): question_id: must have the form"]),
    ("longmemeval", _set(3, "answer"), ["record 3 (count_4_abs): answer: is missing"]),
]


@pytest.mark.parametrize(("name", "change", "told"), BROKEN, ids=[told[0][:50] for _, _, told in BROKEN])
def test_a_file_with_a_wrong_record_is_refused_as_a_whole(
    name: str, change: Callable[[Any], None], told: list[str], tmp_path: Path
) -> None:
    values = content(name)
    change(values)
    path = tmp_path / "file.json"
    path.write_text(json.dumps(values))
    with pytest.raises(InputError) as refused:
        read_benchmark(name, path)
    assert len(refused.value.problems) == len(told)
    for problem, words in zip(refused.value.problems, told, strict=True):
        assert str(problem).startswith(str(path))
        assert words in str(problem)


def test_every_wrong_record_is_told_up_to_a_number(tmp_path: Path) -> None:
    values = content("longmemeval") * 10
    path = tmp_path / "file.json"
    path.write_text(json.dumps(values))
    with pytest.raises(InputError) as refused:
        read_benchmark("longmemeval", path)
    assert "has 16 further problems" in str(refused.value)


@pytest.mark.parametrize(
    ("name", "written", "told"),
    [
        ("locomo", b"{", "is not JSON"),
        ("locomo", b"\xff", "is not JSON"),
        ("locomo", b"[3]", "[0]: is no conversation"),
        ("longmemeval", b"{}", "holds no list of records"),
        ("longmemeval", b"PK\x05\x06" + bytes(18), "an archive that holds no .json file"),
        ("longmemeval", None, "cannot be read"),
        ("msc", b"[]", "cannot be read"),
    ],
)
def test_what_is_no_such_file_is_refused(name: str, written: bytes | None, told: str, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    if written is not None:
        path.write_bytes(written)
    with pytest.raises(InputError, match=told.replace("[", r"\[").replace(".", r"\.")):
        read_benchmark(name, path)


def _asked(benchmark: Benchmark) -> list[str]:
    return [question.id for dialogue in benchmark.dialogues for question in dialogue.questions]


def test_a_limit_draws_the_same_questions_in_their_order() -> None:
    benchmark = read_benchmark("longmemeval", FOLDER / "longmemeval.json")
    first = _asked(draw_questions(benchmark, 2, None, 1))
    assert len(first) == 2
    assert (
        first == _asked(draw_questions(benchmark, 2, None, 1)) == [name for name in _asked(benchmark) if name in first]
    )
    assert any(first != _asked(draw_questions(benchmark, 2, None, seed)) for seed in range(2, 9))
    assert _asked(draw_questions(benchmark, 99, None, 1)) == _asked(benchmark)
    assert _asked(draw_questions(benchmark, None, 3, 1)) == _asked(benchmark)[:3]
