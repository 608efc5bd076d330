"""Test sets: what a file must hold, and what the ones that ship hold."""

import re
from pathlib import Path

import pytest

from chattest.datasets.articles import read_articles
from chattest.datasets.groups import read_groups
from chattest.datasets.questions import read_pairs, read_questions
from chattest.datasets.stories import STORIES
from chattest.datasets.testsets import KINDS, read_testsets
from chattest.errors import InputError
from chattest.records.plan import TestSet
from tests.support.stand_ins import ROOT
from tests.support.testset_files import read

QA = """
about = "pets"
answer = "Juniper"
extract_with = "What is the name of the cat?"
information = ["My cat is called Juniper.", "The name of my cat is Juniper.", "I own a cat named Juniper."]
questions = ["What is the name of my cat?", "What is my cat called?", "Which name does my cat have?"]
"""
CLOSED = """
about = "dog"
answer = true
information = ["I have a dog.", "A dog is mine.", "There is a dog that I own."]
questions = ["Do I have a dog?", "Am I the owner of a dog?", "Is there a dog at my home?"]
"""
CO = """
about = "bot-home"
extract_with = "Where does the speaker live?"
questions = ["Where do you live?", "In which town is your home?", "What is the place you live in?"]
"""


def test_a_file_becomes_a_test_set(tmp_path: Path) -> None:
    found = read(tmp_path, qa__cat_name=QA, qa__a_dog=CLOSED, co__home=CO)
    assert [testset.name for testset in found["qa"]] == ["a-dog", "cat-name"]
    dog, cat = found["qa"]
    assert (cat.kind, cat.about, cat.target.answer) == ("qa", "pets", "Juniper")
    assert cat.target.extract_with == "What is the name of the cat?"
    assert cat.information[0] == "My cat is called Juniper."
    assert (dog.target.answer, dog.target.extract_with) == (True, "")
    (home,) = found["co"]
    assert (home.information, home.target.answer, len(home.questions)) == ((), None, 3)
    assert found["ia"] == found["iq"] == []


def test_what_was_read_once_is_told_of_the_file_that_it_is_in(tmp_path: Path) -> None:
    wrong = QA.replace("Which name does my cat have?", "Is it Juniper?")
    for folder in (tmp_path / "first", tmp_path / "second"):
        folder.mkdir()
        with pytest.raises(InputError) as refused:
            read(folder, qa__cat=wrong)
        (problem,) = refused.value.problems
        assert problem.where == f"{folder}/qa/cat.toml:6"
    assert read(tmp_path / "second", qa__cat=QA)["qa"][0].questions[2] == "Which name does my cat have?"


@pytest.mark.parametrize(
    ("key", "content", "place", "why"),
    [
        ("qa__cat", QA.replace("Which name does my cat have?", ""), "cat.toml:6", "questions[2]: must not be empty"),
        (
            "qa__cat",
            QA.replace('"Which name does my cat have?"', '" "'),
            "cat.toml:6",
            "questions[2]: must not be blank",
        ),
        (
            "qa__cat",
            QA.replace(', "Which name does my cat have?"', ""),
            "cat.toml:6",
            "questions: must have 3 entries or more, and has 2",
        ),
        ("qa__cat", QA.replace("questions", "question"), "cat.toml:6", 'Did you mean "questions"?'),
        ("qa__cat", QA.replace('about = "pets"', ""), "cat.toml", "about: is missing"),
        ("qa__cat", QA.replace('"Juniper"\n', "3\n"), "cat.toml:3", 'answer: write "3"'),
        ("qa__cat", QA.replace('"Juniper"\n', '""\n'), "cat.toml:3", "answer: must not be empty"),
        (
            "qa__cat",
            QA.replace('extract_with = "What is the name of the cat?"', ""),
            "cat.toml:3",
            "needs extract_with",
        ),
        ("qa__dog", CLOSED + 'extract_with = "What?"', "dog.toml:3", "needs no extract_with"),
        ("qa__cat", QA.replace("What is my cat called?", "Is JUNIPER my cat?"), "cat.toml:6", "A bot that echoes"),
        ("qa__cat", QA.replace("of the cat?", "of Juniper?"), "cat.toml", "A bot that echoes"),
        ("qa__cat", QA.replace('"Juniper"\n', '"Yes."\n'), "cat.toml:3", "answer: write true or false without quotes"),
        ("ia__dog", CLOSED.replace("true", '"no"'), "dog.toml:3", "answer: write true or false without quotes"),
        (
            "qa__cat",
            QA.replace("I own a cat named Juniper", "I own a cat named Junip"),
            "cat.toml:5",
            'information 3 does not hold the answer "Juniper": I own a cat named Junip.',
        ),
        ("qa__cat", QA.replace("named Juniper", "named Junipers"), "cat.toml:5", "information 3 does not hold"),
        ("co__home", CO + "answer = true", "home.toml:5", "answer: is not known here"),
        ("qa__cat", "about = [", "cat.toml", "is not TOML"),
        (
            "qs__cat",
            QA,
            "qs",
            "Known: alike, articles, bias, co, directional, firm, groups, ia, iq, mft, pairs, premise, qa, questions, "
            "secrets, sessions, spread, time, untold, update.",
        ),
        ("qa__Cat", QA, "Cat.toml", "is no name for a test set"),
        ("qa__3cats", QA, "3cats.toml", "Use words in lower case joined by hyphens"),
    ],
)
def test_a_mistake_is_told_with_file_and_line(tmp_path: Path, key: str, content: str, place: str, why: str) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, **{key: content})
    told = str(refused.value)
    assert place in told
    assert why in told


