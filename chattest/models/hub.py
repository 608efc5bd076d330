"""Find the files of a reference model: in a folder, in the hub's cache on this machine, or on the hub.

A name is a folder if there is one of that name, else a model on the hub. Cached files are used without asking the hub,
so that results do not depend on the network. Otherwise the hub is asked once, with a timeout of `HUB_SECONDS` and
without retries.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

from chattest.errors import ModelError
from chattest.files.home import home
from chattest.models.integrity import find_folder_problem

HUB_SECONDS = 5.0
"""Timeout for the hub's response, in seconds."""

Needs = tuple[tuple[str, ...], ...]
"""Groups of file name patterns; a model must have a file for each group. The first pattern must be a plain name."""

WEIGHTS = ("*model*.safetensors", "*pytorch_model*.bin")
TOKENIZER: Needs = (("config.json",), ("tokenizer.json", "vocab.txt", "vocab.json", "*.model"))
TRANSFORMER: Needs = (*TOKENIZER, WEIGHTS)

_DOWNLOADED = ["*.json", "*.txt", "*.model", "README.md"]
_NOT_DOWNLOADED = ["onnx/*", "openvino/*", "coreml/*", "*.h5", "*.msgpack", "*.ot"]


def find_model_problem(name: str, needs: Needs = TRANSFORMER, head: str = "") -> str:
    """Return why a model cannot be loaded, as far as can be seen without loading it; '' if nothing is wrong.

    Args:
        name: A folder or a name on the hub.
        needs: The files it must have.
        head: Text that one of its `architectures` must contain, such as `ForQuestionAnswering`; only checked if the
            files are on this machine and name their architecture.
    """
    folder = find_local_folder(name, needs)
    if folder is None:
        return _missing_at_hub(name, needs)
    return _missing(folder, needs) or _wrong_head(folder, head) or find_folder_problem(folder)


def fetch(kind: str, name: str, needs: Needs = TRANSFORMER) -> Path:
    """Return the folder with a model's files; download them from the hub if they are not on this machine yet.

    Raises:
        ModelError: There is no such model, or the hub cannot be reached.
    """
    why = find_model_problem(name, needs)
    if why:
        raise ModelError(describe_load_error(kind, name, why))
    folder = find_local_folder(name, needs)
    if folder is not None:
        return folder
    from huggingface_hub import HfApi

    try:
        files = _hub_files(name)
        wanted = list(_DOWNLOADED)
        if WEIGHTS in needs:
            wanted.append("*.safetensors" if any(fnmatch(file, WEIGHTS[0]) for file in files) else WEIGHTS[1])
        return Path(
            HfApi().snapshot_download(
                name, allow_patterns=wanted, ignore_patterns=_NOT_DOWNLOADED, etag_timeout=HUB_SECONDS
            )
        )
    except Exception as error:  # the hub's client does not wrap the exceptions of its libraries
        raise ModelError(
            describe_load_error(kind, name, f"downloading it from the hub failed ({shorten_error(error)})")
        ) from error


def describe_load_error(kind: str, name: str, why: str) -> str:
    """Word a `ModelError`: which model, why, and how to change the setting."""
    return (
        f'The {kind} model "{name}" cannot be loaded: {why}.\n'
        f'    Set models = {{"{kind}": "..."}} in config.py to a folder or a hub name that can be loaded, '
        f'or models = "embedded" for the judges that ship with chattest and work offline.'
    )


def shorten_error(error: BaseException) -> str:
    """Return an exception's type and the first line of its message."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:200]}" if lines else type(error).__name__


def find_local_folder(name: str, needs: Needs = TRANSFORMER) -> Path | None:
    """Return a model's folder on this machine: the folder of that name, or a complete download in the hub's cache."""
    folder = home() / Path(name).expanduser()
    if folder.is_dir():
        return folder
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        cached_file = try_to_load_from_cache(name, needs[0][0])
    except HFValidationError:
        return None
    cached = Path(cached_file).parent if isinstance(cached_file, str) else None
    return cached if cached is not None and not _missing(cached, needs) else None


def _missing(folder: Path, needs: Needs) -> str:
    files = [path.relative_to(folder).as_posix() for depth in ("*", "*/*") for path in folder.glob(depth)]
    lacks = _lacks(files, needs)
    return f"the folder lacks {lacks}" if lacks else ""


def _lacks(files: Iterable[str], needs: Needs) -> str:
    """Return the first group of patterns without a file, in words; '' if there is none."""
    names = list(files)
    for group in needs:
        if not any(fnmatch(name, pattern) for name in names for pattern in group):
            return " or ".join(group)
    return ""


def _wrong_head(folder: Path, head: str) -> str:
    """Return why the model's architecture is not the needed one; '' if it is."""
    try:
        made_for = json.loads((folder / "config.json").read_text("utf-8")).get("architectures")
    except (OSError, ValueError, AttributeError) as error:
        return f"its config.json cannot be read ({shorten_error(error)})" if head else ""
    if not head or not made_for or any(head in architecture for architecture in made_for):
        return ""
    return f"it is a {', '.join(made_for)}, but a model {head} is needed"


def _missing_at_hub(name: str, needs: Needs) -> str:
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, OfflineModeIsEnabled, RepositoryNotFoundError

    try:
        lacks = _lacks(_hub_files(name), needs)
    except HFValidationError:
        return "there is no such folder"
    except RepositoryNotFoundError:
        return "there is no such folder, and the hub has no model of that name (or it is private)"
    except OfflineModeIsEnabled:
        return "it is not in the hub's cache on this machine, and HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE is set"
    except HfHubHTTPError as error:
        return f"it is not on this machine, and the hub refuses it ({shorten_error(error)})"
    except Exception as error:  # connection errors of whichever HTTP library the hub's client uses
        what = "there is no such folder, it is not in the hub's cache, and the hub cannot be reached"
        return f"{what} ({shorten_error(error)})"
    return f"the hub's model lacks {lacks}" if lacks else ""


def _hub_files(name: str) -> list[str]:
    """Return the names of a model's files on the hub."""
    from huggingface_hub import HfApi

    return [file.rfilename for file in HfApi().model_info(name, timeout=HUB_SECONDS).siblings or []]
