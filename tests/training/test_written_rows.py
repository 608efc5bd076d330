"""The written rows: whole, apart from what measures, and not to be guessed from the reply alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from tests.support.paths import DATA
from training.written_rows import (
    ABOUT,
    CHOOSING,
    FOLDER,
    HELD_OUT,
    Kind,
    Part,
    read_written,
    sequences,
    write_rows,
)

KINDS: tuple[Kind, ...] = get_args(Kind)
PARTS: tuple[Part, ...] = get_args(Part)
LABELS: dict[Kind, tuple[str, set[object]]] = {
    "closed": ("reading", {"yes", "no", "neither"}),
    "open": ("label", {True, False}),
    "coherence": ("label", {True, False}),
    "toxicity": ("toxic", {True, False}),
    "consistency": ("label", {"contradicts", "agrees", "neutral"}),
    "same-question": ("label", {True, False}),
    "answers": ("label", {True, False}),
}
TEXTS = ("information", "question", "extract_with", "reply", "prompt", "text", "earlier", "first", "second", "altered")
BALANCED = {
    "open": ("open-o1", "open-o2", "open-o3", "open-o4"),
    "coherence": ("coherence-k1", "coherence-k2", "coherence-k6", "coherence-k7"),
}
"""Writers whose replies alone do not tell the label."""


def all_rows(kind: Kind) -> list[dict[str, Any]]:
    return [row for part in PARTS for row in read_written(kind, part)]


def texts_of(row: dict[str, Any]) -> Iterator[str]:
    yield from (row[name] for name in TEXTS if row.get(name))
    yield from row.get("context") or ()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_row_is_whole_and_comes_once(kind: Kind) -> None:
    field, labels = LABELS[kind]
    rows = all_rows(kind)
    for row in rows:
        assert row[field] in labels
        assert row["writer"].startswith(f"{kind}-")
        assert row["tag"]
        assert all(text.strip() for text in texts_of(row))
    seen = Counter(json.dumps([row["writer"], *texts_of(row)]) for row in rows)
    assert max(seen.values()) == 1
    shares = Counter(row[field] for row in rows)
    assert min(shares.values()) > len(rows) / len(labels) * 0.6, "every label is met often"


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_fifth_is_held_out_by_writer_and_a_tenth_chooses_by_group(kind: Kind) -> None:
    parts = {part: read_written(kind, part) for part in PARTS}
    rows = sum(map(len, parts.values()))
    held_out = len(parts["held-out"]) / rows
    assert 0.14 < held_out < 0.45
    of_all = [row for row in parts["choosing"] if row["writer"] not in CHOOSING]
    assert 0.05 < len(of_all) / rows < 0.12
    assert not {row["writer"] for row in parts["train"]} & CHOOSING
    assert {row["writer"] for row in parts["held-out"]} <= HELD_OUT
    assert not {row["writer"] for row in [*parts["train"], *parts["choosing"]]} & HELD_OUT
    groups = {
        part: {(row["writer"], row[ABOUT[kind]]) for row in rows if row[ABOUT[kind]]} for part, rows in parts.items()
    }
    assert not groups["train"] & groups["choosing"]


UNTAUGHT = ("stutter", "abstention", "untold")
"""Judged by rules and the reader, which learn from no written row."""


@pytest.mark.slow
def test_nothing_that_is_trained_on_shares_six_words_with_what_measures() -> None:
    measured = [text for kind in KINDS for row in read_written(kind, "held-out") for text in texts_of(row)]
    for path in (DATA / "judging").glob("*.jsonl"):
        if path.stem.endswith("-tune") or path.stem.startswith(UNTAUGHT):
            continue
        measured += [
            text for line in path.read_text(encoding="utf-8").splitlines() for text in texts_of(json.loads(line))
        ]
    known = sequences(measured)
    assert len(known) > 10_000
    for kind in KINDS:
        for row in [*read_written(kind, "train"), *read_written(kind, "choosing")]:
            assert not known & sequences(texts_of(row)), row


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "writer"), [(kind, writer) for kind in BALANCED for writer in BALANCED[kind]])
def test_the_reply_alone_does_not_tell_the_label(kind: Kind, writer: str) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import GroupKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline

    rows = [row for row in all_rows(kind) if row["writer"] == writer]
    groups = {about: number for number, about in enumerate(dict.fromkeys(row[ABOUT[kind]] for row in rows))}
    probe = make_pipeline(TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), LogisticRegression(C=3, max_iter=500))
    chances = cross_val_predict(
        probe,
        [row["reply"] for row in rows],
        [row["label"] for row in rows],
        groups=[groups[row[ABOUT[kind]]] for row in rows],
        cv=GroupKFold(5),
        method="predict_proba",
    )
    assert roc_auc_score([row["label"] for row in rows], chances[:, 1]) < 0.62


def test_equal_rows_are_packed_to_equal_bytes(tmp_path: Any) -> None:
    for name in ("one", "two"):
        write_rows(tmp_path / name, [{"writer": "x", "reply": "Zoë"}])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert {path.name.removesuffix(".jsonl.gz") for path in FOLDER.glob("*.gz")} == set(KINDS)
