"""The reference reader: BERT, or any other model for extractive question answering.

The span is the pair of first and last token with the highest sum of the model's two logits, in that order and at most
`MAX_ANSWER_TOKENS` long (Devlin et al. 2019, section 4.2). A passage too long for the model is read in windows that
overlap by a third.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from chattest.models.base import judge
from chattest.models.embedded.batching import drop_duplicates
from chattest.models.embedded.device import Precision
from chattest.models.hub import find_local_folder, find_model_problem
from chattest.models.logistic import probability
from chattest.models.protocols import Span
from chattest.models.reference.pretrained import Pretrained

if TYPE_CHECKING:
    from tokenizers import Encoding

DEFAULT = "bert-large-uncased-whole-word-masking-finetuned-squad"
MAX_TOKENS = 384
"""Tokens of question and passage in one window."""
MAX_ANSWER_TOKENS = 30
"""Longest answer, in tokens."""

_UNANSWERABLE = re.compile(r"squad[-_. ]?v?2(?!\d)", re.IGNORECASE)
_NO_ANSWER = Span("", 0, 0, 0.0)


class _Best(NamedTuple):
    """The best span of one window."""

    score: float
    """Sum of its two logits; minus infinity if the window has no token of the passage."""
    lead: float
    """By how much the score exceeds "no answer", the sum of the first token's two logits."""
    mass: float
    """Logarithm of the sum of exp(score) over all pairs of tokens of the passage in this window."""
    start: int
    """First character of the span in the passage."""
    end: int
    """The character after its last."""


@judge("reader", "reference")
class ReferenceReader:
    """Finds the answer to a question in a reply, with a transformers model."""

    def __init__(self, name: str = DEFAULT, device: str = "auto", precision: Precision = "float32") -> None:
        """Load the model.

        Args:
            name: A folder or hub name of a model for extractive question answering.
            device: "cpu", "cuda" or "auto".
            precision: Number format it computes in.

        Raises:
            ModelError: It cannot be loaded.
        """
        self.name = name
        self._model = Pretrained("reader", name, "AutoModelForQuestionAnswering", device, precision=precision)
        self.knows_no_answer = _knows_unanswerables(name, self._model.folder)

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Span]:
        """Return one span for each pair.

        If the model was trained with unanswerable questions (SQuAD 2, according to its name or card), the probability
        is the logistic function of the span's lead over "no answer", and the span is empty if it is not above 0.5.
        Otherwise there is always a span, unless the passage has no word, and the probability is the span's share among
        all pairs of the passage's tokens.

        Args:
            questions: Questions; truncated to a sixth of the window.
            passages: Replies or whole paragraphs of any length.

        Raises:
            ValueError: The two sequences differ in length.
        """
        pairs, positions = drop_duplicates(list(zip(questions, passages, strict=True)))
        longest = min(MAX_TOKENS, self._model.max_tokens)
        shortened = self._model.shorten([question for question, _ in pairs], longest // 6, keep="beginning")
        first = self._model.tokenize(
            shortened, [passage for _, passage in pairs], longest, "only_second", stride=longest // 3
        )
        windows = [(i, window) for i, encoding in enumerate(first) for window in (encoding, *encoding.overflowing)]
        best_by_pair: list[list[_Best]] = [[] for _ in pairs]
        for (i, _), best in zip(windows, self._model.run([window for _, window in windows], _best_spans), strict=True):
            best_by_pair[i].append(best)
        spans = [self._span(passage, bests) for (_, passage), bests in zip(pairs, best_by_pair, strict=True)]
        return [spans[i] for i in positions]

    def _span(self, passage: str, windows: list[_Best]) -> Span:
        best = max(windows, key=lambda window: window.lead if self.knows_no_answer else window.score)
        if best.score == -math.inf:
            return _NO_ANSWER
        if self.knows_no_answer:
            chance = probability(best.lead)
            if chance <= 0.5:
                return Span("", 0, 0, chance)
        else:
            highest = max(window.mass for window in windows)
            total = highest + math.log(sum(math.exp(window.mass - highest) for window in windows))
            chance = min(1.0, math.exp(best.score - total))
        return Span(passage[best.start : best.end], best.start, best.end, chance)


def check(name: str = DEFAULT) -> str:
    """Return why the model cannot be loaded, as far as can be seen without loading it; '' if nothing is wrong."""
    return find_model_problem(name, head="ForQuestionAnswering")


def model_folder(name: str = DEFAULT) -> Path | None:
    """Return the folder with the model's files; `None` if they are not on this machine."""
    return find_local_folder(name)


def _best_spans(output: Any, batch: list[Encoding]) -> list[_Best]:
    import torch

    start, end = output.start_logits.float().cpu(), output.end_logits.float().cpu()
    tokens = start.shape[1]
    outside = torch.tensor([[s != 1 for s in e.sequence_ids] + [True] * (tokens - len(e)) for e in batch])
    no_answer = start[:, 0] + end[:, 0]
    start, end = start.masked_fill(outside, -math.inf), end.masked_fill(outside, -math.inf)
    in_order = torch.ones(tokens, tokens, dtype=torch.bool).triu().tril(MAX_ANSWER_TOKENS - 1)
    scores = (start.unsqueeze(2) + end.unsqueeze(1)).masked_fill(~in_order, -math.inf)
    best, position = scores.flatten(1).max(1)
    mass = start.logsumexp(1) + end.logsumexp(1)
    rows = zip(best.tolist(), (best - no_answer).tolist(), mass.tolist(), position.tolist(), batch, strict=True)
    return [
        _Best(
            score, lead, total, *(_characters(encoding, pair // tokens, pair % tokens) if score > -math.inf else (0, 0))
        )
        for score, lead, total, pair, encoding in rows
    ]


def _characters(encoding: Encoding, first: int, last: int) -> tuple[int, int]:
    """Return start and end of a span of tokens in the passage, extended to whole words."""
    words, texts = encoding.word_ids, encoding.sequence_ids
    while texts[first - 1] == 1 and words[first - 1] == words[first]:
        first -= 1
    while last + 1 < len(texts) and texts[last + 1] == 1 and words[last + 1] == words[last]:
        last += 1
    return encoding.offsets[first][0], encoding.offsets[last][1]


def _knows_unanswerables(name: str, folder: Path) -> bool:
    card = folder / "README.md"
    text = card.read_text("utf-8", "replace") if card.is_file() else ""
    facts = text.split("\n---", 1)[0] if text.startswith("---") else ""
    return bool(_UNANSWERABLE.search(Path(name).name) or _UNANSWERABLE.search(facts))
