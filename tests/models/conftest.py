"""Tiny checkpoints of real architectures, and a machine without a hub."""

from __future__ import annotations

from pathlib import Path

import pytest

MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = (
    "what who is my your the a cat dog called mitt ##ens it not and filler begin end yes no "
    "hello how are you fine thanks é 日 本 1 2 3 . , ? ! '"
)


@pytest.fixture
def no_hub(monkeypatch, tmp_path):
    """Nothing cached, and a hub at a port where nobody listens."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "no-cache"))
    monkeypatch.setenv("TORCH_HOME", str(tmp_path / "no-torch"))


@pytest.fixture(scope="session")
def bert():
    """Saves a random BERT of a class, with an uncased tokenizer, in a folder."""
    import torch
    import transformers

    def save(folder: Path, cls: str, **config: object) -> Path:
        vocabulary = {word: i for i, word in enumerate([*MARKS, *WORDS.split()])}
        transformers.BertTokenizer(vocab=vocabulary, do_lower_case=True).save_pretrained(folder)
        torch.manual_seed(1)
        settings = {"num_hidden_layers": 2, "max_position_embeddings": 64, "initializer_range": 0.2} | config
        made = transformers.BertConfig(
            vocab_size=len(vocabulary), hidden_size=16, num_attention_heads=2, intermediate_size=32, **settings
        )
        getattr(transformers, cls)(made).save_pretrained(folder)
        return folder

    return save


@pytest.fixture(scope="session")
def sentence_transformer(bert, tmp_path_factory):
    """Saves a sentence-transformers model that pools the mean of a random BERT."""

    def save(folder: Path) -> Path:
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

        transformer = Transformer(str(bert(tmp_path_factory.mktemp("bert") / "bare", "BertModel")), max_seq_length=32)
        SentenceTransformer(modules=[transformer, Pooling(16)], device="cpu").save(str(folder))
        return folder

    return save


@pytest.fixture(scope="session")
def roberta_base():
    """Saves the configuration and byte-level tokenizer of a tiny RoBERTa in a folder."""
    import transformers
    from tokenizers.pre_tokenizers import ByteLevel

    def save(folder: Path, **config: object) -> Path:
        vocabulary = ["<s>", "<pad>", "</s>", "<unk>", *sorted(ByteLevel.alphabet()), "<mask>"]
        tokens = {token: i for i, token in enumerate(vocabulary)}
        transformers.RobertaTokenizer(vocab=tokens, merges=[]).save_pretrained(folder)
        transformers.RobertaConfig(
            vocab_size=len(tokens),
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=66,
            initializer_range=0.5,
            type_vocab_size=1,
            **config,
        ).save_pretrained(folder)
        return folder

    return save


@pytest.fixture(params=["weights cut off", "weights missing", "settings not JSON", "tokenizer missing"])
def damage(request):
    """Damages a good folder in one of several ways."""

    def apply(folder: Path) -> Path:
        weights = folder / "model.safetensors"
        match request.param:
            case "weights cut off":
                weights.write_bytes(weights.read_bytes()[:1000])
            case "weights missing":
                weights.unlink()
            case "settings not JSON":
                (folder / "config.json").write_text("{", "utf-8")
            case "tokenizer missing":
                (folder / "tokenizer.json").unlink()
        return folder

    return apply


@pytest.fixture
def explains():
    """Checks that an error names the kind, the model, the setting and the way out."""

    def check(error: BaseException, kind: str, name: object) -> None:
        text = str(error)
        assert str(name) in text
        assert f'models = {{"{kind}"' in text
        assert 'models = "embedded"' in text

    return check
