"""Training the coherence judge's network further: what it learns from, and that the best epoch is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from chattest.models.embedded.adapter import find_shipped_adapter, read_adapter
from training import coherence_talk
from training.fits import Fit
from training.trunk.pairs import either
from training.written_rows import read_written

pytestmark = pytest.mark.slow


def test_what_chooses_is_not_learnt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    threads = [either("coherence", f"a [SEP] b{number}", f"reply {number}", number % 2 == 0) for number in range(500)]
    monkeypatch.setattr(coherence_talk, "rated_threads", lambda folder, part: iter(threads))
    monkeypatch.setattr(coherence_talk, "turns_of_collection", lambda *of: [["Hello.", "Hi, who are you?", "Ann."]])
    learnt, choosing = coherence_talk.learnt(tmp_path, 1), coherence_talk.choosing(tmp_path)
    assert Fit(("a", "b99"), "reply 99", False, "bot") in learnt
    assert choosing["toxichat"][0] == Fit(("a", "b100"), "reply 100", True, "bot")
    assert not {fit.reply for fit in learnt} & {fit.reply for fit in choosing["toxichat"]}
    written = [(*fit.context, fit.reply) for fit in learnt if fit.sort == "written"]
    rows = read_written("coherence", "train")
    assert written[: len(rows)] == [(*row["context"], row["prompt"], row["reply"]) for row in rows]
    assert Fit(("Hello.",), "Hi, who are you?", True, "true") in learnt


def test_a_short_run_keeps_the_network_that_tells_most(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fits = [
        Fit(("Do you like tea?",), "Yes, with milk.", True, "x"),
        Fit(("Do you like tea?",), "At nine.", False, "x"),
    ]
    fits += [Fit(("When do you get up?",), "At nine.", True, "x"), Fit(("When do you get up?",), "Yes.", False, "x")]
    monkeypatch.setattr(coherence_talk, "learnt", lambda data, seed: fits * 20)
    monkeypatch.setattr(coherence_talk, "choosing", lambda data: {"these": fits})
    output = tmp_path / "made.safetensors"
    coherence_talk.main(["--data", str(tmp_path), "--output", str(output)])
    before, made = read_adapter(find_shipped_adapter("coherence")), read_adapter(output)
    assert made.name == before.name
    assert made.settings == before.settings
    assert made.head.keys() == before.head.keys()
    assert made.head["trunk.weight"].equal(before.head["trunk.weight"])
