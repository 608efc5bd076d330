"""The reference coherence judge on tiny random models."""

import pytest

from chattest.errors import ModelError
from chattest.models.protocols import Coherence
from chattest.models.reference.coherence import CONTEXT_TOKENS, DEFAULT, ReferenceCoherence, check

pytestmark = pytest.mark.usefixtures("no_hub")


@pytest.fixture(scope="module")
def folder(bert, tmp_path_factory):
    return bert(tmp_path_factory.mktemp("nsp") / "tiny", "BertForNextSentencePrediction", max_position_embeddings=300)


@pytest.fixture(scope="module")
def judge(folder):
    return ReferenceCoherence(str(folder), "cpu")


def test_it_is_a_coherence_judge(judge, folder):
    assert isinstance(judge, Coherence)
    assert judge.name == str(folder)
    assert judge.coherence([], []) == []


def test_the_score_is_is_next_less_is_not_next(judge, folder):
    """Against the plain way, one pair at a time; place 0 of the model's output is "is next"."""
    import torch
    import transformers

    model = transformers.AutoModelForNextSentencePrediction.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    pairs = [
        ("How are you?", "Fine, thanks."),
        ("What is my cat called?", "No"),
        ("Hello\nHow are you?", "I am a dog!"),
    ]
    for (context, reply), score in zip(pairs, judge.coherence(*zip(*pairs, strict=True)), strict=True):
        with torch.no_grad():
            is_next, is_not_next = model(**tokenizer(context, reply, return_tensors="pt")).logits[0].tolist()
        assert score == pytest.approx(is_next - is_not_next, abs=1e-4)


def test_order_is_kept_and_each_pair_is_judged_once(judge, monkeypatch):
    seen = []
    forward = judge._model.model.forward
    monkeypatch.setattr(
        judge._model.model, "forward", lambda **given: seen.append(len(given["input_ids"])) or forward(**given)
    )
    contexts = ["Hello", "How are you? " * 20, "Hello", "What is it?", "How are you? " * 20]
    replies = ["Hello!", "Fine", "Hello!", "A cat", "Fine"]
    scores = judge.coherence(contexts, replies)
    assert sum(seen) == 3
    assert (scores[0], scores[1]) == (scores[2], scores[4])
    alone = [judge.coherence([context], [reply])[0] for context, reply in zip(contexts, replies, strict=True)]
    assert scores == pytest.approx(alone, abs=1e-4)
    assert len(set(scores)) == 3


@pytest.mark.parametrize(("tokens", "room"), [(None, CONTEXT_TOKENS), (20, 20), (500, 300 - 3 - 5)])
def test_of_a_long_history_the_end_is_seen(tokens, room, folder, monkeypatch):
    import transformers

    judge = ReferenceCoherence(str(folder), "cpu", tokens)
    seen = []
    forward = judge._model.model.forward
    monkeypatch.setattr(judge._model.model, "forward", lambda **given: seen.append(given) or forward(**given))
    turns = ["hello dog .", "who are you ?", "fine thanks !"] * 60
    judge.coherence(["\n".join([*turns, "what is my cat called ?"])], ["it is called mitt ."])
    words = transformers.AutoTokenizer.from_pretrained(folder).convert_ids_to_tokens(seen[0]["input_ids"][0])
    asked = " ".join([*turns, "what is my cat called ?"]).split()
    assert words == ["[CLS]", *asked[-room:], "[SEP]", "it", "is", "called", "mitt", ".", "[SEP]"]
    assert seen[0]["token_type_ids"].sum() == 6


def test_a_long_reply_is_cut_and_the_prompt_still_counts(judge):
    replies = ["fine thanks . " * 500] * 2
    scores = judge.coherence(["how are you ?", "what is my cat called ?"], replies)
    assert scores[0] != scores[1]


@pytest.mark.parametrize(("context", "reply"), [("", "Hello"), ("Hello", ""), ("", ""), ("日本 🐈‍⬛", "é \x00 ‮no")])
def test_odd_texts_get_a_number(judge, context, reply):
    (score,) = judge.coherence([context], [reply])
    assert -1e3 < score < 1e3


def test_a_checkpoint_with_gamma_and_beta_is_read(folder, bert, tmp_path, judge):
    """The published BERT names its norms' parameters so."""
    from safetensors.torch import load_file, save_file

    old = bert(tmp_path / "old", "BertForNextSentencePrediction", max_position_embeddings=300)
    weights = load_file(folder / "model.safetensors")
    renamed = {
        key.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): value
        for key, value in weights.items()
    }
    assert renamed.keys() != weights.keys()
    save_file(renamed, old / "model.safetensors", metadata={"format": "pt"})
    pair = ["How are you?"], ["Fine"]
    assert ReferenceCoherence(str(old), "cpu").coherence(*pair) == pytest.approx(judge.coherence(*pair), abs=1e-4)


def test_a_model_that_was_pre_trained_in_full_has_the_head(bert, tmp_path):
    folder = bert(tmp_path / "pretrained", "BertForPreTraining")
    assert len(ReferenceCoherence(str(folder), "cpu").coherence(["Hello"], ["Hello"])) == 1


def test_lengths_must_agree(judge):
    with pytest.raises(ValueError, match="zip"):
        judge.coherence(["Hello"], [])


def test_damaged_files_are_one_clear_error(bert, tmp_path, damage, explains):
    folder = damage(bert(tmp_path / "nsp", "BertForNextSentencePrediction"))
    with pytest.raises(ModelError) as caught:
        ReferenceCoherence(str(folder), "cpu")
    explains(caught.value, "coherence", folder)


@pytest.mark.parametrize("cls", ["BertModel", "BertForMaskedLM", "BertForQuestionAnswering"])
def test_a_model_without_the_head_is_refused(bert, tmp_path, cls, explains):
    folder = bert(tmp_path / "other", cls)
    with pytest.raises(ModelError, match="seq_relationship") as caught:
        ReferenceCoherence(str(folder), "cpu")
    explains(caught.value, "coherence", folder)


def test_an_architecture_without_next_sentences_is_refused(roberta_base, tmp_path, explains):
    import transformers

    folder = roberta_base(tmp_path / "roberta")
    transformers.RobertaModel(transformers.AutoConfig.from_pretrained(folder)).save_pretrained(folder)
    with pytest.raises(ModelError) as caught:
        ReferenceCoherence(str(folder), "cpu")
    explains(caught.value, "coherence", folder)


def test_no_hub_is_one_clear_error(explains):
    assert "the hub cannot be reached" in check()
    with pytest.raises(ModelError) as caught:
        ReferenceCoherence()
    explains(caught.value, "coherence", DEFAULT)


def test_a_good_folder_passes_the_check(folder):
    assert check(str(folder)) == ""
