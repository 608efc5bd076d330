"""Turns conversations into results. Only saved conversations are read, so live runs and replays are judged alike."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from chattest.cases.base import StoryCase, cases, probe_cases, reply_cases
from chattest.judging.apart import judge_each
from chattest.judging.planned_questions import distance, format_expected, never_told, was_stated_before
from chattest.judging.scoring import Judgement
from chattest.judging.who_judges import run_judges
from chattest.judging.wrong_answers import Judged, name_wrong_answers, story_item
from chattest.models.judges import Judges
from chattest.records.answers import AnswerKind
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import Probe, Purpose, Step
from chattest.records.result import Result, Verdict
from chattest.scorers.base import Item, scorers
from chattest.settings.declaration import Settings


def analyze(
    conversations: Iterable[Conversation], settings: Settings, judges: Judges, round: int | None = None
) -> list[Result]:
    """Judge every planned question, and every reply under every reply case that is switched on.

    Results are ordered by conversation, round and case. A planned question that was never asked, or to whose reply the
    case does not apply, is NOT_APPLICABLE; a round in which a chatter failed is ERROR, and so is a reply that a scorer
    or a rule fails on. Each scorer gets the items of all conversations at once, planned questions first: a reply that
    answers one rightly also fits.

    Args:
        conversations: What was said.
        settings: The settings of the run.
        judges: Its judges.
        round: The only round that is judged, as in a chat that goes on; `None` for all.

    Raises:
        ModelError: A model cannot be loaded.
    """
    conversations = list(conversations)
    every = {conversation.run: conversation for conversation in conversations}
    drafts = [draft for conversation in conversations for draft in _drafts(conversation, settings, every)]
    drafts = [draft for draft in drafts if round in (None, draft.result.round)]
    results = [draft.result for draft in drafts]
    questions = [index for index, draft in enumerate(drafts) if draft.asked]
    _judge(drafts, questions, results, settings, judges)
    stories = {
        index: Judged(results[index], draft.item, draft.probe)
        for index, draft in enumerate(drafts)
        if draft.item is not None and draft.probe is not None
    }
    apart = judge_each(
        lambda rows: name_wrong_answers(rows, settings, judges),
        list(stories.values()),
        "telling wrong answers apart",
        lambda row, reason: replace(row.result, verdict=Verdict.ERROR, reason=reason, in_doubt=False),
    )
    for index, result in zip(stories, apart, strict=True):
        results[index] = result
    answered = {_round_of(results[index]) for index in questions if _is_right(results[index], drafts[index])}
    replies = [index for index, draft in enumerate(drafts) if not draft.asked]
    for index in replies:
        item = drafts[index].item
        if item is not None and _round_of(results[index]) in answered:
            drafts[index] = replace(drafts[index], item=replace(item, answers_probe=True))
    _judge(drafts, replies, results, settings, judges)
    return results


def _judge(
    drafts: Sequence["_Draft"], at: Sequence[int], results: list[Result], settings: Settings, judges: Judges
) -> None:
    """Put the verdicts of some drafts into the results; each scorer gets all its items at once."""
    by_scorer: dict[str, list[tuple[int, Item]]] = {}
    for index in at:
        if (item := drafts[index].item) is not None:
            by_scorer.setdefault(drafts[index].scorer, []).append((index, item))

    def judgements_of(name: str) -> list[Judgement]:
        return run_judges(scorers.get(name), [item for _, item in by_scorer[name]], settings, judges)

    for indexed, judgements in zip(by_scorer.values(), judges.map(judgements_of, by_scorer), strict=True):
        for (index, _), judgement in zip(indexed, judgements, strict=True):
            results[index] = replace(
                results[index],
                verdict=judgement.verdict,
                score=judgement.score,
                reason=judgement.reason,
                in_doubt=judgement.in_doubt,
                scorer=judgement.scorer,
                judge=judgement.judge,
            )


def _round_of(result: Result) -> tuple[str, int]:
    return result.conversation, result.round


def _is_right(result: Result, draft: "_Draft") -> bool:
    """Return True if a planted question with a right answer was answered so, without doubt."""
    if not draft.scorer or result.verdict is not Verdict.PASS or result.in_doubt:
        return False
    scorer = scorers.get(draft.scorer)
    return scorer.finds_answer and bool(scorer.answers & {AnswerKind.OPEN, AnswerKind.CLOSED})


@dataclass(frozen=True, slots=True)
class _Draft:
    """A row, and what its verdict still depends on."""

    result: Result
    scorer: str = ""
    """Name of the scorer that judges the item; empty where there is none."""
    item: Item | None = None
    """The reply to judge; `None` where the verdict is final."""
    asked: bool = False
    """Whether it is of a planted question, and not of a reply as such."""
    probe: Probe | None = None
    """The probe that the reply answers, if it is a story, whose wrong answers are told apart."""


def _drafts(conversation: Conversation, settings: Settings, every: Mapping[int, Conversation]) -> list[_Draft]:
    """Make the rows of a conversation.

    `every` maps the run to its conversation, for all that are judged: a fact may be stated in another session.
    """
    replies = {turn.round: turn for turn in conversation.turns if turn.speaker is Speaker.SUBJECT and turn.round >= 0}
    failed = conversation.failed
    rows = _Rows(conversation, replies, failed, every)
    drafts = [
        replace(draft, asked=True)
        for draft in judge_each(
            lambda asked: [rows.draft(*each) for each in asked],
            [(probe, step) for probe, step in conversation.plan.steps() if step.purpose is not Purpose.INFORM],
            "the rule of right answers",
            lambda each, reason: rows.unjudged(*each, reason),
        )
    ]
    codes = set(settings.reply_codes)
    listed = [case for case in reply_cases() if case.code in codes]
    expecting = {turn.round for turn in conversation.turns if turn.expect}
    chosen = [case for case in listed if not case.scripted]
    for round, turn in sorted(replies.items()):
        for case in listed if round in expecting else chosen:
            if turn.error is not None:
                drafts.append(_Draft(rows.failed_row(rows.row(case.code, round))))
            else:
                drafts.append(_Draft(rows.row(case.code, round), case.scorer_for(), rows.item(turn)))
    if failed is not None and failed.round not in replies:  # the driver failed, so the subject was never asked
        drafts += [_Draft(rows.failed_row(rows.row(case.code, failed.round))) for case in chosen]
    if failed is not None and not any(draft.result.verdict is Verdict.ERROR for draft in drafts):
        # No case judges the failed round, so the error shows at the first question that was never asked because of it.
        unasked = [index for index, draft in enumerate(drafts) if draft.result.round > failed.round]
        for index in unasked[:1]:
            row = rows.failed_row(drafts[index].result)
            drafts[index] = _Draft(replace(row, reason=f"never asked: in round {failed.round} {row.reason}"))
    order = {case.code: number for number, case in enumerate((*probe_cases(), *reply_cases()))}
    return sorted(drafts, key=lambda draft: (draft.result.round, order[draft.result.check]))


class _Rows:
    """Makes the rows and items of one conversation."""

    def __init__(
        self,
        conversation: Conversation,
        replies: dict[int, Turn],
        failed: Turn | None,
        every: Mapping[int, Conversation],
    ) -> None:
        self.conversation = conversation
        self.every = every
        self.replies = replies
        self.failed = failed
        self.turn_index = {(turn.round, turn.speaker): index for index, turn in enumerate(conversation.turns)}

    def row(self, code: str, round: int) -> Result:
        """Make a row with prompt and reply, without a verdict."""
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
        """Make the row of a round in which a chatter failed."""
        assert self.failed is not None
        name = self.conversation.chatters[0 if self.failed.speaker is Speaker.DRIVER else 1]
        return replace(row, verdict=Verdict.ERROR, reason=f"{name} failed: {self.failed.error}")

    def unjudged(self, probe: Probe, step: Step, reason: str) -> _Draft:
        """Make the row of a question whose right answer cannot be read."""
        row = replace(self.row(probe.case, step.round), testset=probe.testset)
        return _Draft(replace(row, prompt=step.text, verdict=Verdict.ERROR, reason=reason))

    def item(self, turn: Turn) -> Item:
        """Return a reply as a scorer gets it."""
        before = self.conversation.turns[: self.turn_index[turn.round, Speaker.SUBJECT]]
        texts = [earlier.text for earlier in before]
        earlier_replies = tuple(earlier.text for earlier in before if earlier.speaker is Speaker.SUBJECT)
        return Item(
            texts[-1] if texts else "",
            turn.text,
            history=tuple(texts[:-1]),
            earlier_replies=earlier_replies,
            turns=tuple(before),
        )

    def draft(self, probe: Probe, step: Step) -> _Draft:
        """Make the row of a planned question."""
        perturbed = step.perturbed
        apart = (
            probe.target.untold or probe.judged is Purpose.PRESS
        )  # what these ask is not only whether it is recalled
        row = replace(
            self.row(probe.case, step.round),
            expected=format_expected(probe),
            testset=probe.testset,
            perturbation=step.perturbation or "",
            kind=perturbed.kind if perturbed else "",
            dose=perturbed.dose if perturbed else None,
            distance=None if apart else distance(self.conversation.plan, probe, step),
            known_before=was_stated_before(probe, self.conversation, self.every),
            prompt=step.text,
        )
        turn = self.replies.get(step.round)
        if self.failed is not None and self.failed.round == step.round:
            return _Draft(self.failed_row(row))
        if turn is None:
            was_asked = (step.round, Speaker.DRIVER) in self.turn_index
            unanswered = "not answered: the conversation ended there"
            reason = unanswered if was_asked else "never asked: the conversation ended before"
            return _Draft(replace(row, reason=reason))
        if step.purpose is not probe.judged:
            return _Draft(replace(row, reason="the answer before the bot is pressed is not counted"))
        if why := never_told(probe, self.conversation, self.every):
            return _Draft(replace(row, reason=why))
        elsewhere = (probe.told.text,) if probe.told is not None else ()
        facts = (*elsewhere, *(each.text for each in probe.steps if each.purpose is Purpose.INFORM))
        item = replace(self.item(turn), prompt=step.text, extract_with=probe.target.extract_with, facts=facts)
        answer = probe.target.answer
        case = cases.get(probe.case)
        scorer = case.scorer_for(answer)
        if isinstance(case, StoryCase):
            return _Draft(row, scorer, story_item(item, probe), probe=probe)
        if answer is not None:
            return _Draft(row, scorer, replace(item, expected=answer))
        first = next(self.replies.get(each.round) for each in probe.steps if each.purpose is Purpose.ASK)
        if first is turn:
            return _Draft(replace(row, reason="the first answer is the target and is not counted"))
        target = first.text if first is not None else ""
        return _Draft(replace(row, expected=target), scorer, replace(item, expected=target))

    def _prompt(self, round: int) -> str:
        index = self.turn_index.get((round, Speaker.DRIVER))
        return self.conversation.turns[index].text if index is not None else ""
