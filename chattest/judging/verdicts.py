"""Conversations -> results. Reads saved conversations alone: a live run and a replay are judged the same way."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from chattest.cases.base import cases, probe_cases, reply_cases
from chattest.models.judges import Judges
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import Probe, Purpose, Step, answer_in_words
from chattest.records.result import Result, Score, Verdict
from chattest.scorers.base import Item, Scorer, scorers
from chattest.settings.declaration import Settings


def analyze(conversations: Iterable[Conversation], settings: Settings, judges: Judges) -> list[Result]:
    """One result for every question that was planned and for every reply and reply case that is on.

    Results come in order of conversations, rounds and cases. A planned question that was not asked, or whose reply the
    check does not apply to, is NOT_APPLICABLE; a round in which a chatter failed is ERROR. All items of one scorer are
    scored together, whatever conversation they come from. Raises `ModelError` when a model cannot be loaded.
    """
    drafts = [draft for conversation in conversations for draft in _drafts(conversation, settings)]
    by_scorer: dict[str, list[int]] = {}
    for place, draft in enumerate(drafts):
        if draft.item is not None:
            by_scorer.setdefault(draft.scorer, []).append(place)
    results = [draft.result for draft in drafts]
    for name, places in by_scorer.items():
        scorer = scorers.get(name)
        items = [item for place in places if (item := drafts[place].item) is not None]
        bar = settings.threshold(scorer.threshold) if scorer.threshold else 0.0
        for place, item, score in zip(places, items, scorer.score(items, judges), strict=True):
            results[place] = _judged(results[place], scorer, item, score, bar)
    return results


def _judged(result: Result, scorer: Scorer, item: Item, score: Score, bar: float) -> Result:
    if score.value is None:
        return replace(result, verdict=Verdict.NOT_APPLICABLE, score=score, reason=score.reason)
    verdict = Verdict.PASS if scorer.passes(score, item, bar) else Verdict.FAIL
    return replace(result, verdict=verdict, score=score, reason=scorer.why(score, item, bar))


@dataclass(frozen=True, slots=True)
class _Draft:
    """A result that still waits for its verdict when it has an item."""

    result: Result
    scorer: str = ""
    item: Item | None = None


def _drafts(conversation: Conversation, settings: Settings) -> list[_Draft]:
    replies = {turn.round: turn for turn in conversation.turns if turn.speaker is Speaker.SUBJECT and turn.round >= 0}
    failed = conversation.failed
    asked = _Asked(conversation, replies, failed)
    drafts = [asked.draft(probe, step) for probe, step in conversation.plan.steps() if step.purpose is Purpose.ASK]
    codes = set(settings.reply_codes)
    every = [found for found in reply_cases() if found.code in codes]
    for round, turn in sorted(replies.items()):
        for case in every:
            if turn.error is not None:
                drafts.append(_Draft(asked.failed_row(asked.row(case.code, round))))
            else:
                drafts.append(_Draft(asked.row(case.code, round), case.scorer_for(), asked.item(turn)))
    if failed is not None and failed.round not in replies:  # the driver failed, so the subject was never asked
        drafts += [_Draft(asked.failed_row(asked.row(case.code, failed.round))) for case in every]
    if failed is not None and not any(draft.result.verdict is Verdict.ERROR for draft in drafts):
        # No case is about the round it failed in: it shows at the first question that was not asked because of it.
        late = [place for place, draft in enumerate(drafts) if draft.result.round > failed.round]
        for place in late[:1]:
            row = asked.failed_row(drafts[place].result)
            drafts[place] = _Draft(replace(row, reason=f"never asked: in round {failed.round} {row.reason}"))
    order = {found.code: place for place, found in enumerate((*probe_cases(), *reply_cases()))}
    return sorted(drafts, key=lambda draft: (draft.result.round, order[draft.result.check]))


class _Asked:
    """What rows and items are made of, for one conversation."""

    def __init__(self, conversation: Conversation, replies: dict[int, Turn], failed: Turn | None) -> None:
        self.conversation = conversation
        self.replies = replies
        self.failed = failed
        self.places = {(turn.round, turn.speaker): place for place, turn in enumerate(conversation.turns)}

    def row(self, code: str, round: int) -> Result:
        """A row with prompt and reply, its verdict still open."""
        reply = self.replies.get(round)
        return Result(
            check=code,
            run=self.conversation.run,
            conversation=self.conversation.name,
            round=round,
            verdict=Verdict.NOT_APPLICABLE,
            prompt=self._prompt(round),
            reply=reply.text if reply is not None else "",
        )

    def failed_row(self, row: Result) -> Result:
        """A row of the round in which a chatter failed."""
        assert self.failed is not None
        name = self.conversation.chatters[0 if self.failed.speaker is Speaker.DRIVER else 1]
        return replace(row, verdict=Verdict.ERROR, reason=f"{name} failed: {self.failed.error}")

    def item(self, turn: Turn) -> Item:
        """What a scorer is given about a reply."""
        before = self.conversation.turns[: self.places[turn.round, Speaker.SUBJECT]]
        texts = [earlier.text for earlier in before]
        own = tuple(earlier.text for earlier in before if earlier.speaker is Speaker.SUBJECT)
        return Item(texts[-1] if texts else "", turn.text, history=tuple(texts[:-1]), own=own)

    def draft(self, probe: Probe, step: Step) -> _Draft:
        """The row of a planned question."""
        perturbed = step.perturbed
        row = replace(
            self.row(probe.case, step.round),
            expected=answer_in_words(probe.target.answer),
            testset=probe.testset,
            perturbation=step.perturbation or "",
            kind=perturbed.kind if perturbed else "",
            dose=perturbed.dose if perturbed else None,
            distance=self.conversation.plan.distance(probe.testset, step.round),
            prompt=step.text,
        )
        turn = self.replies.get(step.round)
        if self.failed is not None and self.failed.round == step.round:
            return _Draft(self.failed_row(row))
        if turn is None:
            asked = (step.round, Speaker.DRIVER) in self.places
            ended = (
                "not answered: the conversation ended there" if asked else "never asked: the conversation ended before"
            )
            return _Draft(replace(row, reason=ended))
        item = replace(self.item(turn), prompt=step.text, extract_with=probe.target.extract_with)
        answer = probe.target.answer
        scorer = cases.get(probe.case).scorer_for(answer)
        if answer is not None:
            return _Draft(row, scorer, replace(item, expected=answer))
        first = next(self.replies.get(each.round) for each in probe.steps if each.purpose is Purpose.ASK)
        if first is turn:
            return _Draft(replace(row, reason="the first answer is the target and is not counted"))
        target = first.text if first is not None else ""
        return _Draft(replace(row, expected=target), scorer, replace(item, expected=target))

    def _prompt(self, round: int) -> str:
        place = self.places.get((round, Speaker.DRIVER))
        return self.conversation.turns[place].text if place is not None else ""
