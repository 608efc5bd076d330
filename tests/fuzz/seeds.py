"""What fuzzing starts from: for every door, inputs that get far, and words that its readers know."""

import json
from collections.abc import Iterator

from chattest.storage.conversations import to_json
from tests.fuzz.doors import SAVED, whole
from tests.support.sample_report import NASTY
from tests.support.stand_ins import ROOT

TOKENS = [
    "about",
    "answer",
    "information",
    "questions",
    "extract_with",
    "true",
    "false",
    "[[gate]]",
    "pattern",
    "min_pass_rate",
    "blocking",
    "behavioral_tests:",
    "- CONFIGURATIONS -",
    "test_ids",
    "test_sets",
    '"turns"',
    '"round"',
    '"plan"',
    '"probes"',
    '"steps"',
    '"schema"',
    '"settings"',
    '"error"',
    "null",
    "1e999",
    "NaN",
    "[[",
    "]]",
    "{",
    "}",
    '"""',
    "\\u",
    "p.ML-U3=",
    "maxsets.",
    "chatters=",
    "gates=",
    "models=",
    "chatter_options.http.",
    "\x1b[2J",
    "\u202e",
    "\ud83d",
    "=1+1",
    "<script>",
    "](http://",
    "![x](",
    "www.",
    "@",
    "`",
    "&#",
    "{person}",
    "{person[0]}",
    "{{",
    "2026-13-45",
    "*a",
    "&a",
    "!!python/object:os.system",
]

OVERRIDES = [
    "max_runs=3",
    "seed=x",
    'chatters=["eliza", "alice"]',
    "p.ML-U3=0.5",
    "p_MLU3TC1=0.5",
    "maxlength.ML-I1=3",
    "models.toxicity=embedded",
    'gates=[{pattern="ML-*", min_pass_rate=0.5}]',
    "topic=None",
    "affect=joy",
    "knob=1e400",
    'chatter_options={http={url="http://a"}}',
    "threshold_coherence_prompt=nan",
    "save_analysis_name=../x",
    "is_MLP1TC1=true",
]


def seeds(door: str) -> Iterator[bytes]:
    """Inputs of a door; the first byte chooses the reader, see `doors`."""
    if door == "reply":
        yield from (text.encode("utf-8", "surrogatepass") for text in NASTY if len(text) < 4000)
    elif door == "testset":
        kinds = ["qa", "co", "ia", "iq", "questions", "pairs", "mft", "directional", "bias"]
        for number, kind in enumerate(kinds):
            files = sorted((ROOT / "testsets" / kind).glob("*.toml"), key=lambda path: path.stat().st_size)
            yield from (bytes([number]) + path.read_bytes()[:4000] for path in files[:4])
        yield b'\x09[[line]]\nsay = "Hi"\nexpect = ["a", "b"]\n'
    elif door == "saved":
        for path in sorted(SAVED.iterdir()):
            if path.suffix in (".json", ".txt") and path.stat().st_size < 4000:
                yield (b"\x02" if path.suffix == ".txt" else b"\x00") + path.read_bytes()
        yield b"\x01abcdef"
        held = to_json(whole())
        frame = json.loads(held) | {"turns": []}
        lines = [frame, *json.loads(held)["turns"], {"plan": frame["plan"]}]
        yield b"\x03" + b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        yield b'\x04{"question": {"text": "a", "options": ["b"]}, "answer": {"text": "c", "confidence": 0.5}}\n'
        row = '{"check": "ML-U3", "run": 1, "conversation": "run-001", "round": 2, "verdict": "PASS", "dose": 0.5}'
        yield f'\x05{{"state": "finished", "settings": {{"seed": 1}}}}\x1e{row}\n'.encode()
        yield b'\x06{"kind": "toxicity", "text": "a", "label": true}\n{"kind": "closed", "question": "a", '
        yield b'\x07{"open": {"n": 9, "n_true": 5, "recall": 0.8, "specificity": 0.9, "threshold": 0.5}}'
    else:
        yield from (b"\x00" + text.encode() for text in OVERRIDES)
        yield b"\x01" + "\x1e".join(OVERRIDES[:8]).encode()
        yield b'\x02[[gate]]\npattern = "ML-U*"\nmin_pass_rate = 0.5\nblocking = true\nlevel = "lower"\n'
        yield b"\x03" + (ROOT / "tests" / "data" / "quality_gates.yaml").read_bytes()[:3000]
