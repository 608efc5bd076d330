"""The parts of speech that a word may have: the same as in lemminflect."""

import subprocess
import sys

import pytest

from chattest.english import part_of_speech as module
from chattest.english.part_of_speech import find_classes
from tests.support.paths import ROOT


@pytest.mark.parametrize(
    ("word", "kinds"),
    [
        ("kitchen", "n"),
        ("went", "v"),
        ("works", "nv"),
        ("all", "n"),
        ("would", "v"),
        ("quickly", "r"),
        ("caat", ""),
        ("", ""),
    ],
)
def test_kinds(word: str, kinds: str) -> None:
    assert find_classes(word) == set(kinds)


@pytest.mark.slow
def test_lemminflect_says_the_same_of_each_of_its_words() -> None:
    from lemminflect import getAllLemmas

    known = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r", "AUX": "v"}
    words = {word.lower() for word in module._read_words()}
    words |= {word[1:] for word in words} | {"she", "another", "themselves"}
    asked = [word for word in words if word.replace("-", "").isalpha()]
    assert len(asked) > 60_000
    others = [
        word for word in asked if {known[sort] for sort in getAllLemmas(word) if sort in known} != find_classes(word)
    ]
    assert others == []


@pytest.mark.slow
def test_a_word_is_looked_up_without_numpy() -> None:
    code = (
        "import sys; from chattest.english.part_of_speech import find_classes\n"
        "print(*find_classes('kitchen'), 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["n", "False"]
