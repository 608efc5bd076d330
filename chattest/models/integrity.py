"""Check by size and header, without loading it, whether a model's file is complete and of the right kind."""

import json
import struct
import zipfile
from pathlib import Path

LARGEST_HEADER = 100_000_000
"""Most bytes of a safetensors header, as in the format's own reader."""


def find_file_problem(path: Path, name: str = "") -> str:
    """Return why a file is not a valid file of its type, for instance because it is truncated; '' if nothing is wrong.

    Args:
        path: `.safetensors`, `.json`, or PyTorch's `.bin`, `.ckpt` or `.pt`; files of other types are not checked.
        name: The `name` that the header of a safetensors file must have; '' for any.
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
        return f"{path} does not exist"
    except OSError as error:
        return f"{path} cannot be read: {error.strerror or error}"
    except ValueError:
        return f"{path} is damaged or not JSON"
    return ""


def find_folder_problem(folder: Path) -> str:
    """Return the first problem among the files of a model's folder and its subfolders; '' if there is none."""
    files = sorted(path for depth in ("*", "*/*") for path in folder.glob(depth) if path.is_file())
    return next((why for path in files if (why := find_file_problem(path))), "")


def _safetensors(path: Path, name: str) -> str:
    size = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(8)
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else LARGEST_HEADER + 1
        if length > LARGEST_HEADER:
            return f"{path} is not a safetensors file"
        try:
            header = json.loads(file.read(length))
            tensors = {key: value["data_offsets"] for key, value in header.items() if key != "__metadata__"}
            needed = 8 + length + max((end for _, end in tensors.values()), default=0)
            actual_name = header.get("__metadata__", {}).get("name", "")
        except (ValueError, AttributeError, KeyError, TypeError):
            return f"{path} is damaged or not a safetensors file"
    if size != needed:
        return f"{path} is damaged: it has {size} bytes instead of {needed}"
    if name and actual_name != name:
        return f'{path} is of the wrong kind: it is "{actual_name}", but "{name}" is needed'
    return ""


def _checkpoint(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(2)
    if start[:1] == b"\x80" or (start == b"PK" and zipfile.is_zipfile(path)):
        return ""
    return f"{path} is truncated" if start == b"PK" else f"{path} is not a PyTorch checkpoint"
