"""Words, changes, and what is held back."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chattest.text.edits import Change, change, match_case, protect, removal, spans, with_article
from chattest.text.lexicon import read_list, table
from chattest.text.words import (
    PUNCTUATION,
    around_words,
    changeable,
    count_words,
    letters,
    maybe_name,
    movable,
    single_letter,
    words,
)
from tests.support.paths import ROOT


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What is it?", ["What", "is", "it"]),
        ("(don't) «well-known» 3.5!", ["don't", "well-known", "3.5"]),
        ("नमस्ते, दुनिया।", ["नमस्ते", "दुनिया"]),
        ("... - !", []),
        ("", []),
        ("שלום עולם", ["שלום", "עולם"]),
    ],
)
def test_words(text, found):
    assert [word.text for word in words(text)] == found
    assert count_words(text) == len(found)
    assert all(text[word.start : word.end] == word.text for word in words(text))


@given(st.text(st.sampled_from("aB7é\u0301'’_-.,?! \t\n\u00a0\x1c\U000f0001שل")))
def test_a_text_in_parts_has_the_words_that_may_be_moved(text):
    parts = around_words(text)
    assert "".join(parts) == text
    assert parts[1::2] == [word.text for word in movable(text)]
    edges = [0, *accumulate(map(len, parts))]
    assert [(edges[at], edges[at + 1]) for at in range(1, len(parts), 2)] == [word[:2] for word in movable(text)]
    assert [parts[at] for at in changeable(text, parts)] == [word.text for word in words(text)]
    cores = [chunk.strip(PUNCTUATION) for chunk in text.split()]
    assert parts[1::2] == [core for core in cores if core]


def test_letters_stay_whole():
    assert letters("e\u0301a👩‍👩‍👧") == ["e\u0301", "a", "👩‍👩‍👧"]


def test_a_letter_with_a_mark_is_not_single():
    text = "ae\u0301b"
    assert [single_letter(text, at) for at in range(4)] == [True, False, False, False]
    assert [single_letter("a1b", at) for at in range(3)] == [True, False, True]


def test_what_is_held_back_is_found_as_whole_words_in_any_case():
    text = "Tom lives in new york, Tomorrow in York."
    assert [text[start:end] for start, end in spans(text, ["tom", "York", "New York", ""])] == [
        "Tom",
        "new york",
        "York",
    ]
    assert spans("C++x", ["c++"]) == [(0, 3)]
    assert spans("abc", []) == []


def test_what_is_held_back_comes_back():
    text = "\U000f0000 My cat Mimmi is mimmi"
    held, restore = protect(text, ["MIMMI"])
    assert "immi" not in held
    assert restore(held) == text
    assert restore(held.upper()) == "\U000f0000 MY CAT Mimmi IS mimmi"
    assert restore(held[:-1]) is None


def test_changes_are_made_at_their_places():
    assert change("abc", [Change(2, 3, "C"), Change(0, 1, "")]) == "bC"


@pytest.mark.parametrize(
    ("text", "gone", "left"),
    [
        ("a , b", (2, 3), "a b"),
        (", b", (0, 1), "b"),
        ("a ,", (2, 3), "a"),
        ("a,b", (1, 2), "ab"),
        ("a, b", (1, 2), "a b"),
    ],
)
def test_what_is_taken_out_leaves_no_blanks(text, gone, left):
    assert change(text, [removal(text, *gone)]) == left


@pytest.mark.parametrize(
    ("old", "new"), [("an old car", "a new car"), ("A old car", "A new car"), ("the old car", "the new car")]
)
def test_the_article_suits_its_word(old, new):
    start = old.index("old")
    assert change(old, [with_article(old, start, start + 3, "new")]) == new


def test_capitals_are_taken_over():
    assert [match_case("new", old) for old in ("OLD", "Old", "old", "I")] == ["NEW", "New", "new", "New"]


def test_names_are_capitalised_inside_a_sentence():
    text = "Rich is here. Rich and Rich, RICH"
    assert [maybe_name(text, word.start, word.text) for word in words(text) if word.text.lower() == "rich"] == [
        False,
        False,
        True,
        False,
    ]


TABLES = ("synonyms", "abbreviations", "slang", "dyslexia", "homophones", "adjective_synonyms", "adjective_antonyms")


@pytest.mark.parametrize("name", [*TABLES, "american_british", "emoji", "ocr", "leetspeak", "homoglyphs"])
def test_tables_have_no_key_twice_and_no_empty_value(name):
    written = (ROOT / "chattest" / "text" / "data" / f"{name}.txt").read_text("utf-8").splitlines()
    rows = table(name)
    assert len(rows) == sum(bool(line) and not line.startswith("#") for line in written)
    assert all(value and value == value.strip() for row in rows.values() for value in row)


@pytest.mark.parametrize("name", [*TABLES, "american_british", "emoji"])
def test_keys_are_in_lower_case(name):
    assert all(key == key.lower() for key in table(name))


@pytest.mark.parametrize("name", ["random_words", "function_words", "gradable", "slips"])
def test_lists_have_nothing_twice(name):
    entries = read_list(name)
    assert len(entries) == len(set(entries))
    assert all(entry == entry.strip() and entry for entry in entries)
