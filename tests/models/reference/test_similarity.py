"""The reference similarity on a tiny random sentence-transformers model."""

import pytest

from chattest.errors import ModelError
from chattest.models.protocols import Similarity
from chattest.models.reference.similarity import DEFAULT, ReferenceSimilarity, check, model_folder

pytestmark = pytest.mark.usefixtures("no_hub")

TEXTS = ["Hello", "My cat is called Mittens.", "my CAT is called mittens.", "How are you? " * 100, "", "日本 é 🐈‍⬛"]


@pytest.fixture(scope="module")
def folder(sentence_transformer, tmp_path_factory):
    return sentence_transformer(tmp_path_factory.mktemp("st") / "tiny")


@pytest.fixture(scope="module")
def judge(folder):
    return ReferenceSimilarity(str(folder), "cpu")


def test_it_is_a_similarity(judge, folder):
    assert isinstance(judge, Similarity)
    assert judge.name == str(folder)
    assert judge.similarity([], []) == []


def test_it_is_the_cosine_of_the_mean_token_vectors(judge, folder):
    """Against the plain way: transformers alone, one text at a time."""
    import torch
    import transformers

    model = transformers.AutoModel.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)

    def embed(text):
        with torch.no_grad():
            inputs = tokenizer(text, return_tensors="pt", truncation=True, max_length=32)
            return model(**inputs).last_hidden_state[0].mean(0)

    left, right = TEXTS, TEXTS[1:] + TEXTS[:1]
    for one, other, cosine in zip(left, right, judge.similarity(left, right), strict=True):
        assert cosine == pytest.approx(torch.cosine_similarity(embed(one), embed(other), dim=0).item(), abs=1e-4)


def test_a_text_is_like_itself_and_case_does_not_matter(judge):
    assert judge.similarity(TEXTS, TEXTS) == pytest.approx([1.0] * len(TEXTS), abs=1e-5)
    assert judge.similarity([TEXTS[1]], [TEXTS[2]]) == pytest.approx([1.0], abs=1e-5)
    assert all(-1.0 <= cosine <= 1.0 for cosine in judge.similarity(TEXTS, TEXTS))


def test_each_text_is_embedded_once(judge, monkeypatch):
    seen = []
    encode = judge._model.encode
    monkeypatch.setattr(judge._model, "encode", lambda texts, **how: seen.extend(texts) or encode(texts, **how))
    judge.similarity([*TEXTS, *TEXTS], [*TEXTS[::-1], *TEXTS])
    assert sorted(seen) == sorted(TEXTS)


def test_many_texts_of_many_lengths_keep_their_order(judge):
    left = [f"{'cat ' * (i % 37)}{i % 4}" for i in range(400)]
    right = [f"dog {i % 3}" for i in range(400)]
    together = judge.similarity(left, right)
    some = range(0, 400, 57)
    alone = [judge.similarity([left[i]], [right[i]])[0] for i in some]
    assert [together[i] for i in some] == pytest.approx(alone, abs=1e-4)


def test_lengths_must_agree(judge):
    with pytest.raises(ValueError, match="1 texts on the left, 0 on the right"):
        judge.similarity(["Hello"], [])


def test_damaged_files_are_one_clear_error(sentence_transformer, tmp_path, damage, explains):
    folder = damage(sentence_transformer(tmp_path / "st"))
    with pytest.raises(ModelError) as caught:
        ReferenceSimilarity(str(folder), "cpu")
    explains(caught.value, "similarity", folder)


def test_a_bare_transformer_is_refused_before_it_is_loaded(bert, tmp_path, explains):
    folder = bert(tmp_path / "bare", "BertModel")
    assert "modules.json" in check(str(folder))
    with pytest.raises(ModelError) as caught:
        ReferenceSimilarity(str(folder), "cpu")
    explains(caught.value, "similarity", folder)


def test_no_hub_is_one_clear_error(explains):
    assert "the hub cannot be reached" in check()
    with pytest.raises(ModelError) as caught:
        ReferenceSimilarity()
    explains(caught.value, "similarity", DEFAULT)


def test_a_good_folder_passes_the_check(folder):
    assert check(str(folder)) == ""


def test_a_folder_that_only_looks_whole_is_one_clear_error(sentence_transformer, tmp_path, explains):
    folder = sentence_transformer(tmp_path / "st")
    (folder / "modules.json").write_text('[{"idx": 0, "name": "0", "path": "", "type": "no_such_module.Transformer"}]')
    assert check(str(folder)) == ""
    with pytest.raises(ModelError, match="its files are damaged or unusable") as caught:
        ReferenceSimilarity(str(folder), "cpu")
    explains(caught.value, "similarity", folder)


def test_its_place_is_the_folder(folder):
    assert model_folder(str(folder)) == folder
    assert model_folder("somebody/some-model") is None
