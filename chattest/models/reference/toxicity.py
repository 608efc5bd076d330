"""The reference toxicity judge: Detoxify (Hanu and Unitary 2020), or any classifier with the same seven labels.

Detoxify's checkpoints are pickles, which can run code. A checkpoint is read once, allowing only tensors and plain
values, and converted to a model folder (safetensors) next to it, `<name>.converted`, which is loaded from then
on.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chattest.errors import ModelError
from chattest.files.home import home
from chattest.models.base import judge
from chattest.models.embedded.batching import drop_duplicates
from chattest.models.embedded.device import Precision
from chattest.models.hub import (
    HUB_SECONDS,
    TOKENIZER,
    describe_load_error,
    fetch,
    find_local_folder,
    find_model_problem,
    shorten_error,
)
from chattest.models.integrity import find_file_problem
from chattest.models.protocols import TOXICITY_LABELS
from chattest.models.quiet import silence_transformers
from chattest.models.reference.pretrained import Pretrained

if TYPE_CHECKING:
    from tokenizers import Encoding

DEFAULT = "unbiased"
CHECKPOINTS = {
    "unbiased": ("toxic_debiased-c7548aa0.ckpt", "roberta-base"),
    "unbiased-small": ("unbiased-albert-c8519128.ckpt", "albert-base-v2"),
    "multilingual": ("multilingual_debiased-0b549669.ckpt", "xlm-roberta-base"),
}
"""Detoxify's name -> the file in torch hub's cache, and the hub model with its configuration and tokenizer."""

_OTHER_NAMES = {
    "toxic": "toxicity",
    "severe_toxic": "severe_toxicity",
    "identity_hate": "identity_attack",
    "sexually_explicit": "sexual_explicit",
}


@judge("toxicity", "reference")
class ReferenceToxicity:
    """Detects seven kinds of toxicity, with Detoxify or another classifier."""

    def __init__(self, name: str = DEFAULT, device: str = "auto", precision: Precision = "float32") -> None:
        """Load the model.

        Args:
            name: One of `CHECKPOINTS`, the path of a Detoxify checkpoint (.ckpt), or a folder or hub name of a sequence
                classification model with the seven labels. A checkpoint needs the configuration and tokenizer of its
                base model, in the same folder or from the hub.
            device: "cpu", "cuda" or "auto".
            precision: Number format it computes in.

        Raises:
            ModelError: It cannot be loaded, or lacks labels.
        """
        self.name = name
        checkpoint = _checkpoint(name)
        folder = _convert_if_needed(name, checkpoint) if checkpoint else None
        self._model = Pretrained("toxicity", name, "AutoModelForSequenceClassification", device, folder, precision)
        self._label_indices = find_label_indices(self._model.model.config.id2label)
        missing = [label for label in TOXICITY_LABELS if label not in self._label_indices]
        if missing:
            raise ModelError(describe_load_error("toxicity", name, f"it has no label for {', '.join(missing)}"))

    def labels(self, texts: Sequence[str]) -> list[dict[str, float]]:
        """Return for each text the probability, 0 to 1, of each of `TOXICITY_LABELS`.

        A long text is truncated at its end.
        """
        different, positions = drop_duplicates(texts)
        encodings = self._model.tokenize(different, None, self._model.max_tokens)

        def read(output: Any, batch: list[Encoding]) -> list[dict[str, float]]:
            rows = output.logits.float().sigmoid().tolist()
            return [{label: row[self._label_indices[label]] for label in TOXICITY_LABELS} for row in rows]

        results = self._model.run(encodings, read)
        return [dict(results[i]) for i in positions]


def check(name: str = DEFAULT) -> str:
    """Return why the model cannot be loaded, as far as can be seen without loading it; '' if nothing is wrong."""
    checkpoint = _checkpoint(name)
    if checkpoint is None:
        return find_model_problem(name, head="ForSequenceClassification")
    if _is_current(checkpoint):
        return ""
    if not checkpoint.is_file():
        if name not in CHECKPOINTS:
            return "there is no such file"
        unreachable = _no_download(name)
        if unreachable:
            return unreachable
    elif why := find_file_problem(checkpoint):
        return why
    base = dict(CHECKPOINTS.values()).get(checkpoint.name)
    return _no_base(checkpoint, base) if base else ""


def model_folder(name: str = DEFAULT) -> Path | None:
    """Return the folder with the model's files; `None` if they are not on this machine or not converted yet."""
    checkpoint = _checkpoint(name)
    if checkpoint is None:
        return find_local_folder(name)
    return _target(checkpoint) if _is_current(checkpoint) else None


