"""Each perturbation against its golden file: seed, texts, and what it makes of them, read one by one by a person."""

import json
from random import Random

import pytest

from chattest.errors import InputError
from chattest.perturbations.base import perturbations, resolve
from tests.support.paths import DATA

GOLDEN = DATA / "perturbations"
# What it makes of a text depends on the model that the user names: tests/perturbations/test_model_paraphrase.py.
WITHOUT = {"model_paraphrase"}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(perturbations.names()) - WITHOUT))
def test_golden(name):
    path = GOLDEN / f"{name}.json"
    assert path.exists(), f"write it: python -m tests.perturbations.write {name} TEXT TEXT ..."
    golden = json.loads(path.read_text("utf-8"))
    assert any(case["variants"] for case in golden["cases"])
    assert any(not case["variants"] for case in golden["cases"])
    part = perturbations.get(name)
    if part.unavailable():
        with pytest.raises(InputError, match="not available"):
            resolve(name)
        return
    for case in golden["cases"]:
        found = part.variants(case["text"], Random(golden["seed"]), case.get("keep", ()))
        got = [{"kind": new.kind, "edits": new.edits, "dose": new.dose, "text": new.text} for new in found]
        want = [variant | {"dose": pytest.approx(variant["dose"], abs=1e-5)} for variant in case["variants"]]
        assert got == want, case["text"]


def test_every_golden_file_has_its_perturbation():
    assert {path.stem for path in GOLDEN.iterdir()} == set(perturbations.names()) - WITHOUT


def test_every_kind_is_shown_in_a_golden_file():
    for name in set(perturbations.names()) - WITHOUT:
        cases = json.loads((GOLDEN / f"{name}.json").read_text("utf-8"))["cases"]
        shown = {variant["kind"] for case in cases for variant in case["variants"]}
        assert shown == set(perturbations.get(name).kinds), name


def test_every_perturbation_declares_itself():
    for part in perturbations:
        assert part.family in ("understanding", "azimuth", "robustness", "bias", "grammar", "noise"), part.name
        assert part.kinds, part.name
        assert part.dose_unit, part.name
        assert part.dose_step > 0, part.name
        assert len((type(part).__doc__ or "").split()) > 10, part.name
        for perturbation, kind in part.reverse.values():
            assert kind in perturbations.get(perturbation).kinds, part.name
