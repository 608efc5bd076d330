"""Sees whether a model's file is whole and of its kind, without loading it: by its size, its head and its end."""

import json
import struct
import zipfile
from pathlib import Path

LARGEST_HEAD = 100_000_000
"""Bytes a safetensors file's head may have, as the format's own reader has it."""


def damaged(path: Path, name: str = "") -> str:
    """Why a file cannot be what its ending says, such as that it is cut short; '' where nothing speaks against it.

    path: `.safetensors`, `.json`, or PyTorch's `.bin`, `.ckpt`, `.pt`; any other is taken as it is. name: what the head
    of a safetensors file must give as its `name`; '' for anything.
    """
    try:
        match path.suffix:
            case ".safetensors":
                return _safetensors(path, name)
            case ".json":
                json.loads(path.read_text("utf-8"))
            case ".bin" | ".ckpt" | ".pt":
                return _checkpoint(path)
    except FileNotFoundError:
        return f"{path} is not there"
    except OSError as error:
        return f"{path} cannot be read: {error.strerror or error}"
    except ValueError:
        return f"{path} is damaged or no JSON"
    return ""


def damaged_in(folder: Path) -> str:
    """The first reason found among the files of a model's folder and of the folders in it; '' where there is none."""
    files = sorted(path for depth in ("*", "*/*") for path in folder.glob(depth) if path.is_file())
    return next((why for path in files if (why := damaged(path))), "")


def _safetensors(path: Path, name: str) -> str:
    size = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(8)
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else LARGEST_HEAD + 1
        if length > LARGEST_HEAD:
            return f"{path} is no safetensors file"
        try:
            head = json.loads(file.read(length))
            tensors = {key: value["data_offsets"] for key, value in head.items() if key != "__metadata__"}
            needed = 8 + length + max((end for _, end in tensors.values()), default=0)
            given = head.get("__metadata__", {}).get("name", "")
        except (ValueError, AttributeError, KeyError, TypeError):
            return f"{path} is damaged or no safetensors file"
    if size != needed:
        return f"{path} is damaged: it has {size} bytes of {needed}"
    if name and given != name:
        return f'{path} is of the wrong kind: it is "{given}", and "{name}" is needed'
    return ""


def _checkpoint(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(2)
    if start[:1] == b"\x80" or (start == b"PK" and zipfile.is_zipfile(path)):
        return ""
    return f"{path} is cut short" if start == b"PK" else f"{path} is no PyTorch checkpoint"
