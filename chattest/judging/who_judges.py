"""The judges that the settings name: a single judge, a panel, or the embedded judge that defers to others.

Deferring asks the better judges only where the embedded judge is most likely wrong. Which verdicts these are depends on
the texts alone, and not on their order or on chance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from chattest.cases.base import cases
from chattest.judging.scoring import Judgement, judge_items
from chattest.models.judges import Judges
from chattest.records.result import Verdict
from chattest.scorers.base import Item, Scorer, scorers
from chattest.settings.declaration import Settings
from chattest.settings.models import PanelRule

EMBEDDED = "embedded"
LIKELY = 0.5
"""The probability that decides where a scorer has no threshold."""
DECIDED = (Verdict.PASS, Verdict.FAIL)
CACHE = ".scores.sqlite"
"""The file of scores that all runs of a folder share."""


def make_judges(settings: Settings, reports: Path) -> Judges:
    """Return the judges that the settings name, without loading them.

    `reports` is the parent of the run's folder, where scores are cached.
    """
    judges = Judges(settings.models)
    judges.configure(settings.history_tokens, settings.precision)
    if settings.score_cache:
        judges.use_cache(reports / CACHE)
    return judges


def run_judges(scorer: Scorer, items: Sequence[Item], settings: Settings, judges: Judges) -> list[Judgement]:
    """Run the judges of one scorer over the items: a single judge, a panel, or a deferral.

    The result has one judgement for each item, in order, with the name of who decided where several judges could. The
    reference implementation's formula judges where the setting `formula` chooses it.

    Raises:
        ModelError: A model cannot be loaded.
    """
    if by_reference(scorer, settings):
        return judge_items(scorers.get(scorer.reference), items, settings, judges)
    share = settings.deferred(scorer.kinds)
    members = judges.panel_members(scorer.kinds)
    if share is None or list(members) == [EMBEDDED]:
        return _by_panel(scorer, items, settings, judges, members)
    embedded = judges.embedded(scorer.kinds)
    own = _settings_of(embedded, settings, judges)
    first = judge_items(scorer, items, own, embedded)
    chosen = least_sure(items, surenesses(scorer, first, own, embedded), share)
    better = _by_panel(scorer, [items[index] for index in chosen], settings, judges, members)
    judgements = [replace(judgement, judge=EMBEDDED) for judgement in first]
    for index, other in zip(chosen, better, strict=True):
        judgements[index] = _defer(first[index], other, ", ".join(members))
    return judgements


def by_reference(scorer: Scorer, settings: Settings) -> bool:
    """Return True if the reference implementation's formula judges in a scorer's place."""
    chosen = {cases.get(code).scorer_for() for code, name in settings.formula.items() if name == "reference"}
    return bool(scorer.reference) and scorer.name in chosen


def surenesses(
    scorer: Scorer, judgements: Sequence[Judgement], settings: Settings, judges: Judges
) -> list[float | None]:
    """Return how sure one judge is of each of its verdicts, to order the verdicts of one scorer.

    It is the probability that the verdict is right where the values are calibrated, else the distance of the value from
    the threshold; `None` where there is neither PASS nor FAIL.
    """
    threshold = scorer.threshold_value(settings.threshold) if scorer.threshold else LIKELY
    calibrated = scorer.calibration(judges) is not None

    def sureness(one: Judgement) -> float | None:
        if one.verdict not in DECIDED or one.score.value is None:
            return None
        right = scorer.probability_correct(one.score)
        if not calibrated or right is None:
            return abs(one.score.value - threshold)
        return right if one.verdict is Verdict.PASS else 1 - right

    return [sureness(one) for one in judgements]


def least_sure(items: Sequence[Item], sure: Sequence[float | None], share: float) -> list[int]:
    """Return the indices of the least certain verdicts, in order.

    The number is rounded to the nearest one. Between verdicts that are equally sure, the texts decide.

    Args:
        items: The judged items.
        sure: How sure the judge is of each; `None` for no verdict.
        share: The share of PASS and FAIL to return, 0 to 1.
    """
    ranked = sorted(
        (value, items[index].prompt, items[index].reply, str(items[index].expected), index)
        for index, value in enumerate(sure)
        if value is not None
    )
    return sorted(index for *_, index in ranked[: int(share * len(ranked) + 0.5)])


def _settings_of(member: Judges, settings: Settings, judges: Judges) -> Settings:
    """Return the settings with this panel member's thresholds."""
    return settings if member is judges else settings.model_copy(update={"models": member.models()})


