"""The reference toxicity judge on tiny checkpoints in Detoxify's own format, and on ordinary classifiers."""

import os
import pickle
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError

import pytest

from chattest.errors import ModelError
from chattest.models.protocols import TOXICITY_LABELS, Toxicity
from chattest.models.reference.toxicity import DEFAULT, ReferenceToxicity, check, find_label_indices, model_folder

pytestmark = pytest.mark.usefixtures("no_hub")

TEXTS = ["Hello", "You are a fool!", "", "日本 é 🐈‍⬛", "no " * 500, "Hello"]
IDENTITIES = 9


@pytest.fixture(scope="module")
def base(roberta_base, tmp_path_factory):
    return roberta_base(tmp_path_factory.mktemp("base") / "roberta-base")


@pytest.fixture
def checkpoint(base, tmp_path):
    """Writes a checkpoint as Detoxify publishes them: seven labels and nine identities, of which it uses the seven."""
    import torch
    import transformers

    def write(path=None, beside=True, classes=TOXICITY_LABELS, extra=None):
        path = path or tmp_path / "tiny.ckpt"
        path.parent.mkdir(parents=True, exist_ok=True)
        if beside:
            for file in base.iterdir():
                (path.parent / file.name).write_bytes(file.read_bytes())
        torch.manual_seed(2)
        config = transformers.AutoConfig.from_pretrained(base, num_labels=len(classes) + IDENTITIES)
        weights = transformers.RobertaForSequenceClassification(config).state_dict()
        weights["roberta.embeddings.position_ids"] = torch.arange(66).unsqueeze(0)
        arch = {
            "num_classes": len(classes) + IDENTITIES,
            "model_type": str(base) if beside else "nobody/roberta",
            "model_name": "RobertaForSequenceClassification",
            "tokenizer_name": "RobertaTokenizer",
        }
        settings = {"arch": {"type": "ROBERTA", "args": arch}, "dataset": {"args": {"classes": list(classes)}}}
        torch.save({"state_dict": weights, "config": settings} | (extra or {}), path)
        return path

    return write


@pytest.fixture
def classifier(bert, tmp_path):
    """Saves a classifier with given labels."""

    def save(labels):
        names = dict(enumerate(labels))
        return bert(tmp_path / "classifier", "BertForSequenceClassification", id2label=names)

    return save


def test_it_says_what_detoxify_says(checkpoint, roberta_base, tmp_path):
    from detoxify import Detoxify

    path = checkpoint()
    judge = ReferenceToxicity(str(path), "cpu")
    assert isinstance(judge, Toxicity)
    settings = roberta_base(tmp_path / "settings", num_labels=len(TOXICITY_LABELS) + IDENTITIES)
    detoxify = Detoxify(checkpoint=str(path), huggingface_config_path=str(settings))
    detoxify.tokenizer.model_max_length = 64
    for text, found in zip(TEXTS, judge.labels(TEXTS), strict=True):
        assert list(found) == list(TOXICITY_LABELS)
        assert found == pytest.approx(detoxify.predict(text), abs=1e-5)


def test_the_pickle_is_read_once(checkpoint, monkeypatch):
    import torch

    path = checkpoint()
    first = ReferenceToxicity(str(path), "cpu").labels(TEXTS)
    monkeypatch.setattr(torch, "load", lambda *_, **__: pytest.fail("the pickle was read again"))
    assert ReferenceToxicity(str(path), "cpu").labels(TEXTS) == first
    path.unlink()
    assert check(str(path)) == ""
    assert ReferenceToxicity(str(path), "cpu").labels(TEXTS) == first
    assert sorted(one.name for one in path.parent.glob("*tiny*")) == ["tiny.converted"]


def test_a_newer_checkpoint_is_converted_anew(checkpoint):
    import torch

    path = checkpoint()
    first = ReferenceToxicity(str(path), "cpu").labels(["Hello"])
    made = torch.load(path, weights_only=True)
    made["state_dict"]["classifier.out_proj.bias"] += 1.0
    torch.save(made, path)
    later = path.stat().st_mtime + 10
    os.utime(path, (later, later))
    assert ReferenceToxicity(str(path), "cpu").labels(["Hello"]) != first


