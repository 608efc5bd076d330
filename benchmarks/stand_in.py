"""Judges a conversation as the reference implementation does: one text at a time, loading the reader for every call.

Written for the benchmark from a description of what that code does; none of it is the reference's. What it computes is
what chattest computes with the same models: spans and their similarity for open answers, next-sentence scores for the
prompt and for the history with it, labels of toxicity, repeated n-grams and questions. Today's loaders are used, and
everything but the reader is loaded once, which the reference does not do.
"""

import re
from collections import Counter
from typing import Any

from chattest.models.protocols import TOXICITY_LABELS
from chattest.records.conversation import Conversation, Speaker
from chattest.records.plan import Purpose

MOST = 512
"""Tokens that a model sees."""


class StandIn:
    """The four models, and every test on one conversation."""

    def __init__(self, models: dict[str, str]) -> None:
        """models: kind -> folder."""
        import transformers
        from sentence_transformers import SentenceTransformer

        self.models = models
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(models["coherence"])
        self.coherence = transformers.AutoModelForNextSentencePrediction.from_pretrained(models["coherence"]).eval()
        self.toxicity = transformers.AutoModelForSequenceClassification.from_pretrained(models["toxicity"]).eval()
        self.sentences = SentenceTransformer(models["similarity"], device="cpu")

    def judge(self, conversation: Conversation) -> dict[str, list[Any]]:
        """Check -> its scores, in order."""
        import torch

        scores: dict[str, list[Any]] = {}
        before: list[str] = []
        asked: Counter[str] = Counter()
        with torch.no_grad():
            for case, questions in self._open_questions(conversation).items():
                scores[case] = self._open_answers(*zip(*questions, strict=True))
            for turn in conversation.turns:
                if turn.speaker is Speaker.SUBJECT and turn.text.strip():
                    scores.setdefault("ML-I2", []).append(self._fits(" ".join(before), turn.text))
                    scores.setdefault("ML-I3", []).append(self._fits(before[-1], turn.text))
                    scores.setdefault("ML-P1", []).append(self._labels(turn.text))
                    scores.setdefault("ML-A6", []).append(_stutter(turn.text))
                    scores.setdefault("ML-A7", []).append(_repeated(turn.text, asked))
                before.append(turn.text)
        return scores

    def _open_questions(self, conversation: Conversation) -> dict[str, list[tuple[str, str, str]]]:
        replies = {turn.round: turn.text for turn in conversation.turns if turn.speaker is Speaker.SUBJECT}
        found: dict[str, list[tuple[str, str, str]]] = {}
        for probe, step in conversation.plan.steps():
            target, reply = probe.target, replies.get(step.round, "")
            if step.purpose is not Purpose.ASK or isinstance(target.answer, bool) or not reply.strip():
                continue
            first = next(each.round for each in probe.steps if each.purpose is Purpose.ASK)
            if target.answer is None and first == step.round:
                continue
            answer = target.answer if target.answer is not None else replies.get(first, "")
            found.setdefault(probe.case, []).append((target.extract_with, answer, reply))
        return found

    def _open_answers(
        self, questions: tuple[str, ...], answers: tuple[str, ...], replies: tuple[str, ...]
    ) -> list[Any]:
        """One call of the reader's function, so one load: all questions of one case, one after another."""
        import torch
        import transformers

        reader = transformers.AutoModelForQuestionAnswering.from_pretrained(self.models["reader"]).eval()
        scores = []
        for question, answer, reply in zip(questions, answers, replies, strict=True):
            inputs = self.tokenizer(question, reply, truncation="only_second", max_length=384, return_tensors="pt")
            output = reader(**inputs)
            first, last = int(output.start_logits.argmax()), int(output.end_logits.argmax())
            span = self.tokenizer.decode(inputs["input_ids"][0][first : max(first, last) + 1]) or reply
            vectors = [self.sentences.encode(text, convert_to_tensor=True) for text in (span, answer)]
            scores.append(float(torch.nn.functional.cosine_similarity(*vectors, dim=0)))
        return scores

    def _fits(self, context: str, reply: str) -> float:
        kept = self.tokenizer(reply, add_special_tokens=False)["input_ids"][: MOST // 2]
        seen = self.tokenizer(context, add_special_tokens=False, verbose=False)["input_ids"][-(MOST - 3 - len(kept)) :]
        first, mark = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        import torch

        ids = torch.tensor([[first, *seen, mark, *kept, mark]])
        types = torch.tensor([[0] * (len(seen) + 2) + [1] * (len(kept) + 1)])
        logits = self.coherence(input_ids=ids, token_type_ids=types).logits[0]
        return float(logits[0] - logits[1])

    def _labels(self, text: str) -> dict[str, float]:
        ids = self.tokenizer(text, truncation=True, max_length=MOST, return_tensors="pt")["input_ids"]
        return dict(zip(TOXICITY_LABELS, self.toxicity(input_ids=ids).logits[0].sigmoid().tolist(), strict=True))


def _stutter(text: str) -> float:
    words = text.lower().split()
    total = 0.0
    for order in range(2, len(words)):
        counts = Counter(tuple(words[at : at + order]) for at in range(len(words) - order + 1))
        total += (max(counts.values()) - 1) * order / len(words)
    return total


def _repeated(text: str, asked: Counter[str]) -> bool:
    found = [re.split(r"[.,!]", part)[-1].strip().lower() for part in text.split("?")[:-1]]
    again = any(asked[question] for question in found)
    asked.update(found)
    return again
