"""The shipped models in bfloat16: nearly the same scores, and the encoder in float32 stays as it is."""

import pytest

from chattest.judges import EMBEDDED, Judges
from chattest.models.encoder import load_encoder

TEXTS = ["You are a lovely person.", "Shut up, you stupid idiot.", "The train leaves at noon.", "I hate you all."]


def test_scores_are_nearly_those_of_float32() -> None:
    full, half = Judges(), Judges()
    half.see(None, "bfloat16")
    expected, found = full.toxicity.labels(TEXTS), half.toxicity.labels(TEXTS)
    for one, other in zip(expected, found, strict=True):
        assert one == pytest.approx(other, abs=0.03)
    assert expected != found
    assert full.toxicity.labels(TEXTS) == expected
    assert load_encoder(precision="bfloat16") is not load_encoder()


def test_what_models_are_made_with_is_part_of_their_scores_key() -> None:
    names = []
    for precision, tokens in (("float32", None), ("bfloat16", None), ("bfloat16", 64)):
        judges = Judges({"toxicity": "reference"})
        judges.see(tokens, precision)
        names.append({kind: repr(judges.options.get(kind) or "") for kind in EMBEDDED})
    assert names[0] == dict.fromkeys(EMBEDDED, "''")
    assert {kind for kind in EMBEDDED if names[1][kind] != names[0][kind]} == EMBEDDED.keys() - {"toxicity"}
    assert {kind for kind in EMBEDDED if names[2][kind] != names[1][kind]} == {"coherence"}