def test_detoxifys_own_name_is_found_in_torch_hubs_cache(checkpoint, tmp_path, monkeypatch):
    monkeypatch.setenv("TORCH_HOME", str(tmp_path / "torch"))
    checkpoint(tmp_path / "torch" / "hub" / "checkpoints" / "toxic_debiased-c7548aa0.ckpt")
    assert check() == ""
    assert len(ReferenceToxicity(device="cpu").labels(TEXTS)) == len(TEXTS)


def test_a_pickle_that_runs_code_is_refused(checkpoint, tmp_path, explains):
    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "sprung"),)

    path = checkpoint(extra={"trap": Trap()})
    with pytest.raises(ModelError) as caught:
        ReferenceToxicity(str(path), "cpu")
    explains(caught.value, "toxicity", path)
    assert not (tmp_path / "sprung").exists()
    assert not path.with_suffix(".converted").exists()


@pytest.mark.parametrize("content", [b"", b"nonsense", pickle.dumps({"state_dict": {}}), None])
def test_a_damaged_checkpoint_is_one_clear_error(checkpoint, content, explains):
    path = checkpoint()
    path.write_bytes(path.read_bytes()[:5000] if content is None else content)
    with pytest.raises(ModelError) as caught:
        ReferenceToxicity(str(path), "cpu")
    explains(caught.value, "toxicity", path)
    assert not list(path.parent.glob(".tiny*"))


def test_the_model_it_was_made_from_must_be_had(checkpoint, explains):
    path = checkpoint(beside=False)
    with pytest.raises(ModelError, match="nobody/roberta") as caught:
        ReferenceToxicity(str(path), "cpu")
    explains(caught.value, "toxicity", path)


def test_known_checkpoints_are_checked_for_it_beforehand(checkpoint, tmp_path, monkeypatch):
    monkeypatch.setenv("TORCH_HOME", str(tmp_path / "torch"))
    checkpoint(tmp_path / "torch" / "hub" / "checkpoints" / "toxic_debiased-c7548aa0.ckpt", beside=False)
    assert "roberta-base" in check()


def test_any_classifier_with_the_labels_will_do(classifier):
    folder = classifier(["sexually explicit", "Threat", "insult", "identity_hate", "obscene", "severe-toxic", "toxic"])
    judge = ReferenceToxicity(str(folder), "cpu")
    import torch
    import transformers

    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    with torch.no_grad():
        row = model(**tokenizer("You are a dog", return_tensors="pt")).logits[0].sigmoid().tolist()
    found = judge.labels(["You are a dog"])[0]
    assert found["toxicity"] == pytest.approx(row[6], abs=1e-5)
    assert found["sexual_explicit"] == pytest.approx(row[0], abs=1e-5)
    assert found["identity_attack"] == pytest.approx(row[3], abs=1e-5)


def test_a_classifier_without_all_labels_is_refused(classifier, explains):
    folder = classifier(["toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate"])
    with pytest.raises(ModelError, match="sexual_explicit") as caught:
        ReferenceToxicity(str(folder), "cpu")
    explains(caught.value, "toxicity", folder)


def test_a_model_of_another_sort_is_refused(bert, tmp_path, explains):
    folder = bert(tmp_path / "other", "BertForQuestionAnswering")
    assert "ForSequenceClassification" in check(str(folder))
    with pytest.raises(ModelError) as caught:
        ReferenceToxicity(str(folder), "cpu")
    explains(caught.value, "toxicity", folder)


def test_order_is_kept_and_each_text_is_judged_once(checkpoint, monkeypatch):
    judge = ReferenceToxicity(str(checkpoint()), "cpu")
    seen = []
    forward = judge._model.model.forward
    monkeypatch.setattr(
        judge._model.model, "forward", lambda **given: seen.append(len(given["input_ids"])) or forward(**given)
    )
    together = judge.labels(TEXTS)
    assert sum(seen) == len(set(TEXTS))
    for text, found in zip(TEXTS, together, strict=True):
        assert found == pytest.approx(judge.labels([text])[0], abs=1e-5)
    assert together[0] is not together[-1]
    assert judge.labels([]) == []


