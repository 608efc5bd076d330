"""The embedded reader: with a head made by hand its arithmetic, with the weights that ship its judgement."""

import math

import pytest
import torch

from chattest.models.embedded.adapter import Adapter
from chattest.models.embedded.encoder import load_encoder
from chattest.models.embedded.reader import EmbeddedReader, _characters
from chattest.models.protocols import Reader, Span
from training.reader import ReaderTask

FACTS = [
    ("What is my cat called?", "Your cat is called Juniper.", "Juniper"),
    ("What is the name of the cat?", "You told me that the cat's name is Pickles, I believe.", "Pickles"),
    ("Where do I live?", "You live in Uppsala, don't you?", "Uppsala"),
    ("How old am I?", "You said you are 37 years old.", "37"),
    ("What is the favourite sport?", "Your favourite sport is curling.", "curling"),
    ("When does the train leave?", "The train leaves at 9:40, so hurry up!", "9:40"),
]
NOTHING = ["I don't know.", "Sorry, I can't remember that.", "No idea!", "Could you tell me again?"]


@pytest.fixture(scope="module")
def reader() -> EmbeddedReader:
    return EmbeddedReader(encoder=load_encoder("cpu"))


def made_reader(bias: tuple[float, float, float], weight: torch.Tensor | None = None) -> EmbeddedReader:
    """A reader on the bare encoder whose logits are given."""
    head = {"weight": torch.zeros(3, 384) if weight is None else weight, "bias": torch.tensor(bias)}
    return EmbeddedReader(Adapter("made/reader", 1.0, ReaderTask.settings, {}, head), load_encoder("cpu"))


def test_it_is_a_reader(reader: EmbeddedReader) -> None:
    assert isinstance(reader, Reader)


@pytest.mark.parametrize(("question", "reply", "answer"), FACTS)
def test_it_finds_the_fact_in_a_reply(reader: EmbeddedReader, question: str, reply: str, answer: str) -> None:
    (span,) = reader.read([question], [reply])
    assert answer in span.text
    assert len(span.text) <= len(answer) + 12
    assert reply[span.start : span.end] == span.text


@pytest.mark.parametrize("reply", NOTHING)
def test_it_says_where_there_is_no_answer(reader: EmbeddedReader, reply: str) -> None:
    (span,) = reader.read(["What is my cat called?"], [reply])
    assert span == Span("", 0, 0, span.probability)
    assert span.probability <= 0.5


def test_a_fact_deep_in_a_long_text_is_found(reader: EmbeddedReader) -> None:
    filler = "The weather was mild that week, and the shops were open as usual. " * 60
    (span,) = reader.read(["What is my cat called?"], [f"{filler}Your cat is called Juniper. {filler}"])
    assert "Juniper" in span.text


def test_results_come_in_order_with_duplicates(reader: EmbeddedReader) -> None:
    questions, replies = [q for q, _, _ in FACTS] * 2, [r for _, r, _ in FACTS] * 2
    spans = reader.read(questions, replies)
    assert spans[: len(FACTS)] == spans[len(FACTS) :]
    assert [answer in span.text for span, (_, _, answer) in zip(spans, FACTS, strict=False)] == [True] * len(FACTS)


@pytest.mark.parametrize("reply", ["", "   ", "\n"])
def test_an_empty_reply_has_no_answer(reader: EmbeddedReader, reply: str) -> None:
    (span,) = reader.read(["What is my cat called?"], [reply])
    assert span.text == ""
    assert span.probability < 0.01


@pytest.mark.parametrize("reply", ["😀", "你好,我叫小明", "x" * 3000, "Ünïcödé ñame"])
def test_any_text_can_be_read(reader: EmbeddedReader, reply: str) -> None:
    (span,) = reader.best_spans(["Wie heißt du?"], [reply])
    assert reply[span.start : span.end] == span.text
    assert 0 <= span.probability <= 1


def test_nothing_in_nothing_out_and_unequal_lengths_are_refused(reader: EmbeddedReader) -> None:
    assert reader.read([], []) == []
    with pytest.raises(ValueError, match="zip"):
        reader.read(["What?"], [])


@pytest.mark.parametrize("bias", [-3.0, 0.0, 1.0])
def test_the_probability_is_half_the_third_logit_and_half_the_spans_lead(bias: float) -> None:
    (span,) = made_reader((0.0, 0.0, bias)).best_spans(["What?"], ["one two"])
    assert span.probability == pytest.approx(1 / (1 + math.exp(-bias / 2)), abs=1e-6)


def test_at_the_threshold_there_is_no_answer() -> None:
    assert made_reader((0.0, 0.0, 0.0)).read(["What?"], ["one two"])[0].text == ""
    assert made_reader((0.0, 0.0, 0.1)).read(["What?"], ["one two"])[0].text != ""


def test_a_question_longer_than_allowed_is_cut_not_refused() -> None:
    (span,) = made_reader((0.0, 0.0, 1.0)).best_spans(["why " * 500], ["one two"])
    assert span.text


def test_a_span_is_made_of_whole_words() -> None:
    reader = made_reader((0.0, 0.0, 1.0))
    word = "Xyzzyplughqwerty"
    tokens = reader.encoder.tokenize(["?"], [word])[0].tokens
    assert len(tokens) > 5
    (span,) = reader.best_spans(["?"], [word])
    assert span.text == word


def test_a_span_that_begins_inside_a_word_begins_with_it() -> None:
    reader = made_reader((0.0, 0.0, 1.0))
    encoding = reader.encoder.tokenize(["?"], ["a Xyzzyplughqwerty b"])[0]
    inside = [at for at, sequence in enumerate(encoding.sequence_ids) if sequence == 1][3]
    start, end = _characters(encoding, inside, inside)
    assert "a Xyzzyplughqwerty b"[start:end] == "Xyzzyplughqwerty"
