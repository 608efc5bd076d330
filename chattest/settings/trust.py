"""Settings from the folder of a run, which somebody else may have made: nothing runs because of them.

Every setting declares whether it may come from there (`Received`). Those that choose code, a command, an address, a
file, an environment variable or what is spent are the project's own, unless the value is harmless (the shipped judges,
gates that are written out), or the user trusts the run by name: `--trust-run`. All code that acts by the settings of a
run takes them from `take_settings`; `read_recorded_settings` gives them to show and to compare.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from chattest.credentials import mask_secrets
from chattest.errors import ChattestError, InputError, Problem
from chattest.files.home import home
from chattest.files.schema_errors import list_problems
from chattest.files.trusted import add_place, is_trusted
from chattest.reports.base import DEFAULT_REPORTS
from chattest.settings.declaration import Settings, find_received_rule
from chattest.settings.setting import Received

LONGEST = 300
"""Characters shown of a value."""
TOGETHER = (
    {"models", "judge_options", "judge_rubrics", "judge_prices", "judge_figures", "panel_rule", "defer"},
    {"check_compare_by", "check_chatter", "check_compare_bar"},
)
"""Settings that mean something together alone: where one is not taken from a run, none is."""


def _is_embedded(models: Any) -> bool:
    choices = models.values() if isinstance(models, dict) else [models]
    return all(choice in ("embedded", ["embedded"]) for choice in choices)


def _has_no_texts(names: Any) -> bool:
    """Return True if no option of a perturbation is a text, such as that of `model_paraphrase(model="...")`."""
    texts = names.values() if isinstance(names, dict) else names
    return all(isinstance(text, str) and not set(text) & set("'\"") for text in texts)


HARMLESS: dict[str, Callable[[Any], bool]] = {
    "models": _is_embedded,
    "judge_options": lambda options: options == {},
    "judge_rubrics": lambda rubrics: rubrics == {},
    "judge_prices": lambda prices: prices == {},
    "judge_figures": lambda file: file == "",
    "defer": lambda share: share is None,
    "executor": lambda executor: executor == "local",
    "reports": lambda names: isinstance(names, list) and {*names} <= {*DEFAULT_REPORTS, "parquet"},
    "gates": lambda gates: isinstance(gates, list),
    "checks": lambda names: isinstance(names, list) and _has_no_texts(names),
    "perturbation": lambda names: isinstance(names, dict) and _has_no_texts(names),
    "check_files": lambda files: files == [],
    "check_articles": lambda files: files == [],
    "check_tests": lambda file: file == "",
    "check_compare_by": lambda name: name != "chatter",
    "check_chatter": lambda name: name == "",
    "save_conv_folder": lambda folder: folder == "",
    "load_conv_folder": lambda folder: folder == "",
}
"""A setting of the project's own -> whether a value chooses nothing but what ships. Of the others no value does."""


@dataclass(frozen=True, slots=True)
class Left:
    """A setting that is not taken from a run."""

    name: str
    theirs: Any
    """Its value in the run."""
    ours: Any
    """The project's own, which is used instead."""

    def __str__(self) -> str:
        return f"{self.name} is {shorten_value(self.theirs)} there and {shorten_value(self.ours)} in the project"


@dataclass(frozen=True, slots=True)
class Taken:
    """The settings of a run that may be used."""

    values: Mapping[str, Any]
    """Setting -> value, in plain values."""
    left: tuple[Left, ...] = ()
    """The settings with the project's own value instead."""


def shorten_value(value: Any) -> str:
    """Return a value as text, cut short and without secrets."""
    text = mask_secrets(repr(value))
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


_project: list[Callable[[], Settings]] = []


def set_project(read: Callable[[], Settings]) -> None:
    """Register how to read the project's own settings, which happens when they are first needed."""
    _project[:] = [read]
    _known.clear()


_known: list[Settings] = []


