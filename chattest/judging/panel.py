"""Several judges give one verdict: by majority, or where all or any of them pass the reply."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from chattest.judging.scoring import Judgement
from chattest.records.result import Verdict
from chattest.settings.models import PanelRule

DECIDED = (Verdict.PASS, Verdict.FAIL)


def together(judgements: Mapping[str, Judgement], rule: PanelRule) -> Judgement:
    """The judgement of a panel on one reply. judgements: judge -> its own, in the order in which they are named.

    A judge whose verdict is ERROR or NOT_APPLICABLE has no vote. Where none has, the verdict is ERROR if there is one.
    The score is that of the first judge who voted as the panel decides. The verdict is in doubt on a tie, and where
    every judge who voted so is in doubt.
    """
    votes = {judge: one.verdict for judge, one in judgements.items()}
    cast = [vote for vote in votes.values() if vote in DECIDED]
    verdict = decided(cast, rule) if cast else _of_none(list(votes.values()))
    winners = [judge for judge, vote in votes.items() if vote is verdict]
    first = judgements[winners[0]]
    if not cast:
        return replace(first, score=replace(first.score, votes=votes), judge=winners[0])
    tied = rule == "majority" and 2 * cast.count(Verdict.PASS) == len(cast)
    return replace(
        first,
        verdict=verdict,
        score=replace(first.score, votes=votes),
        reason=_reason(judgements, verdict, winners),
        in_doubt=tied or all(judgements[judge].in_doubt for judge in winners),
        judge=", ".join(winners),
    )


def decided(cast: Sequence[Verdict], rule: PanelRule) -> Verdict:
    """The verdict of a panel. cast: PASS or FAIL of each judge who voted, at least one, in the order of the judges."""
    passed = cast.count(Verdict.PASS)
    if rule == "majority" and 2 * passed == len(cast):
        return cast[0]
    needed = {"majority": len(cast) / 2, "all": len(cast) - 0.5, "any": 0.5}[rule]
    return Verdict.PASS if passed > needed else Verdict.FAIL


def _of_none(votes: Sequence[Verdict]) -> Verdict:
    return Verdict.ERROR if Verdict.ERROR in votes else votes[0]


def _reason(judgements: Mapping[str, Judgement], verdict: Verdict, winners: Sequence[str]) -> str:
    """Who voted how, and why the first winner voted so; the reason of a judge who gave no verdict."""
    others = [judge for judge, one in judgements.items() if one.verdict in DECIDED and judge not in winners]
    word = {Verdict.PASS: ("pass", "fail"), Verdict.FAIL: ("fail", "pass")}[verdict]
    parts = [f"{word[0]}: {', '.join(winners)} ({judgements[winners[0]].reason})"]
    parts += [f"{word[1]}: {', '.join(others)} ({judgements[others[0]].reason})"] if others else []
    silent = [(judge, one) for judge, one in judgements.items() if one.verdict not in DECIDED]
    parts += [f"no verdict: {judge} ({one.reason})" for judge, one in silent]
    return "; ".join(parts)
