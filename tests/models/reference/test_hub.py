"""Where the reference models' files come from: a folder, the hub's cache, a hub (one that the test runs)."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from chattest.errors import ModelError
from chattest.models.hub import TOKENIZER, describe_load_error, fetch, find_model_problem

COMMIT = "0" * 40


class Hub(ThreadingHTTPServer):
    """Answers for one model, `somebody/tiny`, as far as its client asks."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Pages)
        self.folder = folder
        self.asked: list[str] = []
        self.failing: str | None = None  # what is in the addresses that fail


class Pages(BaseHTTPRequestHandler):
    """The pages that a download needs."""

    server: Hub

    def do_HEAD(self) -> None:
        """A file's size and version."""
        self.answer(with_body=False)

    def do_GET(self) -> None:
        """A file, or what files there are."""
        self.answer(with_body=True)

    def answer(self, with_body: bool) -> None:
        """Answers a request."""
        path = self.path.partition("?")[0]
        self.server.asked.append(path)
        status, body = 404, b"{}"
        if self.server.failing and self.server.failing in path:
            status = 503 if path.startswith("/api/") else 403  # which is not tried again
        elif path.startswith("/api/models/somebody/tiny/tree/"):
            sizes = {file.name: file.stat().st_size for file in self.server.folder.iterdir()}
            tree = [{"type": "file", "path": name, "size": size, "oid": name} for name, size in sizes.items()]
            status, body = 200, json.dumps(tree).encode()
        elif path.startswith("/api/models/somebody/tiny"):
            files = [{"rfilename": file.name} for file in self.server.folder.iterdir()]
            status, body = 200, json.dumps({"id": "somebody/tiny", "sha": COMMIT, "siblings": files}).encode()
        elif path.startswith("/somebody/tiny/resolve/"):
            file = self.server.folder / path.rpartition("/")[2]
            status, body = 200, file.read_bytes()
        self.send_response(status)
        if status == 404:
            self.send_header("X-Error-Code", "RepoNotFound")
        self.send_header("ETag", f'"{path.rpartition("/")[2]}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def model(bert, tmp_path):
    """A model as it lies on the hub, with files that nobody needs."""
    folder = bert(tmp_path / "published", "BertForQuestionAnswering")
    (folder / "pytorch_model.bin").write_bytes(b"the same again")
    (folder / "tf_model.h5").write_bytes(b"and again")
    return folder


@pytest.fixture
def hub(no_hub, model, monkeypatch):
    """A hub with that model, and an empty cache."""
    from huggingface_hub import constants

    with Hub(model) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}"
        monkeypatch.setattr(constants, "ENDPOINT", address)
        monkeypatch.setattr(
            constants, "HUGGINGFACE_CO_URL_TEMPLATE", address + "/{repo_id}/resolve/{revision}/{filename}"
        )
        yield server
        server.shutdown()
        thread.join()


def test_a_model_is_fetched_once(hub):
    assert find_model_problem("somebody/tiny") == ""
    folder = fetch("reader", "somebody/tiny")
    names = {file.name for file in folder.iterdir()}
    assert {"config.json", "tokenizer.json", "model.safetensors"} <= names
    assert not {"pytorch_model.bin", "tf_model.h5"} & names
    hub.asked.clear()
    assert find_model_problem("somebody/tiny") == ""
    assert fetch("reader", "somebody/tiny") == folder
    assert hub.asked == []


def test_older_weights_are_fetched_where_there_are_no_others(hub, model):
    (model / "model.safetensors").unlink()
    assert (fetch("reader", "somebody/tiny") / "pytorch_model.bin").is_file()


def test_a_tokenizer_alone_is_fetched_without_weights(hub):
    names = {file.name for file in fetch("toxicity", "somebody/tiny", TOKENIZER).iterdir()}
    assert "tokenizer.json" in names
    assert "model.safetensors" not in names
    assert (fetch("reader", "somebody/tiny") / "model.safetensors").is_file()


def test_a_reader_from_the_hub_reads(hub):
    from chattest.models.reference.reader import ReferenceReader

    reader = ReferenceReader("somebody/tiny", "cpu")
    assert reader.name == "somebody/tiny"
    assert reader.read(["Who is it?"], ["It is the cat."])[0].text


def test_what_the_hub_has_not_is_said_and_asked_once(hub):
    assert "no model of that name" in find_model_problem("somebody/else")
    assert len(hub.asked) == 1


def test_a_model_on_the_hub_without_weights_is_said(hub, model):
    for file in ("model.safetensors", "pytorch_model.bin"):
        (model / file).unlink()
    assert "lacks *model*.safetensors" in find_model_problem("somebody/tiny")


def test_a_hub_that_fails_is_not_asked_again_and_again(hub):
    hub.failing = "/"
    assert "503" in find_model_problem("somebody/tiny")
    assert len(hub.asked) == 1
    with pytest.raises(ModelError):
        fetch("reader", "somebody/tiny")
    assert len(hub.asked) == 2


def test_a_hub_that_fails_while_a_model_is_fetched_is_one_clear_error(hub, explains):
    hub.failing = "/resolve/"
    assert find_model_problem("somebody/tiny") == ""
    with pytest.raises(ModelError, match="downloading it from the hub failed") as caught:
        fetch("reader", "somebody/tiny")
    explains(caught.value, "reader", "somebody/tiny")


def test_offline_mode_is_named(no_hub, monkeypatch):
    from huggingface_hub import close_session, constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    close_session()
    assert "HF_HUB_OFFLINE" in find_model_problem("somebody/tiny")
    close_session()


@pytest.mark.parametrize("name", ["./no-such", "/no/such", "a/b/c", "~/no-such", "..", "", "two words", "日本", "a--b"])
def test_what_can_be_no_hub_name_is_a_missing_folder(no_hub, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert find_model_problem(name)


@pytest.mark.parametrize("gone", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_folder_that_lacks_a_file_is_said_without_asking_the_hub(hub, bert, tmp_path, gone):
    folder = bert(tmp_path / "mine", "BertForQuestionAnswering")
    assert find_model_problem(str(folder)) == ""
    (folder / gone).unlink()
    assert gone in find_model_problem(str(folder)).replace("*model*", "model")
    assert hub.asked == []


def test_a_folder_may_be_named_from_home(no_hub, bert, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    bert(tmp_path / "mine", "BertForQuestionAnswering")
    assert fetch("reader", "~/mine") == tmp_path / "mine"


def test_the_refusal_names_model_setting_and_way_out():
    text = describe_load_error("reader", "somebody/tiny", "there is none")
    for part in ('"somebody/tiny"', "there is none", 'models = {"reader":', 'models = "embedded"'):
        assert part in text
