"""The one encoder: order, duplicates, batches, adapters in and out of its weights, and its own sentence embeddings."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from chattest.models.embedded.adapter import Adapter, read_adapter
from chattest.models.embedded.batching import Batch, drop_duplicates, split_into_batches
from chattest.models.embedded.coherence import EmbeddedCoherence
from chattest.models.embedded.device import pick_device
from chattest.models.embedded.encoder import Encoder, load_encoder
from chattest.models.embedded.similarity import EmbeddedSimilarity
from training.adapters import write_adapter

QUERY = "encoder.layer.5.attention.self.query"
NORM = "encoder.layer.5.output.LayerNorm.weight"


def made_adapter(seed: int, scale: float = 1.0) -> Adapter:
    source = torch.Generator().manual_seed(seed)

    def drawn(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=source).half().float()

    changes = {f"{QUERY}.lora_A": drawn(2, 384), f"{QUERY}.lora_B": drawn(384, 2), f"full.{NORM}": drawn(384)}
    return Adapter(f"made/{seed}", scale, {"labels": ["a", "b"]}, changes, {"weight": drawn(2, 384)})


def pooled(encoder: Encoder, adapter: Adapter | None, texts: list[str]) -> torch.Tensor:
    return torch.stack(encoder.each(adapter, texts, None, lambda batch: list(batch.pooled())))


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder("cpu")


def test_the_process_has_one_encoder(encoder: Encoder) -> None:
    assert load_encoder("cpu") is encoder
    assert load_encoder(pick_device("auto")) is load_encoder("auto")


def test_meaning_shows_in_the_embeddings(encoder: Encoder) -> None:
    cat, kitten, shares = encoder.embed(["The cat sleeps.", "A kitten is napping.", "Shares fell sharply today."])
    assert cat @ kitten > 0.5 > 0.2 > cat @ shares
    assert float(cat @ cat) == pytest.approx(1.0, abs=1e-5)


def test_capitals_do_not_count(encoder: Encoder) -> None:
    upper, lower = encoder.embed(["My Name Is JOHAN", "my name is johan"])
    assert torch.equal(upper, lower)


def test_results_come_in_order_each_text_once(encoder: Encoder) -> None:
    texts = ["a much longer text than all of the others are", "b", "c d e", "b", "", "a much longer text", "c d e"]
    seen: list[int] = []

    def lengths(batch: Batch) -> list[int]:
        seen.append(len(batch.encodings))
        return [len(e.ids) for e in batch.encodings]

    counts = encoder.each(None, texts, None, lengths)
    assert counts == [len(encoder.tokenize([text])[0].ids) for text in texts]
    assert sum(seen) == 5


def test_a_texts_result_does_not_depend_on_its_batch(encoder: Encoder) -> None:
    texts = [" ".join(["word"] * n) for n in range(1, 40, 3)]
    together = encoder.embed(texts)
    small = Encoder("cpu", batch_tokens=16)
    assert torch.equal(together, small.embed(texts))


def test_altered_weights_are_read_though_copies_of_them_are_kept(encoder: Encoder) -> None:
    """An adapter's own tensors are the encoder's weights, so that they can be altered behind its back."""
    made = made_adapter(1)
    weight = torch.eye(384)
    adapter = replace(made, changes={f"full.{QUERY}.weight": weight})
    before = pooled(encoder, adapter, ["hello there"])
    encoder.base_model()
    weight.mul_(3)
    assert not torch.equal(pooled(encoder, adapter, ["hello there"]), before)
    encoder.base_model()
    weight.div_(3)
    assert torch.equal(pooled(encoder, adapter, ["hello there"]), before)


def test_judges_with_the_same_changes_do_not_share_their_scale(encoder: Encoder) -> None:
    one = made_adapter(1, scale=0.01)
    other = replace(one, scale=0.05)
    assert not torch.equal(pooled(encoder, one, ["hello"]), pooled(encoder, other, ["hello"]))
    assert torch.equal(pooled(encoder, one, ["hello"]), pooled(encoder, replace(one, name="made/other"), ["hello"]))


def test_pairs_are_marked_left_and_right_and_must_match_in_number(encoder: Encoder) -> None:
    (types,) = encoder.each(None, ["who?"], ["me"], lambda batch: batch.types.tolist())
    assert types == [0, 0, 0, 0, 1, 1]
    with pytest.raises(ValueError, match="zip"):
        encoder.each(None, ["who?", "why?"], ["me"], lambda batch: batch.types.tolist())


def test_nothing_in_nothing_out(encoder: Encoder) -> None:
    assert encoder.each(None, [], [], lambda batch: batch.types.tolist()) == []
    assert encoder.embed([]).shape == (0, 384)


@pytest.mark.parametrize(("cut_from", "kept"), [("right", "one two"), ("left", "four five")])
def test_either_end_can_be_cut(encoder: Encoder, cut_from: str, kept: str) -> None:
    (encoding,) = encoder.tokenize(["one two three four five"], None, 4, cut_from=cut_from)  # type: ignore[arg-type]
    assert " ".join(encoding.tokens[1:-1]) == kept


def test_an_adapter_changes_the_weights_as_it_says_and_leaves_without_a_trace(encoder: Encoder) -> None:
    before = pooled(encoder, None, ["hello there"])
    parameters = dict(encoder.model.named_parameters())
    base, norm = parameters[f"{QUERY}.weight"].clone(), parameters[NORM].clone()
    one, two = made_adapter(1, scale=0.5), made_adapter(2)
    for adapter in (one, two, one):
        encoder.use(adapter)
        change = adapter.changes[f"{QUERY}.lora_B"] @ adapter.changes[f"{QUERY}.lora_A"]
        assert torch.equal(parameters[f"{QUERY}.weight"], base + adapter.scale * change)
        assert torch.equal(parameters[NORM], adapter.changes[f"full.{NORM}"])
    encoder.use(None)
    assert torch.equal(parameters[f"{QUERY}.weight"], base)
    assert torch.equal(parameters[NORM], norm)
    assert torch.equal(pooled(encoder, None, ["hello there"]), before)


def test_a_judges_result_does_not_depend_on_who_ran_before(encoder: Encoder) -> None:
    one, two = made_adapter(1, scale=0.01), made_adapter(2, scale=0.01)
    alone = pooled(encoder, one, ["hello"])
    other = pooled(encoder, two, ["hello"])
    assert not torch.equal(alone, other)
    assert torch.equal(pooled(encoder, one, ["hello"]), alone)


def noted_sizes(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts are read at a time without an adapter; with one, they are read in pairs."""
    run, sizes = encoder.run, list[int]()

    def noted(adapter: Adapter | None, encodings: Sequence[Any], read: Callable[[Batch], Sequence[Any]]) -> list[Any]:
        if adapter is None:
            sizes.append(len(encodings))
        return run(adapter, encodings, read)

    monkeypatch.setattr(encoder, "run", noted)
    return sizes


