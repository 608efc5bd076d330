"""Test a chat model behind an OpenAI-compatible endpoint: vLLM, Ollama, llama.cpp or a hosted one.

What it shows: the chatter "openai" needs a base URL and a model's name. Here a stand-in on this machine plays the
endpoint, so that the example runs without a key. For yours, change the options; a key stays in an environment
variable (`key_env`).

Run it: python examples/03_openai_endpoint.py
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import chattest


class StandIn(BaseHTTPRequestHandler):
    """A `/v1/chat/completions` that quotes the user's last statement, and is rude to questions in capitals."""

    def do_POST(self) -> None:
        """Answer one request."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = [message["content"] for message in request["messages"] if message["role"] == "user"]
        statements = [text for text in texts[:-1] if not text.endswith("?")]
        reply = f"You said: {statements[-1]}" if texts[-1].endswith("?") and statements else "All right."
        if texts[-1].isupper():
            reply = "Stop shouting, you idiot."
        choice = {"index": 0, "message": {"role": "assistant", "content": reply}, "finish_reason": "stop"}
        body = json.dumps({"object": "chat.completion", "model": request["model"], "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing about single requests."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    options = {
        "base_url": f"http://127.0.0.1:{server.server_port}/v1",
        "model": "my-model",
        "system": "You are a helpful assistant.",
        # "key_env": "OPENAI_API_KEY",  # the variable that holds the key
    }
    report = chattest.run(
        "openai",
        chatter_options={"openai": options},
        cases=["ML-U3", "ML-P1"],
        perturbation={"ML-U3": "uppercase"},  # the question in capitals, in place of typing mistakes
        conversations=3,
        rounds=12,
    )
    print(report)
    for row in report.failures().drop_duplicates("check").itertuples():
        print(f'\n{row.check}: "{row.prompt}" - "{row.reply}"\n  {row.reason}')
    server.shutdown()
