"""The shipped models in bfloat16: nearly the same scores, and the encoder in float32 stays as it is."""

from pathlib import Path
from typing import Any

import pytest

from chattest.models.base import KINDS
from chattest.models.embedded.encoder import load_encoder
from chattest.models.judges import Judges
from chattest.models.protocols import TOXICITY_LABELS

pytestmark = pytest.mark.slow

TEXTS = ["You are a lovely person.", "Shut up, you stupid idiot.", "The train leaves at noon.", "I hate you all."]


def test_scores_are_nearly_those_of_float32() -> None:
    full, half = Judges(), Judges()
    half.configure(None, "bfloat16")
    expected, found = full.toxicity.labels(TEXTS), half.toxicity.labels(TEXTS)
    for one, other in zip(expected, found, strict=True):
        assert one == pytest.approx(other, abs=0.03)
    assert expected != found
    assert full.toxicity.labels(TEXTS) == expected
    assert load_encoder(precision="bfloat16") is not load_encoder()


@pytest.mark.parametrize(
    ("kind", "head", "labels"),
    [
        ("reader", "BertForQuestionAnswering", {}),
        ("coherence", "BertForNextSentencePrediction", {}),
        ("toxicity", "BertForSequenceClassification", {"id2label": dict(enumerate(TOXICITY_LABELS))}),
        ("similarity", "", {}),
    ],
)
def test_so_are_those_of_models_by_name(
    kind: str, head: str, labels: dict[str, Any], bert: Any, sentence_transformer: Any, tmp_path: Path
) -> None:
    folder = str(bert(tmp_path / kind, head, **labels) if head else sentence_transformer(tmp_path / kind))
    asked, replies = ["What is my cat called?", "Hello"], ["Your cat is called Mittens.", "You are fine, not a dog."]

    def scores(precision: str) -> list[float]:
        judges = Judges({kind: folder})
        judges.configure(None, precision)
        if kind == "reader":
            return [span.probability for span in judges.reader.read(asked, replies)]
        if kind == "coherence":
            return judges.coherence.coherence(asked, replies)
        if kind == "toxicity":
            return [label for labels in judges.toxicity.labels(replies) for label in labels.values()]
        return judges.similarity.similarity(asked, replies)

    full, half = scores("float32"), scores("bfloat16")
    assert half == pytest.approx(full, abs=0.03)
    assert half != full


def test_what_models_are_made_with_is_part_of_their_scores_key() -> None:
    names = []
    for precision, tokens in (("float32", None), ("bfloat16", None), ("bfloat16", 64)):
        judges = Judges({"toxicity": "reference"})
        judges.configure(tokens, precision)
        names.append({kind: repr(judges.options.get(kind) or "") for kind in KINDS})
    assert names[0] == dict.fromkeys(KINDS, "''")
    assert {kind for kind in KINDS if names[1][kind] != names[0][kind]} == set(KINDS)
    assert {kind for kind in KINDS if names[2][kind] != names[1][kind]} == {"coherence"}