def test_a_text_is_embedded_once_whoever_asks(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = noted_sizes(encoder, monkeypatch)
    encoder.base_model()
    EmbeddedSimilarity().similarity(["A cat.", "Two dogs."], ["A cat.", "A cow, a hen."])
    assert sum(sizes) == 3
    EmbeddedCoherence().coherence(["A cow, a hen.\nTwo dogs.", "Two dogs."], ["And a horse.", "A cat."])
    assert sum(sizes) == 4
    # An ending that was cut away for one judge and a beginning for another are not the same text.
    long = " ".join(["one"] * 200 + ["two"] * 200)
    ending, beginning = encoder.embeddings([long], 64, "left"), encoder.embeddings([long], 64, "right")
    assert not torch.equal(ending[0].vector, beginning[0].vector)
    assert ending[0].tokens == beginning[0].tokens == 62
    assert sum(sizes) == 6


def test_what_altered_weights_make_of_a_text_is_not_remembered(encoder: Encoder) -> None:
    before = encoder.embed(["hello there"])
    weight = encoder.base_model().get_parameter("encoder.layer.0.attention.self.query.weight")
    kept = weight.detach().clone()
    try:
        with torch.no_grad():
            weight.mul_(0.5)
        altered = encoder.embed(["hello there"])
    finally:
        encoder.base_model()
        with torch.no_grad():
            weight.copy_(kept)
    assert not torch.allclose(altered, before, atol=1e-3)
    assert torch.equal(encoder.embed(["hello there"]), before)


def test_what_an_adapter_makes_of_altered_weights_is_not_remembered(encoder: Encoder) -> None:
    adapter = made_adapter(1, scale=0.01)
    before = pooled(encoder, adapter, ["hello there"])
    weight = encoder.base_model().get_parameter(f"{QUERY}.weight")
    kept = weight.detach().clone()
    try:
        with torch.no_grad():
            weight.mul_(0.5)
        altered = pooled(encoder, adapter, ["hello there"])
    finally:
        encoder.base_model()
        with torch.no_grad():
            weight.copy_(kept)
    assert not torch.allclose(altered, before, atol=1e-3)
    assert torch.equal(pooled(encoder, adapter, ["hello there"]), before)


def test_an_adapters_sums_are_kept_while_none_is_used(encoder: Encoder) -> None:
    adapter = made_adapter(1)
    encoder.use(adapter)
    summed = encoder.model.get_parameter(f"{QUERY}.weight").data_ptr()
    encoder.use(None)
    assert encoder.model.get_parameter(f"{QUERY}.weight").data_ptr() != summed
    encoder.use(adapter)
    assert encoder.model.get_parameter(f"{QUERY}.weight").data_ptr() == summed


def test_more_texts_than_are_remembered(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chattest.models.embedded.encoder.CACHED_TEXTS", 3)
    encoder.base_model()
    sizes = noted_sizes(encoder, monkeypatch)
    first = encoder.embed(["one", "two"])
    assert encoder.embed(["three", "four", "one", "five"]).shape == (4, 384)
    assert torch.allclose(encoder.embed(["one", "two"]), first, atol=1e-6)
    assert sizes == [2, 3, 2], "what was forgotten is read again"


def test_an_adapter_is_the_same_after_writing_and_reading(tmp_path: Path) -> None:
    adapter = made_adapter(3, scale=0.25)
    path = tmp_path / "judge" / "judge.safetensors"
    write_adapter(path, adapter)
    again = read_adapter(path)
    assert (again.name, again.scale, again.settings) == (adapter.name, adapter.scale, adapter.settings)
    assert again.changes.keys() == adapter.changes.keys()
    assert all(torch.equal(again.changes[name], value) for name, value in adapter.changes.items())
    assert torch.equal(again.head["weight"], adapter.head["weight"])
    assert [p.name for p in path.parent.iterdir()] == ["judge.safetensors"]
    write_adapter(path, replace(adapter, name="made/newer"))
    assert read_adapter(path).name == "made/newer"


def test_a_file_that_is_no_adapter_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.safetensors"
    save_file({"x": torch.zeros(1)}, path, metadata={"settings": json.dumps({})})
    with pytest.raises(ValueError, match="not a chattest adapter"):
        read_adapter(path)
    with pytest.raises(FileNotFoundError):
        read_adapter(tmp_path / "absent.safetensors")


def test_duplicates_are_dropped_in_order_of_appearance() -> None:
    assert drop_duplicates(["b", "a", "b", "c", "a"]) == (["b", "a", "c"], [0, 1, 0, 2, 1])


def test_one_long_text_does_not_make_all_others_long(encoder: Encoder) -> None:
    texts = [f"{number} cats" for number in range(60)] + ["a dog " * 100, "a cow " * 30]

    def read(batch: Batch) -> list[tuple[int, int]]:
        assert batch.mask.numel() == sum(map(len, batch.encodings)), "padding was read"
        rows, columns = batch.mask.shape
        return [(rows, columns)] * len(batch.encodings)

    shapes = encoder.run(None, encoder.tokenize(texts), read)
    assert len(shapes) == 62
    assert len(set(shapes)) <= 4


def test_where_texts_are_padded_a_long_one_begins_a_new_batch() -> None:
    lengths = [*[4] * 60, 62, 202]
    batches = split_into_batches(list(range(len(lengths))), lengths, 4096)
    padded = sum(len(rows) * max(lengths[row] for row in rows) for rows in batches)
    assert padded <= 1.1 * sum(lengths)
    assert len(batches) <= 4
    assert split_into_batches(list(range(len(lengths))), lengths, 4096, padding=False) == [list(range(len(lengths)))]
    assert [len(rows) for rows in split_into_batches(list(range(60)), lengths, 100, padding=False)] == [25, 25, 10]