def _by_panel(
    scorer: Scorer, items: Sequence[Item], settings: Settings, judges: Judges, members: dict[str, Judges]
) -> list[Judgement]:
    """Combine what all panel members judge; return the judgements of a single member as they are."""
    if not items:
        return []
    columns = [
        judge_items(scorer, items, _settings_of(member, settings, judges), member) for member in members.values()
    ]
    if len(columns) == 1:
        return columns[0]
    rule = settings.rule_of(scorer.kinds)
    return [together(dict(zip(members, row, strict=True)), rule) for row in zip(*columns, strict=True)]


def _defer(embedded: Judgement, better: Judgement, name: str) -> Judgement:
    """Return the judgement on a reply about which the better judge was asked.

    The embedded judgement stays where the better judge has no verdict.
    """
    panel = better.score.votes
    votes = {EMBEDDED: embedded.verdict} | (panel or {name: better.verdict})
    if better.verdict not in DECIDED:
        reason = f"{embedded.reason}; deferred to {name}, without a verdict: {better.reason}"
        return replace(embedded, score=replace(embedded.score, votes=votes), reason=reason, judge=EMBEDDED)
    reason = f"deferred to {better.reason if panel else f'{name}: {better.reason}'}"
    return replace(better, score=replace(better.score, votes=votes), reason=reason, judge=better.judge or name)


def together(judgements: Mapping[str, Judgement], rule: PanelRule) -> Judgement:
    """Combine the judgements of a panel on one reply.

    A judge whose verdict is ERROR or NOT_APPLICABLE has no vote. Where none has, the verdict is ERROR if there is one.
    The score is that of the first judge who voted as the panel decides. The verdict is in doubt on a tie, and where
    every judge who voted so is in doubt.

    Args:
        judgements: Judge -> its own judgement, in the order in which they are named.
        rule: The rule of the panel.
    """
    votes = {judge: one.verdict for judge, one in judgements.items()}
    cast = [vote for vote in votes.values() if vote in DECIDED]
    verdict = decide_panel(cast, rule) if cast else _of_none(list(votes.values()))
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


def decide_panel(cast: Sequence[Verdict], rule: PanelRule) -> Verdict:
    """Return the verdict of a panel.

    Args:
        cast: PASS or FAIL of each judge who voted, at least one, in the order of the judges.
        rule: The rule of the panel. On a tied majority the first vote decides.
    """
    passed = cast.count(Verdict.PASS)
    if rule == "majority" and 2 * passed == len(cast):
        return cast[0]
    needed = {"majority": len(cast) / 2, "all": len(cast) - 0.5, "any": 0.5}[rule]
    return Verdict.PASS if passed > needed else Verdict.FAIL


def _of_none(votes: Sequence[Verdict]) -> Verdict:
    return Verdict.ERROR if Verdict.ERROR in votes else votes[0]


def _reason(judgements: Mapping[str, Judgement], verdict: Verdict, winners: Sequence[str]) -> str:
    """Return who voted how, why the first winner voted so, and the reasons of judges without a verdict."""
    others = [judge for judge, one in judgements.items() if one.verdict in DECIDED and judge not in winners]
    word = {Verdict.PASS: ("pass", "fail"), Verdict.FAIL: ("fail", "pass")}[verdict]
    parts = [f"{word[0]}: {', '.join(winners)} ({judgements[winners[0]].reason})"]
    parts += [f"{word[1]}: {', '.join(others)} ({judgements[others[0]].reason})"] if others else []
    silent = [(judge, one) for judge, one in judgements.items() if one.verdict not in DECIDED]
    parts += [f"no verdict: {judge} ({one.reason})" for judge, one in silent]
    return "; ".join(parts)
