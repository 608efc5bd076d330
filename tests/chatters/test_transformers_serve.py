"""The `openai` chatter against a real `transformers serve` with a tiny model."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from chattest.errors import ChatterError
from tests.support.tiny_models import LEARNT, causal

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Base URL of the endpoint, and the model's name there."""
    folder = causal(tmp_path_factory.mktemp("served"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).parent / "transformers"), "serve", str(folder), "--host", "127.0.0.1"]
    log = folder / "serve.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [*command, "--port", str(port), "--device", "cpu"],
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | {"HF_HUB_OFFLINE": "1"},
        )
    url = f"http://127.0.0.1:{port}"
    for _ in range(2400):
        assert process.poll() is None, log.read_text()
        try:
            if httpx.get(f"{url}/health", trust_env=False).is_success:
                break
        except httpx.TransportError:
            time.sleep(0.1)
    else:
        raise AssertionError(log.read_text())
    yield f"{url}/v1", str(folder)
    process.send_signal(signal.SIGINT)
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def test_it_talks_to_transformers_serve(make, served):
    url, model = served
    bot = make("openai", base_url=url, model=model, temperature=0, max_tokens=20)
    assert [bot.get_response([text]) for text in LEARNT] == list(LEARNT.values())
    assert bot.get_response(["Hello", LEARNT["Hello"], "How are you?"])


def test_a_model_it_does_not_serve(make, served):
    url, _ = served
    with pytest.raises(ChatterError, match=r"answered \d+"):
        make("openai", base_url=url, model="no/such", retries=0).get_response(["Hi"])