def find_label_indices(id2label: dict[int, str]) -> dict[str, int]:
    """Return the index in a classifier's output of each of Detoxify's labels that the classifier has."""
    indices = {}
    for index, name in id2label.items():
        label = name.strip().lower().replace(" ", "_").replace("-", "_")
        indices[_OTHER_NAMES.get(label, label)] = int(index)
    return indices


def _checkpoint(name: str) -> Path | None:
    """Return the path of a checkpoint, whether it exists or not; `None` if the name is not that of a checkpoint."""
    if name in CHECKPOINTS:
        cache = os.environ.get("XDG_CACHE_HOME", "~/.cache")
        torch_home = Path(os.environ.get("TORCH_HOME", f"{cache}/torch")).expanduser()
        return torch_home / "hub" / "checkpoints" / CHECKPOINTS[name][0]
    return home() / Path(name).expanduser() if name.endswith(".ckpt") else None


def _target(checkpoint: Path) -> Path:
    return checkpoint.with_suffix(".converted")


def _is_current(checkpoint: Path) -> bool:
    """Return True if the checkpoint has been converted and has not changed since."""
    weights = _target(checkpoint) / "model.safetensors"
    if not weights.is_file():
        return False
    return not checkpoint.is_file() or checkpoint.stat().st_mtime <= weights.stat().st_mtime


def _no_base(checkpoint: Path, base: str) -> str:
    """Return why configuration and tokenizer cannot be loaded; '' if they can."""
    if not find_model_problem(str(checkpoint.parent), TOKENIZER):
        return ""
    why = find_model_problem(base, TOKENIZER)
    return why and (
        f'config.json and the tokenizer of its base model "{base}" are neither next to the checkpoint nor elsewhere '
        f"({why})"
    )


def _no_download(name: str) -> str:
    """Return why one of Detoxify's checkpoints cannot be downloaded; '' if it can."""
    from urllib.request import Request, urlopen

    from detoxify.detoxify import MODEL_URLS

    try:
        with urlopen(Request(MODEL_URLS[name], method="HEAD"), timeout=HUB_SECONDS):
            return ""
    except OSError as error:
        return f"Detoxify's checkpoint is not in torch hub's cache and cannot be downloaded ({shorten_error(error)})"


def _convert_if_needed(name: str, checkpoint: Path) -> Path:
    """Return the converted folder of a checkpoint, which is converted now if necessary."""
    if _is_current(checkpoint):
        return _target(checkpoint)
    why = check(name)
    if why:
        raise ModelError(describe_load_error("toxicity", name, why))
    try:
        if not checkpoint.is_file():
            _download(name, checkpoint)
        return _convert(checkpoint)
    except ModelError as error:
        raise ModelError(describe_load_error("toxicity", name, str(error))) from None
    except OSError as error:
        why = f"its checkpoint cannot be downloaded or converted ({shorten_error(error)})"
        raise ModelError(describe_load_error("toxicity", name, why)) from error
    except Exception as error:  # a damaged or foreign pickle raises all kinds of exceptions
        why = f"its checkpoint is damaged, or contains more than tensors and plain values ({shorten_error(error)})"
        raise ModelError(describe_load_error("toxicity", name, why)) from error


def _download(name: str, checkpoint: Path) -> None:
    import torch
    from detoxify.detoxify import MODEL_URLS

    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    torch.hub.download_url_to_file(MODEL_URLS[name], str(checkpoint))


def _convert(checkpoint: Path) -> Path:
    """Read the pickle and write the folder atomically."""
    import torch
    from safetensors.torch import save_file
    from transformers import AutoConfig, AutoTokenizer

    content = torch.load(checkpoint, map_location="cpu", weights_only=True)
    arch, classes = content["config"]["arch"]["args"], content["config"]["dataset"]["args"]["classes"]
    why = _no_base(checkpoint, arch["model_type"])
    if why:
        raise ModelError(why)
    is_local = not find_model_problem(str(checkpoint.parent), TOKENIZER)
    base = checkpoint.parent if is_local else fetch("toxicity", arch["model_type"], TOKENIZER)
    names = dict(enumerate([*classes, *(f"not_used_{i}" for i in range(len(classes), arch["num_classes"]))]))
    target = _target(checkpoint)
    with (
        tempfile.TemporaryDirectory(dir=checkpoint.parent, prefix=f".{checkpoint.stem}-") as scratch,
        silence_transformers(),
    ):
        folder = Path(scratch) / "model"
        AutoTokenizer.from_pretrained(base, local_files_only=True).save_pretrained(folder)
        AutoConfig.from_pretrained(
            base,
            local_files_only=True,
            architectures=[arch["model_name"]],
            id2label=names,
            label2id={label: index for index, label in names.items()},
        ).save_pretrained(folder)
        weights = {key: value.clone().contiguous() for key, value in content["state_dict"].items()}
        save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
        if target.is_dir():
            shutil.rmtree(target)
        folder.rename(target)
    return target
