"""Where the files of a reference model come from: a folder, the hub's cache on this machine, or the hub.

A name is a folder where there is one of that name, else a model on the hub. What lies in the hub's cache is used as it
is, without asking the hub, so that a machine without a network judges as fast as one with it, and twice the same. The
hub is asked once, with `HUB_SECONDS` to answer, and never again and again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

from chattest.errors import ModelError
from chattest.models.integrity import damaged_in

HUB_SECONDS = 5.0
"""How long the hub may take to begin its answer."""

Needs = tuple[tuple[str, ...], ...]
"""Groups of file name patterns; a model must have a file of each group. The first pattern of all is a plain name."""

WEIGHTS = ("*model*.safetensors", "*pytorch_model*.bin")
TOKENIZER: Needs = (("config.json",), ("tokenizer.json", "vocab.txt", "vocab.json", "*.model"))
TRANSFORMER: Needs = (*TOKENIZER, WEIGHTS)

_FETCHED = ["*.json", "*.txt", "*.model", "README.md"]
_NOT_FETCHED = ["onnx/*", "openvino/*", "coreml/*", "*.h5", "*.msgpack", "*.ot"]


def why_not(name: str, needs: Needs = TRANSFORMER, head: str = "") -> str:
    """Why a model cannot be loaded, as far as that is seen without loading it; '' if it can.

    Args:
        name: A folder or a name on the hub.
        needs: The files it must have.
        head: What one of its `architectures` must contain, `ForQuestionAnswering` say; asked only of a model whose
            files are here and say what they are.
    """
    folder = here(name, needs)
    if folder is None:
        return _missing_at_hub(name, needs)
    return _missing(folder, needs) or _wrong_head(folder, head) or damaged_in(folder)


def fetch(kind: str, name: str, needs: Needs = TRANSFORMER) -> Path:
    """The folder with a model's files, fetched from the hub where they are not on this machine yet.

    Raises:
        ModelError: There is no such model, or the hub does not answer.
    """
    why = why_not(name, needs)
    if why:
        raise ModelError(refusal(kind, name, why))
    folder = here(name, needs)
    if folder is not None:
        return folder
    from huggingface_hub import HfApi

    try:
        files = _at_hub(name)
        wanted = list(_FETCHED)
        if WEIGHTS in needs:
            wanted.append("*.safetensors" if any(fnmatch(file, WEIGHTS[0]) for file in files) else WEIGHTS[1])
        return Path(
            HfApi().snapshot_download(
                name, allow_patterns=wanted, ignore_patterns=_NOT_FETCHED, etag_timeout=HUB_SECONDS
            )
        )
    except Exception as error:  # the hub's client lets through whatever its own libraries raise
        raise ModelError(refusal(kind, name, f"fetching it from the hub failed ({in_a_line(error)})")) from error


def refusal(kind: str, name: str, why: str) -> str:
    """The error's text: which model, why, the setting, and the way out that needs no hub."""
    return (
        f'The {kind} model "{name}" cannot be loaded: {why}.\n'
        f'    Set models = {{"{kind}": "..."}} in config.py to a folder or a hub name that can be loaded, '
        f'or models = "embedded" for the judges that ship with chattest and need no hub.'
    )


def in_a_line(error: BaseException) -> str:
    """An exception's kind and the first line of its text."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:200]}" if lines else type(error).__name__


def here(name: str, needs: Needs = TRANSFORMER) -> Path | None:
    """A model's folder on this machine: of that name, or in the hub's cache where a download is complete."""
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        found = try_to_load_from_cache(name, needs[0][0])
    except HFValidationError:
        return None
    cached = Path(found).parent if isinstance(found, str) else None
    return cached if cached is not None and not _missing(cached, needs) else None


def _missing(folder: Path, needs: Needs) -> str:
    files = [path.relative_to(folder).as_posix() for depth in ("*", "*/*") for path in folder.glob(depth)]
    lacks = _lacks(files, needs)
    return f"the folder lacks {lacks}" if lacks else ""


def _lacks(files: Iterable[str], needs: Needs) -> str:
    """The first group of which there is no file."""
    names = list(files)
    for group in needs:
        if not any(fnmatch(name, pattern) for name in names for pattern in group):
            return " or ".join(group)
    return ""


def _wrong_head(folder: Path, head: str) -> str:
    """What a model says that it is, where that is not what is needed."""
    try:
        made_for = json.loads((folder / "config.json").read_text("utf-8")).get("architectures")
    except (OSError, ValueError, AttributeError) as error:
        return f"its config.json cannot be read ({in_a_line(error)})" if head else ""
    if not head or not made_for or any(head in one for one in made_for):
        return ""
    return f"it is a {', '.join(made_for)}, and a model {head} is needed"


def _missing_at_hub(name: str, needs: Needs) -> str:
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, OfflineModeIsEnabled, RepositoryNotFoundError

    try:
        lacks = _lacks(_at_hub(name), needs)
    except HFValidationError:
        return "there is no such folder"
    except RepositoryNotFoundError:
        return "there is no such folder, and the hub has no model of that name (or it is private)"
    except OfflineModeIsEnabled:
        return "it is not in the hub's cache on this machine, and HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE is set"
    except HfHubHTTPError as error:
        return f"it is not on this machine, and the hub refuses ({in_a_line(error)})"
    except Exception as error:  # connection errors of whichever HTTP library the hub's client uses
        return f"there is no such folder, it is not in the hub's cache, and no hub is in reach ({in_a_line(error)})"
    return f"the hub's model lacks {lacks}" if lacks else ""


def _at_hub(name: str) -> list[str]:
    """The names of a model's files at the hub."""
    from huggingface_hub import HfApi

    return [file.rfilename for file in HfApi().model_info(name, timeout=HUB_SECONDS).siblings or []]
