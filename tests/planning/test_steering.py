"""A language model's first sentence, steered: over a small GPT-2 that has read the openers that ship."""

from random import Random
from statistics import mean
from typing import get_args

import pytest
import torch

from chattest.errors import ChatterError, ModelError
from chattest.planning.affect import read_affect_words
from chattest.planning.opening import GREETING, draw_opening, read_openers
from chattest.planning.steering import (
    AFFECT_BIAS,
    SCENE,
    TOPIC_BIAS,
    WordBias,
    cut_first_sentence,
    weigh_words,
    write_sentence,
)
from chattest.settings.declaration import Affect, Topic
from tests.support.affect_scores import affect_score, topic_score

pytestmark = pytest.mark.slow

AFFECTS = get_args(Affect)
TOPICS = get_args(Topic)
SEEDS = range(4)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Folder of a small GPT-2 that has read some of the openers, so that it writes something like small talk."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    texts = sorted(
        {opener.text for affect in AFFECTS for topic in (None, *TOPICS) for opener in read_openers(affect, topic)}
    )
    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(texts, vocab_size=1500, min_frequency=2, special_tokens=["<end>"])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=trained._tokenizer, eos_token="<end>", pad_token="<end>")
    tokenizer.model_max_length = 128
    ids = tokenizer([f"{SCENE}\nHey\n{text}\n" for text in texts], padding=True, return_tensors="pt")["input_ids"]
    with torch.random.fork_rng():
        torch.manual_seed(1)
        sizes = {"n_positions": 128, "n_embd": 48, "n_layer": 1, "n_head": 2}
        gpt2 = GPT2LMHeadModel(GPT2Config(vocab_size=len(tokenizer), bos_token_id=0, eos_token_id=0, **sizes))
        learning = torch.optim.AdamW(gpt2.parameters(), lr=1e-2)
        for rows in torch.randint(len(texts), (40, 24)):
            gpt2(ids[rows], labels=ids[rows].masked_fill(ids[rows] == 0, -100)).loss.backward()
            learning.step()
            learning.zero_grad()
    folder = tmp_path_factory.mktemp("gpt2")
    gpt2.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def written(model, affect, knob, topic):
    return [write_sentence(model, affect, knob, topic, Random(seed)) for seed in SEEDS]


@pytest.fixture(scope="module")
def plain(model):
    """What the model writes unsteered."""
    return written(model, None, 0, None)


def test_more_knob_is_more_feeling(model, plain):
    """For every feeling, and the more so the higher the knob over all of them."""
    scores = {affect: [mean(affect_score(text, affect) for text in plain)] for affect in AFFECTS}
    for affect, found in scores.items():
        for knob in (50, 100):
            found.append(mean(affect_score(text, affect) for text in written(model, affect, knob, None)))
        assert found[0] < found[2], scores
    unsteered, half, full = (mean(at_knob) for at_knob in zip(*scores.values(), strict=True))
    assert unsteered < half < full
    assert full > unsteered + 0.3


def test_the_topic_comes_through(model, plain):
    """More of its words than the same seeds write without it: in no topic fewer, in nearly all more."""
    gained = {
        topic: mean(topic_score(text, topic) for text in written(model, None, 0, topic))
        - mean(topic_score(text, topic) for text in plain)
        for topic in TOPICS
    }
    assert min(gained.values()) >= 0, gained
    assert sum(gain > 0 for gain in gained.values()) >= 7, gained
    assert mean(gained.values()) > 0.03, gained


def test_feeling_and_topic_together(model, plain):
    texts = written(model, "joy", 100, "space")
    assert mean(affect_score(text, "joy") for text in texts) > mean(affect_score(text, "joy") for text in plain) + 0.3
    assert mean(topic_score(text, "space") for text in texts) > mean(topic_score(text, "space") for text in plain)


def test_the_same_seed_writes_the_same(model):
    before = torch.get_rng_state()
    first, second = written(model, "fear", 50, "monsters"), written(model, "fear", 50, "monsters")
    assert first == second
    assert len(set(first)) > 1
    assert torch.equal(before, torch.get_rng_state())


