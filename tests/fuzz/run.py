"""Fuzzes one door with atheris: `python -m tests.fuzz.run DOOR --inputs 250000 --crashes FOLDER`.

Inputs grow from what ships (replies of the tests, test sets, saved conversations, overrides) towards code that was not
yet reached. A crash does not end the run: the first input of each kind of crash is kept in the folder, and all are told
at the end. Exit code 1 when there was one.
"""

import argparse
import os
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

import atheris

with atheris.instrument_imports(include=["chattest", "chatters"]):
    from tests.fuzz.doors import DOORS

from tests.fuzz.seeds import TOKENS, seeds


def crash_kind(error: BaseException) -> str:
    """Type and the innermost place in our own code, by which crashes are told apart."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/chattest/" in frame.filename or "/chatters/" in frame.filename] or frames
    return f"{type(error).__name__}-{Path(own[-1].filename).stem}-{own[-1].lineno}"


def main() -> None:
    """Runs until the number of inputs is reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("door", choices=DOORS)
    parser.add_argument("--inputs", type=int, default=250_000)
    parser.add_argument("--crashes", type=Path, default=Path("fuzz-crashes"))
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    door = DOORS[given.door]
    kept = given.crashes / given.door
    kept.mkdir(parents=True, exist_ok=True)
    tried = 0
    crashes: dict[str, int] = {}

    def one(data: bytes) -> None:
        nonlocal tried
        tried += 1
        try:
            door(data)
        except Exception as error:
            kind = crash_kind(error)
            crashes[kind] = crashes.get(kind, 0) + 1
            if crashes[kind] == 1:
                (kept / kind).write_bytes(data)
                traceback.print_exc()
        if tried % 10_000 == 0 or tried == given.inputs:
            print(f"{given.door}: {tried} inputs, {len(crashes)} kinds of crash: {crashes}", flush=True)
        if tried >= given.inputs:
            sys.stdout.flush()
            os._exit(int(bool(crashes)))  # an exception would be taken for one more crash

    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for number, data in enumerate(seeds(given.door)):
            (corpus / str(number)).write_bytes(data)
        words = Path(folder) / "words"
        words.write_text("".join(f'"{_escaped(token)}"\n' for token in TOKENS))
        options: list[Any] = [sys.argv[0], f"-seed={given.seed}", f"-dict={words}", "-max_len=4096", "-timeout=300"]
        options += ["-rss_limit_mb=3000", "-verbosity=0", f"-artifact_prefix={kept}/", str(corpus)]
        atheris.Setup(options, one)
        atheris.Fuzz()


def _escaped(token: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in token.encode("utf-8", "surrogatepass"))


if __name__ == "__main__":
    main()
