"""Drafts of test sets: what a form holds becomes the file that the reader reads."""

from pathlib import Path

import pytest

from chattest.datasets.drafts import Draft, find_mistakes, make_draft, make_empty_draft, read_note, save_draft
from chattest.datasets.testsets import KINDS, parse_testset, read_testsets
from chattest.errors import InputError, Problem, StoreError
from tests.support.stand_ins import ROOT

GOOD = {
    "note": 'Where the "café" is.',
    "about": "cafe",
    "information": "My café is called Lunaria.\nI run a café named Lunaria.\nThe name of my café is Lunaria.",
    "questions": "What is my café called?\nWhat is the name of my café?\nWhich name does my café have?",
    "answer": "Lunaria\nthe Lunaria",
    "extract_with": "What is the name?",
}
SHIPPED = [testset for sets in read_testsets(ROOT / "testsets").values() for testset in sets]


def fields(draft: Draft, folder: Path) -> list[tuple[str, str]]:
    return [(mistake.field, mistake.problem.what) for mistake in find_mistakes(folder, draft)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_shipped_test_set_survives_the_form(kind: str) -> None:
    for testset in (one for one in SHIPPED if one.kind == kind):
        path = ROOT / "testsets" / kind / f"{testset.name}.toml"
        text = path.read_text("utf-8")
        draft = make_draft(testset, read_note(text))
        problems: list[Problem] = []
        assert parse_testset(path, kind, draft.text(), problems) == testset
        assert problems == []
        assert draft.text().splitlines()[0] == text.splitlines()[0]


def test_a_draft_is_saved_and_read(tmp_path: Path) -> None:
    path = save_draft(tmp_path / "testsets", Draft("qa", "cafe-name", GOOD))
    assert path == tmp_path / "testsets" / "qa" / "cafe-name.toml"
    (cafe,) = read_testsets(tmp_path / "testsets")["qa"]
    assert (cafe.name, cafe.target.answer, cafe.questions[0]) == (
        "cafe-name",
        "Lunaria / the Lunaria",
        "What is my café called?",
    )
    assert path.read_text("utf-8").startswith('# Where the "café" is.\nabout = "cafe"\n')


def test_what_a_line_holds_is_text(tmp_path: Path) -> None:
    hard = 'Say "Lunaria"\\ ]\x7f = { # "'
    draft = Draft("qa", "cafe-name", {**GOOD, "information": f"{hard}\n{GOOD['information']}"})
    save_draft(tmp_path, draft)
    assert read_testsets(tmp_path)["qa"][0].information[0] == hard


@pytest.mark.parametrize(
    ("change", "field", "what"),
    [
        ({"about": " "}, "about", "about: is missing"),
        ({"questions": "What?\nWhich?"}, "questions", "questions: must have"),
        ({"questions": GOOD["questions"] + "\nIs it Lunaria?"}, "questions", 'the answer "Lunaria" is in'),
        ({"information": GOOD["information"] + "\nI like it."}, "information", "information 4 does not hold"),
        ({"extract_with": ""}, "answer", "an open answer needs extract_with"),
        ({"answer": "yes"}, "answer", "a yes or no needs no extract_with"),
        ({"answer": ""}, "answer", "answer: is missing"),
        ({"about": "\ud800"}, "", "half a character"),
    ],
)
def test_mistakes_name_the_field(tmp_path: Path, change: dict[str, str], field: str, what: str) -> None:
    found = fields(Draft("qa", "cafe-name", {**GOOD, **change}), tmp_path)
    assert any(at == field and what in said for at, said in found), found


def test_mistakes_of_a_story_name_the_field(tmp_path: Path) -> None:
    told = "It opens at 8 am.\nI open at 8 am.\n\nNow it opens at 10 am.\nI now open at 10 am."
    good = {
        "about": "hours",
        "told": told,
        "questions": "When does it open now?\nWhen do I open?\nAt what hour does it open?",
        "answer": "10 am",
        "extract_with": "When does it open?",
        "wrong": "stale = 8 am",
    }
    assert fields(Draft("update", "hours", good), tmp_path) == []
    assert fields(Draft("update", "hours", {**good, "wrong": ""}), tmp_path)[0][0] == "wrong"
    assert (
        fields(Draft("update", "hours", {**good, "told": "It opens at 10 am.\nNow at 10 am."}), tmp_path)[0][0]
        == "told"
    )
    assert fields(
        Draft("update", "hours", {**good, "extract_with": "", "wrong": "stale = no", "answer": "yes"}), tmp_path
    )


@pytest.mark.parametrize("name", ["", "Cat", "a/b", "../up", "a\0b", "con.toml", "x" * 61, "-a", "qa.", "ünder"])
def test_a_name_is_words_joined_by_hyphens(tmp_path: Path, name: str) -> None:
    assert fields(Draft("qa", name, GOOD), tmp_path)[0][0] == "name"
    with pytest.raises(InputError):
        save_draft(tmp_path / "testsets", Draft("qa", name, GOOD))
    assert list(tmp_path.iterdir()) == []


def test_no_file_is_written_over(tmp_path: Path) -> None:
    path = save_draft(tmp_path, Draft("qa", "cafe-name", GOOD))
    before = path.read_bytes()
    for kind in ("qa", "sessions"):  # a name stands for one test set in all folders
        with pytest.raises(InputError, match="has the same name as"):
            save_draft(tmp_path, Draft(kind, "cafe-name", {**GOOD, "note": "other"}))
    assert path.read_bytes() == before


def test_the_shipped_ones_come_along_if_wanted(tmp_path: Path) -> None:
    save_draft(tmp_path, Draft("qa", "cafe-name", GOOD), with_shipped=True)
    assert len(read_testsets(tmp_path)["qa"]) == len([one for one in SHIPPED if one.kind == "qa"]) + 1
    assert not (tmp_path / "ia").exists()


def test_a_folder_that_a_bot_passes_by_always_saying_yes_is_not_made(tmp_path: Path) -> None:
    draft = Draft(
        "spread",
        "all-paid",
        {
            "about": "bills",
            "told": "Gas is paid.\nI paid gas.\n\nWater is paid.\nI paid water.\n\nPhone is paid.\nI paid the phone.",
            "questions": "Is all paid?\nAre all bills paid?\nHave I paid all?",
            "answer": "yes",
        },
    )
    assert 'always says "yes" passes 1 of 1' in fields(draft, tmp_path)[0][1]
    assert find_mistakes(tmp_path, draft, with_shipped=True) == []


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "testsets").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="is a link to"):
        save_draft(tmp_path / "testsets", Draft("qa", "cafe-name", GOOD))
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("with_shipped", [True, False])
def test_a_place_that_cannot_be_written_is_said(tmp_path: Path, with_shipped: bool) -> None:
    (tmp_path / "testsets").write_text("a file", "utf-8")
    with pytest.raises(StoreError, match="cannot be"):
        save_draft(tmp_path / "testsets", Draft("qa", "cafe-name", GOOD), with_shipped)


def test_an_empty_draft_names_what_its_kind_needs() -> None:
    assert all(make_empty_draft(kind).kind == kind for kind in KINDS)
    assert make_empty_draft("update").fields["wrong"] == "stale = "
    with pytest.raises(InputError, match="is not a kind"):
        make_empty_draft("../qa")
