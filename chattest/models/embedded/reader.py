"""The reader that ships: MiniLM with an adapter, trained by `training/reader.py`.

Each token of the passage gets a logit for being the first token of the answer and one for being its last. The token
[CLS] means "no answer" in both, and has a third logit for "there is an answer". The span is the best pair of first and
last token, at most `max_answer_tokens` long. The logit that there is an answer is the mean of that third logit and of
the best span's lead over [CLS]. A passage longer than the encoder's window is read in several windows, of which the one
with the highest logit counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chattest.models.base import judge
from chattest.models.embedded.adapter import Adapter, find_shipped_adapter, read_adapter
from chattest.models.embedded.batching import Batch, drop_duplicates
from chattest.models.embedded.device import Precision
from chattest.models.embedded.encoder import Encoder, load_encoder
from chattest.models.logistic import probability
from chattest.models.protocols import Span

if TYPE_CHECKING:
    from tokenizers import Encoding
    from torch import Tensor

WEIGHTS = find_shipped_adapter("reader")


@judge("reader", "embedded")
class EmbeddedReader:
    """Finds the answer to a question in a reply, or finds that there is none."""

    name = "embedded/reader"

    def __init__(
        self, adapter: Adapter | None = None, encoder: Encoder | None = None, precision: Precision = "float32"
    ) -> None:
        """Take an adapter and an encoder, or load those that ship.

        Args:
            adapter: The reader's adapter; by default the one that ships.
            encoder: By default the encoder of this process.
            precision: Number format that this encoder computes in.
        """
        self.adapter = adapter or read_adapter(WEIGHTS)
        self.encoder = encoder or load_encoder(precision=precision)
        self.settings: dict[str, Any] = self.adapter.settings

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Span]:
        """Return one span for each pair.

        Args:
            questions: Questions; truncated to `max_question_tokens`.
            passages: Replies or whole paragraphs of any length.

        Returns:
            Spans with the probability that the passage answers the question. If it is not above `threshold` (in the
            adapter's settings, 0.5), the span is empty.

        Raises:
            ValueError: The two sequences differ in length.
        """
        return [
            span if span.probability > self.settings["threshold"] else Span("", 0, 0, span.probability)
            for span in self.best_spans(questions, passages)
        ]

    def best_spans(self, questions: Sequence[str], passages: Sequence[str]) -> list[Span]:
        """Return the best span for each pair, as `read` does, but even if there is probably no answer."""
        pairs, positions = drop_duplicates(list(zip(questions, passages, strict=True)))
        truncated = self._truncated([question for question, _ in pairs])
        longest, stride = self.settings["max_tokens"], self.settings["stride"]
        first = self.encoder.tokenize(
            truncated, [passage for _, passage in pairs], longest, "only_second", stride=stride
        )
        windows = [(i, window) for i, encoding in enumerate(first) for window in (encoding, *encoding.overflowing)]
        window_spans = self.encoder.run(self.adapter, [window for _, window in windows], self._spans)
        best: dict[int, tuple[float, int, int]] = {}
        for (i, _), span in zip(windows, window_spans, strict=True):
            best[i] = max(best.get(i, span), span)
        spans = [_span(passage, *best[i]) for i, (_, passage) in enumerate(pairs)]
        return [spans[i] for i in positions]

    def _truncated(self, questions: list[str]) -> list[str]:
        """Truncate the questions after their last token that fits."""
        longest = self.settings["max_question_tokens"]
        return [
            question[: max(end for _, end in encoding.offsets)] if encoding.overflowing else question
            for question, encoding in zip(questions, self.encoder.tokenize(questions, None, longest), strict=True)
        ]

    def _spans(self, batch: Batch) -> list[tuple[float, int, int]]:
        """Return for each window the logit that there is an answer, and the answer's first and end character."""
        import torch

        start, end, answered = apply_reader_head(batch.hidden, batch.mask, batch.types, self.adapter.head)
        scores = start.unsqueeze(2) + end.unsqueeze(1)
        tokens = scores.shape[1]
        allowed = torch.ones(tokens, tokens, dtype=torch.bool, device=scores.device).triu()
        allowed = allowed.tril(self.settings["max_answer_tokens"] - 1)
        allowed[0, :] = False
        best, position = scores.masked_fill(~allowed, float("-inf")).flatten(1).max(1)
        logits = (answered + best - scores[:, 0, 0]) / 2
        return [
            (logit, *(_characters(encoding, pair // tokens, pair % tokens) if logit > float("-inf") else (0, 0)))
            for logit, pair, encoding in zip(logits.tolist(), position.tolist(), batch.encodings, strict=True)
        ]


def apply_reader_head(
    hidden: Tensor, mask: Tensor, types: Tensor, head: dict[str, Tensor]
) -> tuple[Tensor, Tensor, Tensor]:
    """Apply the reader's head.

    Args:
        hidden: Texts x tokens x 384.
        mask: Texts x tokens, 0 for padding.
        types: Texts x tokens, 1 in the passage.
        head: `weight` (3 x 384) and `bias` (3).

    Returns:
        Logits of the answer's first and last token (texts x tokens each; minus infinity outside [CLS] and the passage)
        and of there being an answer (texts).
    """
    from chattest.models.linear import linear

    logits = linear(hidden, head["weight"].to(hidden.device), head["bias"].to(hidden.device)).float()
    allowed = types.bool() & mask.bool()
    last = mask.sum(1, keepdim=True) - 1
    allowed = allowed.scatter(1, last, False)
    allowed[:, 0] = True
    start, end = (logits[..., i].masked_fill(~allowed, float("-inf")) for i in (0, 1))
    return start, end, logits[:, 0, 2]


def _characters(encoding: Encoding, first: int, last: int) -> tuple[int, int]:
    """Return start and end of a span of tokens in the passage, extended to whole words."""
    words, sequences = encoding.word_ids, encoding.sequence_ids
    while sequences[first - 1] == 1 and words[first - 1] == words[first]:
        first -= 1
    while sequences[last + 1] == 1 and words[last + 1] == words[last]:
        last += 1
    return encoding.offsets[first][0], encoding.offsets[last][1]


def _span(passage: str, logit: float, start: int, end: int) -> Span:
    return Span(passage[start:end], start, end, probability(logit))
