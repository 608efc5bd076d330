"""A small LSTM that learns the questions of the test sets by heart, in a few seconds, when it is loaded."""

import re
from random import Random
from typing import Any

from chattest import Chatter
from chattest.datasets.questions import read_questions
from chattest.judging.correctness import right_answers
from tests.support.paths import TESTSETS

UNKNOWN = "I do not know."
STEPS = 150


class SmallLstm(Chatter):
    """Answers the questions of the test sets, and others as it sees fit.

    It computes in double precision: training makes large what processors round differently, and in single precision
    that is enough for other answers.
    """

    remembers = False

    @classmethod
    def load(cls, options: Any) -> dict[str, Any]:
        """Words, answers and the trained network. Words are left out in training, so that it bears small changes."""
        import torch

        learnt = [(entry.question.shown, (*right_answers(entry), UNKNOWN)[0]) for entry in read_questions(TESTSETS)]
        words = sorted({word for text, _ in learnt for word in tokens(text)})
        answers = sorted({answer for _, answer in learnt})
        made: dict[str, Any] = {"words": {word: place for place, word in enumerate(words, start=1)}, "answers": answers}
        chance = Random(1)
        with torch.random.fork_rng([]):
            torch.manual_seed(1)
            double: dict[str, Any] = {"dtype": torch.float64}
            made["network"] = network = torch.nn.ModuleDict(
                {
                    "embedding": torch.nn.Embedding(len(words) + 1, 24, **double),
                    "lstm": torch.nn.LSTM(24, 48, batch_first=True, **double),
                    "head": torch.nn.Linear(48, len(answers), **double),
                }
            )
            learning = torch.optim.Adam(network.parameters(), lr=0.02)
            right = torch.tensor([answers.index(answer) for _, answer in learnt])
            for _ in range(STEPS):
                rows = [
                    [word if chance.random() > 0.1 else 0 for word in numbers(text, made["words"])]
                    for text, _ in learnt
                ]
                loss = torch.nn.functional.cross_entropy(logits(network, rows), right)
                learning.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]  # torch has no type for it
                learning.step()
        return made

    @classmethod
    def torch_module(cls, shared: dict[str, Any]) -> Any:
        """The network."""
        return shared["network"]

    @classmethod
    def get_responses(cls, shared: dict[str, Any], conv_arrays: list[list[str]]) -> list[Any]:
        """The likeliest answer to all that the other said."""
        import torch

        rows = [numbers("\n".join(said[::2]), shared["words"]) for said in conv_arrays]
        with torch.no_grad():
            likeliest = logits(shared["network"], rows).argmax(1).tolist()
        return [shared["answers"][place] for place in likeliest]

    def get_response(self, conv_array: list[str]) -> Any:
        """As in a batch of one."""
        return self.get_responses(self.shared, [conv_array])[0]


def tokens(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return re.findall(r"\w+", text.casefold())


def numbers(text: str, words: dict[str, int]) -> list[int]:
    """Words as numbers; 0 for one that is not known."""
    return [words.get(word, 0) for word in tokens(text)] or [0]


def logits(network: Any, rows: list[list[int]]) -> Any:
    """Texts x answers; the LSTM reads each text to its end."""
    import torch

    sequences = [torch.tensor(row) for row in rows]
    padded = torch.nn.utils.rnn.pad_sequence(sequences, batch_first=True)
    states, _ = network["lstm"](network["embedding"](padded))
    last = torch.tensor([len(row) - 1 for row in rows])
    return network["head"](states[torch.arange(len(rows)), last])
