"""A first sentence that a language model writes, steered towards a feeling and a topic.

This is weighted decoding with word lists: at every sampling step, before the distribution is truncated, the logit of a
token becomes

    logit + AFFECT_BIAS * knob / 100 * intensity(word) + TOPIC_BIAS * [word is one of the topic]

for the tokens of the words in `affect`'s lists, and does not change for other tokens. Adding a weighted feature of the
word to the model's log-probability while decoding is the style control of Hafez (Ghazvininejad et al. 2017, "Hafez: an
Interactive Poetry Generation System") and the weighted decoding of See et al. 2019 ("What makes a good conversation?").
The reference implementation steers otherwise: by gradients through GPT-2's hidden states towards a bag of words (PPLM,
Dathathri et al. 2020), with an affect intensity lexicon (Goswamy et al. 2020, "Adapting a Language Model for Controlled
Affective Text Generation"), whose names for feelings and knob the settings keep.

A word of several tokens gets its bias from the second token on, once the model has begun the word, because many other
words begin with the same first token. A token that the sentence already contains gets no bias again: otherwise a strong
bias repeats the same words endlessly.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

from chattest.errors import ModelError
from chattest.planning.affect import affect_words, topic_words
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


def steered_sentence(model: str, affect: Affect | None, knob: int, topic: Topic | None, rng: Random) -> str:
    """A language model's one-sentence answer to "Hey", steered towards a feeling and a topic.

    model: folder or hub name of a text-generation model of transformers; loaded once per process. affect, topic:
    `None` for none. knob: how strongly to steer towards the feeling, 0 (not at all) to 100. rng: the only source of
    randomness; torch's own state does not change. A sentence cut off after `MAX_TOKENS` tokens gets a full stop.
    Raises `ChatterError` if the model cannot be loaded, `ModelError` if it writes no sentence in `TRIES` tries.
    """
    generator = _generator(model)
    weights = word_weights(affect, knob, topic)
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
        sentence = first_sentence(written)
        if sentence:
            return sentence
    raise ModelError(
        f'the model "{model}" wrote no opening sentence in {TRIES} tries. '
        "Choose a model that continues a conversation, or no model, to use a shipped opener."
    )


def word_weights(affect: Affect | None, knob: int, topic: Topic | None) -> dict[str, float]:
    """Word -> what is added to its logit, for every word of the feeling's and the topic's lists."""
    weights: dict[str, float] = defaultdict(float)
    if affect is not None and knob > 0:
        for word, intensity in affect_words(affect).items():
            weights[word] += AFFECT_BIAS * knob / 100 * intensity
    if topic is not None:
        for word in topic_words(topic):
            weights[word] += TOPIC_BIAS
    return dict(weights)


def first_sentence(text: str) -> str:
    """The first sentence of a text; '' if that has fewer than three words."""
    ended = _SENTENCE.match(" ".join(text.split()))
    sentence = ended.group() if ended else " ".join(text.split()).rstrip(",;:- ") + "."
    return sentence if len(re.findall(r"[^\W\d_]+", sentence)) >= 3 else ""


class WordBias:
    """A logits processor of transformers that biases words in one generation. Its first call marks the prompt's end.

    transformers' own `SequenceBiasLogitsProcessor` adds the weights. It has no state and reads the prompt as well as
    the sentence. So it is called with the sentence alone, and the bias is undone for whole words that the sentence
    already contains.
    """

    def __init__(self, weights: Mapping[str, float], tokenizer: Any) -> None:
        """weights: word -> what is added to its logit. tokenizer: the model's tokenizer."""
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
        self._whole, self._further = _sequence_bias(whole), _sequence_bias(further)
        self._begin: int | None = None

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """The biased logits. input_ids: rows x tokens so far. scores: rows x vocabulary, logits of the next token."""
        import torch

        if self._begin is None:
            self._begin = input_ids.shape[1]
        sentence = input_ids[:, self._begin :]
        continued = self._further(sentence, scores)
        pushed = self._whole(sentence, continued)
        said = torch.zeros_like(scores, dtype=torch.bool).scatter_(1, sentence, True)
        return torch.where(said, continued, pushed)


def _sequence_bias(weights: Mapping[tuple[int, ...], float]) -> Callable[[Tensor, Tensor], Tensor]:
    """A processor that adds a weight to the last token of each sequence; without weights it changes nothing."""
    from transformers import SequenceBiasLogitsProcessor

    if not weights:  # transformers refuses an empty list
        return lambda input_ids, scores: scores
    processor: Callable[[Tensor, Tensor], Tensor] = SequenceBiasLogitsProcessor(
        [[list(tokens), weight] for tokens, weight in weights.items()]
    )
    return processor


@cache
def _generator(model: str) -> TextGenerator:
    from chattest.chatter.generation import TextGenerator

    return TextGenerator(model)
