"""Look for the models that a run will load, before the first turn: judges, bots, and the writer of the opening."""

from collections.abc import Iterable

from chattest.cases.base import all_cases, reply_cases
from chattest.chatter.instance import ChatterSpec
from chattest.errors import Problem
from chattest.models.base import KINDS
from chattest.models.hub import find_model_problem
from chattest.models.judges import Judges
from chattest.scorers.base import scorers
from chattest.settings.declaration import Settings

REMEDY = "Name the folder of a model, or one that can be fetched; `hf download NAME` fetches it beforehand."


def find_missing_models(settings: Settings, all_kinds: bool) -> list[Problem]:
    """Return a problem for each judge, and for the opener's model, that cannot be loaded.

    Nothing is loaded, so some problems may show only later.

    Args:
        settings: those of the run. Judges on a cluster are not looked for.
        all_kinds: look for all judges; else for those of the cases that are on.
    """
    judging = settings.is_analyze_conversation and settings.executor == "local"
    needed = (KINDS if all_kinds else _find_kinds(settings)) if judging else ()
    problems = [Problem("models", why) for why in Judges(settings.models).unusable(needed)]
    opener = settings.opener_model if settings.init_conv_randomly and not settings.is_load_conversation else None
    if opener is not None and (why := find_model_problem(opener)):
        problems.append(Problem("opener_model", f'the model "{opener}" cannot be loaded: {why}', REMEDY))
    return problems


def find_unloadable(chatters: Iterable[ChatterSpec]) -> list[Problem]:
    """Report why chatters cannot load, without loading them; each reason once."""
    reasons = {(chatter.name, chatter.cls.unavailable(chatter.options)): None for chatter in chatters}
    return [Problem(name, why, REMEDY) for name, why in reasons if why]


def _find_kinds(settings: Settings) -> tuple[str, ...]:
    """Return the kinds of judge that the active cases need."""
    off = {case.code for case in reply_cases()} - set(settings.reply_codes)
    if not settings.is_load_conversation:  # saved conversations hold the probes that they were planned with
        off |= {code for code, share in settings.probabilities.items() if not share}
    names = {name for case in all_cases() if case.code not in off for name in case.scorers}
    return tuple(dict.fromkeys(kind for name in sorted(names) for kind in scorers.get(name).kinds))
