"""What holds for every perturbation and every text."""

import time
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from chattest.english.part_of_speech import find_classes
from chattest.perturbations.base import perturbations
from chattest.records.dose import DoseRange, Level
from chattest.text.edits import spans
from tests.support.perturbation_measures import EXACT, LOOSE, graphemes, pieces

USABLE = [name for name in perturbations.names() if not perturbations.get(name).unavailable()]
WORDS = """
I you she he her his my the a an cat dog house friend Anna Emily Miller Sweden Paris Christian church woman is was have
don't it's isn't cannot do not like live called old big very easy happy colour color favorite center 2 30 years 1999
know no two there hear their for from see you later please what where who name Mimmi New York
"""
sentences = st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=12).map(" ".join)
marked = st.builds(
    "{}{}{}".format, sentences, st.sampled_from(("", "?", ".", "!", ", ", "...")), sentences | st.just("")
)
odd = st.text(
    st.characters(codec="utf-8") | st.sampled_from("é́ñкот שלום مرحبا नमस्ते 👩‍👩‍👧 🇸🇪 ไทย \x00\x1b\u200f\t\n'\".,?!"),
    max_size=40,
)
texts = marked | odd | st.builds("{} {}".format, marked, odd)
SAMPLES = (
    "",
    " ",
    "a",
    "🙂",
    "👩‍👩‍👧 👍🏽",
    "שלום עולם, מה שלומך?",
    "مرحبا كيف حالك؟",
    "\x00\x01\x1b[0m",
    "?!...",
    "नमस्ते दुनिया",
    "\n\t",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", USABLE)
@given(text=texts, seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
def test_any_text(name, text, seed):
    part = perturbations.get(name)
    found = part.variants(text, Random(seed))
    assert found == part.variants(text, Random(seed))
    assert part.draw(text, Random(seed)) == part.draw(text, Random(seed))
    check(part, text, [*found, part.draw(text, Random(seed))])
    assert all(new.text != text for new in found)
    assert [new.kind for new in found] == [kind for kind in part.kinds if kind in {new.kind for new in found}]


def check(part, text, found):
    for new in found:
        if new.text == text:
            assert (new.kind, new.dose, new.edits) == ("none", 0, 0)
            continue
        assert new.kind in part.kinds
        assert new.edits > 0
        assert 0 < new.dose <= (part.dose_max or new.dose)
        if part.name in EXACT:
            assert new.dose == pytest.approx(EXACT[part.name](text, new.text))
        elif part.name not in LOOSE:
            assert new.edits >= pieces(text, new.text)
        if part.name != "whitespace":
            assert blanks(new.text) <= blanks(text)
        assert new.text.encode("utf-8")
        assert not torn(text, new.text)


def blanks(text):
    """Doubled blanks, and blanks at the ends."""
    return text.count("  ") + (text != text.lstrip(" ")) + (text != text.rstrip(" "))


def torn(old, new):
    """A combining mark or joiner that stands after another letter than before."""
    return joined(new) - joined(old)


def joined(text):
    return {piece.casefold() for piece in graphemes(text) if len(piece) > 1}


@pytest.mark.slow
@pytest.mark.parametrize("name", USABLE)
@given(
    before=marked,
    kept=st.sampled_from(("Mimmi", "New York", "30", "is", "Anna", "my cat")),
    after=marked,
    seed=st.integers(0, 99),
)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
def test_what_is_kept_stays(name, before, kept, after, seed):
    part = perturbations.get(name)
    text = f"{before} {kept}, {after}"
    stretches = [text[start:end] for start, end in spans(text, [kept])]
    found = [*part.variants(text, Random(seed), [kept.upper()]), part.draw(text, Random(seed), [kept.upper()])]
    for new in found:
        for stretch in stretches:
            assert new.text.count(stretch) >= stretches.count(stretch)


@pytest.mark.parametrize("name", USABLE)
def test_odd_texts(name):
    part = perturbations.get(name)
    for text in SAMPLES:
        check(part, text, part.variants(text, Random(1)))


SENTENCE = "What is the name of my cat, and do you like her old house in Sweden? "
LONG = SENTENCE * 500 + "a" * 33_000 + "?!... " + "a,b.c?" * 5_500


@pytest.mark.slow
@pytest.mark.parametrize("name", USABLE)
def test_a_text_of_100_kb_takes_seconds_at_most(name):
    part = perturbations.get(name)
    part.variants("What is the name of my old cat?", Random(1))  # loads the lists
    started = time.process_time()
    assert all(new.text != LONG for new in part.variants(LONG, Random(1)))
    assert time.process_time() - started < 30


PLAIN = (
    "My cat is black", "She is a happy teacher", "I like tea", "They lived in an old house", "The old house is near",
    "We bought a big car", "He has two brothers", "My favorite color is gray", "I will organize the theater",
    "The center is near", "Is my cat black", "Do you like tea", "What is the name of my cat", "It was an easy question",
    "The red car is as fast as the blue one",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in USABLE if perturbations.get(name).reverse])
def test_the_reverse_gives_the_text_back(name):
    part = perturbations.get(name)
    proved = set()
    for ending in ("", ".", "?"):
        for plain in PLAIN:
            text = plain + ending
            for new in part.variants(text, Random(3)):
                if (new.kind in part.reverse and new.edits == 1) or new.kind == "case":
                    perturbation, kind = part.reverse[new.kind]
                    back = perturbations.get(perturbation).variants(new.text, Random(3))
                    assert text in [one.text for one in back if one.kind == kind], new
                    proved.add(new.kind)
    assert proved == set(part.reverse) or name == "british_to_american"


def test_british_spellings_come_back():
    text = "My favourite colour is grey, and I organise the theatre."
    american = perturbations.get("british_to_american").variants(text, Random(1))[0].text
    assert perturbations.get("american_to_british").variants(american, Random(1))[0].text == text


@pytest.mark.slow
@given(text=texts)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_swapcase_twice_gives_any_text_back(text):
    part = perturbations.get("swapcase")
    found = part.variants(text, Random(1))
    assume(found)
    assert part.variants(found[0].text, Random(1))[0].text == text


@pytest.mark.parametrize("name", ["typo", "word_order", "mask", "random_word", "synonym"])
def test_a_drawn_strength_may_be_nothing_and_spreads(name):
    part = perturbations.get(name)
    text = "My doctor bought a big house near the shop, and my quick kids talk about the movie."
    doses = [part.draw(text, Random(seed), dose=Level.FULL).dose for seed in range(400)]
    assert 0 < doses.count(0) < 120
    assert len(set(doses)) >= 5
    assert max(doses) > 0.25


def test_masking_never_leaves_nothing():
    part = perturbations.get("mask")
    assert all(part.draw("What is it?", Random(seed), dose=Level.FULL).text.strip(" ?") for seed in range(200))


LITTLE = {"is", "the", "of"}


@pytest.mark.parametrize("name", ["typo", "mask", "random_word"])
def test_up_to_the_line_only_what_a_person_can_do_without_changes(name):
    """Also where any dose may be drawn: the same dose is as hard to read at every setting."""
    part, text = perturbations.get(name), "What is the name of my old cat?"
    words = text.rstrip("?").split()
    beyond = 0
    for seed in range(200):
        new = part.draw(text, Random(seed), dose=Level.FULL)
        if new.dose > part.understood_to:
            beyond += 1
        elif name == "typo":
            pairs = [pair for pair in zip(words, new.text.rstrip("?").split(), strict=True) if len(set(pair)) == 2]
            assert all(len(old) > 2 and not find_classes(now.lower()) for old, now in pairs)
            assert len(pairs) == new.edits
        else:
            assert {word for word in words if word not in new.text.rstrip("?").split()} <= LITTLE
    assert 60 < beyond < 200


@given(st.lists(st.integers(0, 20), max_size=12), st.floats(0, 9), st.floats(0, 9), st.integers(0, 99))
def test_a_range_takes_what_lies_in_it_or_else_the_nearest(counts, low, width, seed):
    doses = DoseRange(low, low + width)
    picked = doses.pick(counts, float, Random(seed))
    away = {count: max(low - count, count - low - width, 0) for count in counts}
    assert (picked is None) == (not counts)
    assert picked is None or away[picked] <= min(away.values()) + 1e-6