def test_is_reached_through_the_one_door(model):
    said = draw_opening("trust", 80, None, Random(3), model)
    assert said == [GREETING, write_sentence(model, "trust", 80, None, Random(3))]
    assert said[1][-1] in ".!?…"


def test_a_model_that_is_not_there(tmp_path):
    with pytest.raises(ChatterError, match="cannot be loaded"):
        draw_opening("joy", 50, None, Random(1), str(tmp_path / "nowhere"))


def test_a_model_that_writes_nothing(tmp_path, model):
    """One whose every next token is the end."""
    from transformers import AutoTokenizer, GPT2Config, GPT2LMHeadModel

    tokenizer = AutoTokenizer.from_pretrained(model)
    mute = GPT2LMHeadModel(
        GPT2Config(vocab_size=len(tokenizer), n_positions=128, n_embd=8, n_layer=1, n_head=1, eos_token_id=0)
    )
    with torch.no_grad():
        mute.transformer.ln_f.weight.zero_()
        mute.transformer.ln_f.bias.fill_(9)
        mute.transformer.wte.weight.fill_(-1)
        mute.transformer.wte.weight[0] = 9
    mute.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    with pytest.raises(ModelError, match="wrote no opening sentence"):
        write_sentence(str(tmp_path), "joy", 50, None, Random(1))


class Spelling:
    """A tokenizer with a token for "a", one for " glad", and two for " joyful"."""

    tokens = {"a": [1], "a glad": [1, 2], "a joyful": [1, 3, 4]}

    def __call__(self, text, add_special_tokens):
        return {"input_ids": self.tokens[text]}


@pytest.mark.parametrize(
    ("said", "pushed"),
    [
        ([], {2: 1.0}),
        ([3], {2: 1.0, 4: 3.0}),
        ([3, 4], {2: 1.0}),
        ([4], {2: 1.0}),
        ([2], {}),
        ([2, 3], {4: 3.0}),
    ],
)
def test_which_tokens_are_pushed(said, pushed):
    """Whole words unless they stand already; of longer ones what follows on their beginning."""
    push = WordBias({"glad": 1.0, "joyful": 3.0}, Spelling())
    prompt = torch.tensor([[2, 3]])  # the words of the prompt count neither as said nor as begun
    push(prompt, torch.zeros(1, 5))
    scores = torch.zeros(1, 5)
    logits = push(torch.tensor([[2, 3, *said]]), scores)
    assert {token: value for token, value in enumerate(logits[0].tolist()) if value} == pushed
    assert not scores.any()


def test_each_row_is_pushed_by_its_own_words():
    push = WordBias({"glad": 1.0, "joyful": 3.0}, Spelling())
    push(torch.tensor([[1], [1]]), torch.zeros(2, 5))
    logits = push(torch.tensor([[1, 2], [1, 3]]), torch.zeros(2, 5))
    assert logits.tolist() == [[0, 0, 0, 0, 0], [0, 0, 1.0, 0, 3.0]]


def test_weights_follow_knob_intensity_and_topic():
    assert weigh_words(None, 100, None) == {}
    assert weigh_words("joy", 0, None) == {}
    assert set(weigh_words("joy", 10, None)) == set(read_affect_words("joy"))
    half = weigh_words("joy", 50, "space")
    assert half["overjoyed"] == AFFECT_BIAS / 2
    assert half["happy"] == pytest.approx(AFFECT_BIAS / 2 * 0.6)
    assert half["moon"] == TOPIC_BIAS
    both = weigh_words("trust", 100, "religion")
    assert both["faith"] == pytest.approx(AFFECT_BIAS * 0.8 + TOPIC_BIAS)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("I am fine. And you?", "I am fine."),
        ("  How  are\nyou? ", "How are you?"),
        ("It costs 3.50 over there! Really.", "It costs 3.50 over there!"),
        ("I was thinking that,", "I was thinking that."),
        ("Wait... what is that?", ""),
        ("Yes.", ""),
        ("...", ""),
        ("", ""),
    ],
)
def test_first_sentence(text, sentence):
    assert cut_first_sentence(text) == sentence