def find_project_settings() -> Settings:
    """Return the project's own settings; the defaults if none are known, or if config.py is wrong."""
    if not _known:
        try:
            _known.append(_project[0]() if _project else Settings())
        except ChattestError:  # whoever needs them for more than this reports what is wrong
            _known.append(Settings())
        for folder in (_known[0].save_conv_folder, _known[0].load_conv_folder):
            if folder:
                add_place(home() / folder)
    return _known[0]


def take_settings(
    folder: Path, saved: Mapping[str, Any], names: Collection[str] | None = None, own: Settings | None = None
) -> Taken:
    """Return the settings of a run that may be used, with the project's own in place of the others.

    Args:
        folder: The folder of the run.
        saved: Its settings, as plain values.
        names: The settings that are wanted; all if not given.
        own: The project's own settings; those of `find_project_settings` if not given.
    """
    wanted = {
        name: value
        for name, value in saved.items()
        if name in Settings.model_fields and (names is None or name in names)
    }
    if is_trusted(folder, saved):
        return Taken(wanted)
    ours = (own or find_project_settings()).model_dump(mode="json")
    list_refusals = {name for name, value in wanted.items() if not _may_be_taken(name, value, ours[name])}
    for group in TOGETHER:
        if list_refusals & group:
            list_refusals |= group & set(wanted)
    values = {name: ours[name] if name in list_refusals else value for name, value in wanted.items()}
    return Taken(values, tuple(Left(n, wanted[n], ours[n]) for n in sorted(list_refusals) if wanted[n] != ours[n]))


def _may_be_taken(name: str, value: Any, ours: Any) -> bool:
    if find_received_rule(name) is not Received.OWN or value == ours:
        return True
    return name in HARMLESS and HARMLESS[name](value)


def build_taken_settings(folder: Path, values: Mapping[str, Any]) -> Settings:
    """Return the settings with these values, which `take_settings` gave.

    Raises:
        InputError: The values do not go together.
    """
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        what = f"has settings that cannot be used: {list_problems(error, values)[0]}"
        raise InputError([Problem(str(folder / "run.json"), what)]) from error


def read_recorded_settings(folder: Path, saved: Mapping[str, Any]) -> Settings:
    """Return the settings of a run as it recorded them, to show and compare: models, thresholds, gates.

    The caller must load no model and ask no chatter by them. The files that they name are the project's own.

    Raises:
        ValidationError: pydantic's, for values that are no settings.
    """
    recorded = {name: value for name, value in saved.items() if name in Settings.model_fields}
    files = take_settings(folder, saved, {"judge_figures", "reports"}).values
    return Settings.model_validate(recorded | dict(files))


def refuse_names(folder: Path, saved: Mapping[str, Any], names: Iterable[str]) -> None:
    """Refuse checks that name a model, as tests and rows of a run's folder may, unless the run is trusted.

    Args:
        folder: The folder of the run.
        saved: Its settings, as plain values.
        names: Names of checks.

    Raises:
        InputError: A check names a model.
    """
    naming = [name for name in dict.fromkeys(names) if not _has_no_texts([name])]
    if naming and not is_trusted(folder, saved):
        what = f"names a check with a text in its options, which may be a model: {shorten_value(naming[0])}"
        remedy = f"If you trust who made the run, let it: {make_trust_option(folder)}"
        raise InputError([Problem(str(folder), what, remedy)])


def make_trust_option(folder: Path) -> str:
    """Return how the user trusts a run, as the command line takes it."""
    return f"--trust-run {folder.name}"


def list_refusals(folder: Path, left: Iterable[Left], remedy: str) -> list[Problem]:
    """Return a problem for each setting that is not taken from a run."""
    where = str(folder / "run.json")
    return [Problem(where, f"{each}; a run's folder does not choose it", remedy) for each in left]


def describe_left(folder: Path, left: Iterable[Left]) -> list[str]:
    """Return lines for the user about the settings that are not taken from a run."""
    listed = [f"  {each}" for each in left]
    remedy = f"  The project's own are used. If you trust who made the run, take its own: {make_trust_option(folder)}"
    return [f"Note: {folder} names what only the project's own settings may choose:", *listed, remedy] if listed else []
