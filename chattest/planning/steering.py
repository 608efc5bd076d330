"""Let a language model write a first sentence, steered towards a feeling and a topic.

This is weighted decoding with word lists: at every sampling step, before the distribution is truncated, the logit of a
token becomes

    logit + AFFECT_BIAS * knob / 100 * intensity(word) + TOPIC_BIAS * [word is one of the topic]

for the tokens of the words in the lists, and does not change for other tokens. Adding a weighted feature of the word to
the model's log-probability while decoding is the style control of Hafez (Ghazvininejad et al. 2017, "Hafez: an
Interactive Poetry Generation System") and the weighted decoding of See et al. 2019 ("What makes a good conversation?").
The reference implementation steers in another way: by gradients through GPT-2's hidden states towards a bag of words
(PPLM, Dathathri et al. 2020), with an affect intensity lexicon (Goswamy et al. 2020, "Adapting a Language Model for
Controlled Affective Text Generation"). The settings keep its names for feelings and knob.

A word of several tokens gets its bias from the second token on, once the model has begun the word, because many other
words begin with the same first token. A token that the sentence already contains gets no second bias: otherwise a
strong bias repeats the same words endlessly.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

from chattest.errors import ModelError
from chattest.planning.affect import read_affect_words, read_topic_words
from chattest.settings.declaration import Affect, Topic

if TYPE_CHECKING:
    from torch import Tensor

    from chattest.chatter.generation import TextGenerator

AFFECT_BIAS = 4.0
"""Added to the logit of a word of intensity 1 at knob 100: its odds are multiplied by e**4, about 55."""
TOPIC_BIAS = 3.0
"""Added to the logit of a word of the topic: its odds are multiplied by about 20."""

MAX_TOKENS = 40
TRIES = 10
"""How often the model is asked until it writes a sentence."""

SCENE = "Two people meet and begin with small talk."
_SENTENCE = re.compile(r"\A.*?(?<![.!?…])[.!?…]++(?=\s|$)")


def write_sentence(model: str, affect: Affect | None, knob: int, topic: Topic | None, rng: Random) -> str:
    """Let a language model answer "Hey" in one sentence, steered towards a feeling and a topic.

    A sentence cut off after `MAX_TOKENS` tokens gets a full stop.

    Args:
        model: folder or hub name of a text-generation model of transformers; loaded once per process.
        affect: `None` for no feeling.
        knob: how strongly to steer towards the feeling, 0 (not at all) to 100.
        topic: `None` for no topic.
        rng: the only source of randomness; torch's own state does not change.

    Raises:
        ChatterError: the model cannot be loaded.
        ModelError: the model writes no sentence in `TRIES` tries.
    """
    generator = _load_generator(model)
    weights = weigh_words(affect, knob, topic)
    for _ in range(TRIES):
        generation = {
            "max_new_tokens": MAX_TOKENS,
            "do_sample": True,
            "temperature": 1.0,
            "top_k": 0,
            "top_p": 0.9,
            "no_repeat_ngram_size": 3,
            "logits_processor": [WordBias(weights, generator.tokenizer)],
        }
        written = generator.replies([["Hey"]], generation, system=SCENE, seed=rng.getrandbits(32))[0]
        sentence = cut_first_sentence(written)
        if sentence:
            return sentence
    raise ModelError(
        f'the model "{model}" wrote no opening sentence in {TRIES} tries. '
        "Choose a model that continues a conversation, or no model, to use a shipped opener."
    )


def weigh_words(affect: Affect | None, knob: int, topic: Topic | None) -> dict[str, float]:
    """Return what is added to the logit of every word in the feeling's and the topic's lists."""
    weights: dict[str, float] = defaultdict(float)
    if affect is not None and knob > 0:
        for word, intensity in read_affect_words(affect).items():
            weights[word] += AFFECT_BIAS * knob / 100 * intensity
    if topic is not None:
        for word in read_topic_words(topic):
            weights[word] += TOPIC_BIAS
    return dict(weights)


def cut_first_sentence(text: str) -> str:
    """Return the first sentence of a text; '' if that has fewer than three words."""
    ended = _SENTENCE.match(" ".join(text.split()))
    sentence = ended.group() if ended else " ".join(text.split()).rstrip(",;:- ") + "."
    return sentence if len(re.findall(r"[^\W\d_]+", sentence)) >= 3 else ""


class WordBias:
    """A logits processor of transformers that biases words in one generation. Its first call marks the prompt's end.

    transformers' own `SequenceBiasLogitsProcessor` adds the weights. It has no state and reads the prompt as well as
    the sentence. So it gets the sentence alone, and the bias is undone for whole words that the sentence already
    contains.
    """

    def __init__(self, weights: Mapping[str, float], tokenizer: Any) -> None:
        """Prepare the bias.

        Args:
            weights: word -> what is added to its logit.
            tokenizer: the model's tokenizer.
        """
        whole: dict[tuple[int, ...], float] = {}
        further: dict[tuple[int, ...], float] = {}
        before = len(tokenizer("a", add_special_tokens=False)["input_ids"])
        for word, weight in weights.items():
            # As it is written inside a sentence: many tokenizers make the space in front part of the first token.
            pieces = tuple(tokenizer(f"a {word}", add_special_tokens=False)["input_ids"][before:])
            if len(pieces) == 1:
                whole[pieces] = max(weight, whole.get(pieces, 0.0))
            for end in range(2, len(pieces) + 1):
                further[pieces[:end]] = max(weight, further.get(pieces[:end], 0.0))
        self._whole, self._further = _make_sequence_bias(whole), _make_sequence_bias(further)
        self._begin: int | None = None

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """Return the biased logits.

        Args:
            input_ids: rows x tokens so far.
            scores: rows x vocabulary, logits of the next token.
        """
        import torch

        if self._begin is None:
            self._begin = input_ids.shape[1]
        sentence = input_ids[:, self._begin :]
        continued = self._further(sentence, scores)
        pushed = self._whole(sentence, continued)
        already_used = torch.zeros_like(scores, dtype=torch.bool).scatter_(1, sentence, True)
        return torch.where(already_used, continued, pushed)


def _make_sequence_bias(weights: Mapping[tuple[int, ...], float]) -> Callable[[Tensor, Tensor], Tensor]:
    """Return a processor that adds a weight to the last token of each sequence; without weights it changes nothing."""
    from transformers import SequenceBiasLogitsProcessor

    if not weights:  # transformers refuses an empty list
        return lambda input_ids, scores: scores
    processor: Callable[[Tensor, Tensor], Tensor] = SequenceBiasLogitsProcessor(
        [[list(tokens), weight] for tokens, weight in weights.items()]
    )
    return processor


@cache
def _load_generator(model: str) -> TextGenerator:
    from chattest.chatter.generation import TextGenerator

    return TextGenerator(model)