def test_every_mistake_of_every_file_is_told(tmp_path: Path) -> None:
    bad = QA.replace('about = "pets"', "").replace("questions", "question")
    with pytest.raises(InputError) as refused:
        read(tmp_path, qa__one=bad, qa__two="x", ia__three=QA, iq__three=QA)
    told = [problem.where for problem in refused.value.problems]
    assert sum("one.toml" in place for place in told) == 3
    assert any("two.toml" in place for place in told)
    assert any("three.toml" in place for place in told)


def test_a_text_that_is_not_utf8_is_told(tmp_path: Path) -> None:
    (tmp_path / "qa").mkdir()
    (tmp_path / "qa" / "cat.toml").write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"cat\.toml:1: is not UTF-8"):
        read_testsets(tmp_path)


def test_a_project_without_test_sets_has_the_shipped_ones(tmp_path: Path, testsets: dict[str, list[TestSet]]) -> None:
    assert read_testsets(tmp_path / "testsets") == testsets


def test_an_own_folder_replaces_the_shipped_folder_of_its_kind_alone(
    tmp_path: Path, testsets: dict[str, list[TestSet]]
) -> None:
    (tmp_path / "qa").mkdir()
    (tmp_path / "qa" / "cat-name.toml").write_text(QA)
    (tmp_path / "pairs").mkdir()
    own = read_testsets(tmp_path)
    assert [testset.information[0] for testset in own["qa"]] == ["My cat is called Juniper."]
    assert {kind: own[kind] for kind in ("co", "ia", "iq")} == {kind: testsets[kind] for kind in ("co", "ia", "iq")}
    assert [entry.testset for entry in read_questions(tmp_path, ["knowledge"])][:1] == ["knowledge"]
    assert read_pairs(tmp_path) == []
    assert read_groups(tmp_path) == read_groups(ROOT / "testsets")
    assert read_articles(tmp_path, [], 3, 1) == read_articles(ROOT, [], 3, 1)
    with pytest.raises(InputError, match='there is no test set "dog-name"'):
        read_testsets(tmp_path, ["dog-name"])


def test_an_answer_inside_another_word_is_no_echo(tmp_path: Path) -> None:
    content = QA.replace("Juniper", "ten").replace("called?", "attending?")
    assert read(tmp_path, qa__cat=content)["qa"]


@pytest.mark.parametrize(
    ("answer", "wording"),
    [
        ("12", "I have twelve of them"),
        ("twelve", "I have 12 of them."),
        ("Lunaria", "LUNARIA is its name."),
        ("half past six", "I get up at 6:30."),
        ("red and white", "It is white and red."),
        ("at the bakery", "I work in a bakery."),
        ("New York", "I live in NYC."),
        ("C++", "I write C++ all day."),
        ("Zoe\u0308", "My daughter is Zo\u00eb."),
    ],
)
def test_an_answer_may_be_said_in_another_way(tmp_path: Path, answer: str, wording: str) -> None:
    said = f"information = {[wording + end for end in ('', ' Yes.', ' So it is.')]}"
    lines = [f'answer = "{answer}"' if line.startswith("answer") else line for line in QA.splitlines()]
    content = "\n".join(said if line.startswith("information") else line for line in lines)
    (found,) = read(tmp_path, qa__cat=content)["qa"]
    assert found.target.answer == answer


