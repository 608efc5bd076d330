"""Test a bot behind a web service, without writing an adapter.

What it shows: the chatter "http" sends each text as JSON and reads the reply out of the answer. Here the service is a
small one that this program starts by itself; for yours, change `url`, `body` and `reply`.

Run it: python examples/02_http_service.py
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import chattest


class Service(BaseHTTPRequestHandler):
    """A bot as a web service: it keeps what each session says, and quotes the likeliest of them when it is asked."""

    heard: dict[str, list[str]] = {}

    def do_POST(self) -> None:
        """Answer one message."""
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        statements = self.heard.setdefault(message["session"], [])
        if message["text"].endswith("?"):
            wanted = set(message["text"].lower().strip("?").split())
            best = max(statements, key=lambda text: len(wanted & set(text.lower().split())), default="nothing")
            reply = f"You told me: {best}"
        else:
            statements.append(message["text"])
            reply = "Thank you, I will remember that."
        body = json.dumps({"answer": {"text": reply}}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing about single requests."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    options = {
        "url": f"http://127.0.0.1:{server.server_port}/chat",
        "body": {
            "text": "{last}",
            "session": "{session}",
        },  # {last}: the text to answer; {session}: one per conversation
        "reply": "$.answer.text",  # where the reply stands in the answer, as a JSONPath
    }
    report = chattest.run(
        "http", chatter_options={"http": options}, cases=["ML-I4", "ML-I1", "ML-P1"], conversations=4, rounds=12
    )
    print(report)
    print(f"\nsessions that the service saw: {len(Service.heard)}")
    server.shutdown()