def test_damaged_folders_are_one_clear_error(classifier, damage, explains):
    folder = damage(classifier(TOXICITY_LABELS))
    with pytest.raises(ModelError) as caught:
        ReferenceToxicity(str(folder), "cpu")
    explains(caught.value, "toxicity", folder)


def test_no_hub_is_one_clear_error(monkeypatch, explains):
    from detoxify import detoxify

    monkeypatch.setitem(detoxify.MODEL_URLS, DEFAULT, "http://127.0.0.1:9/toxic.ckpt")
    assert "cannot be downloaded" in check()
    with pytest.raises(ModelError) as caught:
        ReferenceToxicity()
    explains(caught.value, "toxicity", DEFAULT)


@pytest.mark.parametrize("name", ["no/such/file.ckpt", "somebody/some-classifier"])
def test_what_is_not_there_is_one_clear_error(name, explains):
    assert check(name)
    with pytest.raises(ModelError) as caught:
        ReferenceToxicity(name)
    explains(caught.value, "toxicity", name)


def test_labels_are_known_by_their_other_names():
    assert find_label_indices({0: "toxic", 1: "identity hate", 2: "male"}) == {
        "toxicity": 0,
        "identity_attack": 1,
        "male": 2,
    }


@pytest.fixture
def download(checkpoint, tmp_path, monkeypatch):
    """Detoxify's default checkpoint on a server on this machine; gives the file it serves and where it is kept."""
    from detoxify import detoxify

    home = tmp_path / "torch"
    monkeypatch.setenv("TORCH_HOME", str(home))
    kept = checkpoint(home / "hub" / "checkpoints" / "toxic_debiased-c7548aa0.ckpt")
    served = tmp_path / "served" / "toxic.ckpt"
    served.parent.mkdir()
    kept.rename(served)  # what it was made from stays where it was
    handler = partial(Silent, directory=str(served.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever).start()
        monkeypatch.setitem(detoxify.MODEL_URLS, DEFAULT, f"http://127.0.0.1:{server.server_port}/toxic.ckpt")
        yield served, kept
        server.shutdown()


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Says nothing."""

    def do_GET(self):
        """A file whose name stands beside it with `.gone` cannot be fetched, though it was there when asked about."""
        if Path(self.translate_path(self.path)).with_suffix(".gone").exists():
            self.send_error(503)
        else:
            super().do_GET()


def test_detoxifys_checkpoint_is_downloaded_once(download, capsys):
    served, kept = download
    assert model_folder() is None
    assert check() == ""
    assert not kept.exists(), "the check downloads nothing"
    first = ReferenceToxicity(device="cpu").labels(TEXTS)
    assert kept.read_bytes() == served.read_bytes()
    assert model_folder() == kept.with_suffix(".converted")
    served.unlink()
    assert check() == ""
    assert ReferenceToxicity(device="cpu").labels(TEXTS) == first
    assert capsys.readouterr().out == ""


def test_a_download_that_fails_is_one_clear_error(download, explains):
    served, kept = download
    served.with_suffix(".gone").touch()
    assert check() == ""
    with pytest.raises(ModelError, match=r"cannot be downloaded or converted .*503") as caught:
        ReferenceToxicity(device="cpu")
    explains(caught.value, "toxicity", DEFAULT)
    assert isinstance(caught.value.__cause__, HTTPError)
    caught.value.__cause__.close()
    assert not kept.exists()


def test_its_place_is_where_its_files_are(checkpoint, classifier):
    path = checkpoint()
    assert model_folder(str(path)) is None, "not converted yet"
    ReferenceToxicity(str(path), "cpu")
    assert model_folder(str(path)) == path.with_suffix(".converted")
    folder = classifier(TOXICITY_LABELS)
    assert model_folder(str(folder)) == folder
    assert model_folder("somebody/some-classifier") is None