@pytest.mark.parametrize("key", ["answer", "answers"])
def test_several_answers_may_be_right(tmp_path: Path, key: str) -> None:
    several = QA.replace('answer = "Juniper"', f'{key} = ["Juniper", "Junie", "Juniper"]')
    several = several.replace("I own a cat named Juniper.", "I own a cat named Junie.")
    (cat,) = read(tmp_path, qa__cat_name=several)["qa"]
    assert cat.target.answer == "Juniper / Junie"
    assert cat.target.first == "Juniper"


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ('["Juniper", "cat"]', 'the answer "cat" is in the question "What is the name of my cat?"'),
        ('["Rufus", "Rex"]', 'information 1 does not hold the answer "Rufus / Rex": My cat is called Juniper.'),
        ('["Juniper", "No"]', "answer: write true or false without quotes"),
        ("[]", "answer: a list of accepted answers must hold one or more texts"),
        ('["Juniper", " "]', "answer: a list of accepted answers must hold one or more texts"),
        ('["Juniper", 3]', "answer: a list of accepted answers must hold one or more texts"),
    ],
)
def test_a_mistake_among_several_answers_is_told(tmp_path: Path, answers: str, why: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, qa__cat_name=QA.replace('"Juniper"', answers, 1))
    assert why in str(caught.value)


def test_a_fact_that_only_follows_need_not_hold_its_answer(tmp_path: Path) -> None:
    implied = QA.replace("I own a cat named Juniper", "I have a cat")
    assert len(read(tmp_path, ia__cat=implied)["ia"]) == 1


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        ([], ["a-dog", "cat-name", "home", "hut"]),
        (["cat-name"], ["cat-name"]),
        (["cat-*", "home"], ["cat-name", "home"]),
        (["co/*"], ["home", "hut"]),
        (["co/h?t", "a-dog"], ["a-dog", "hut"]),
        (["*"], ["a-dog", "cat-name", "home", "hut"]),
    ],
)
def test_only_the_sets_wanted_are_taken(tmp_path: Path, only: list[str], expected: list[str]) -> None:
    read(tmp_path, qa__cat_name=QA, qa__a_dog=CLOSED, co__home=CO, co__hut=CO)
    taken = read_testsets(tmp_path, only)
    assert sorted(one.name for found in taken.values() for one in found) == expected
    assert list(taken) == list(KINDS)


@pytest.mark.parametrize(
    ("wanted", "remedy"),
    [
        ("cat-nmae", 'Did you mean "cat-name"?'),
        ("co/cat-name", "Known: home."),
        ("dogs-*", "Known: a-dog, cat-name, home."),
    ],
)
def test_a_set_that_is_not_there_is_refused_with_the_nearest(tmp_path: Path, wanted: str, remedy: str) -> None:
    read(tmp_path, qa__cat_name=QA, qa__a_dog=CLOSED, co__home=CO)
    with pytest.raises(InputError) as refused:
        read_testsets(tmp_path, ["a-dog", wanted])
    (problem,) = refused.value.problems
    assert (problem.where, problem.what) == ("testsets", f'there is no test set "{wanted}"')
    assert problem.remedy == remedy


def test_enough_sets_ship(testsets: dict[str, list[TestSet]]) -> None:
    facts = [kind for kind in KINDS if kind not in STORIES]
    assert {kind: len(found) >= least for kind, found, least in _least(testsets)} == dict.fromkeys(facts, True)
    closed = [
        one.target.answer for kind in ("qa", "ia", "iq") for one in testsets[kind] if one.target.answer in (True, False)
    ]
    assert min(closed.count(True), closed.count(False)) >= 5
    for kind in ("qa", "ia", "iq"):
        assert any(isinstance(one.target.answer, str) for one in testsets[kind])
        assert any(one.target.answer is True for one in testsets[kind])
        assert any(one.target.answer is False for one in testsets[kind])


def _least(testsets: dict[str, list[TestSet]]) -> list[tuple[str, list[TestSet], int]]:
    sizes = {"qa": 12, "co": 6, "ia": 8, "iq": 8, "sessions": 20, "secrets": 20}
    return [(kind, testsets[kind], least) for kind, least in sizes.items()]


def test_the_answer_stands_in_every_wording_of_its_fact(testsets: dict[str, list[TestSet]]) -> None:
    """Else a bot that was told in that wording could not know it. Implied facts say it in other words."""
    for testset in testsets["qa"]:
        answer = testset.target.answer
        if isinstance(answer, str):
            for text in testset.information:
                assert re.search(rf"\b{re.escape(answer)}\b", text, re.IGNORECASE), (testset.name, text)


def test_no_two_wordings_are_the_same(testsets: dict[str, list[TestSet]]) -> None:
    for testset in (testset for found in testsets.values() for testset in found):
        assert len(set(testset.information)) == len(testset.information), testset.name
        assert len(set(testset.questions)) == len(testset.questions), testset.name
        assert all(question.endswith("?") for question in testset.questions), testset.name
