"""Find the conversations that a folder stands for: in it, or where the setting `save_conv_folder` put them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chattest.errors import InputError, Problem
from chattest.files.home import home
from chattest.files.links import refuse_links
from chattest.files.trusted import is_allowed_place, is_trusted
from chattest.records.conversation import Conversation
from chattest.storage import emely
from chattest.storage.conversations import conversation_folder, load_all
from chattest.storage.run_folder import read_run_settings


def find_conversations(folder: Path, run: str = "") -> Path:
    """Return the folder with the conversations that `folder` stands for; it need not exist.

    Args:
        folder: it may hold the conversations, or a run that keeps them in `conversations` or in its `save_conv_folder`,
            or be a `save_conv_folder`, with a folder for each run in it.
        run: the name of the intended run if there are several; empty if the user named none.

    Raises:
        InputError: it holds several runs and none of them has this name.
    """
    inner = folder / "conversations"
    if (folder / "run.json").exists() or inner.is_symlink():
        refuse_links(folder)
    if inner.is_dir():
        return inner
    if any(folder.glob("run-*.json")):
        return folder
    settings = read_run_settings(folder)
    if settings.get("save_conv_folder"):
        return find_own_folder(folder, settings)
    if emely.find_files(folder):
        return folder
    runs = sorted({path.parent for path in folder.glob("*/run-*.json")})
    if len(runs) < 2:
        return runs[0] if runs else folder
    if folder / run in runs:
        return folder / run
    names = ", ".join(path.name for path in runs)
    remedy = f'Name one of them, such as {runs[-1]}, or set save_analysis_name = "{runs[-1].name}".'
    raise InputError([Problem(str(folder), f"holds the conversations of several runs: {names}", remedy)])


def load_judged(folder: Path, settings: Mapping[str, Any]) -> tuple[Conversation, ...]:
    """Load the conversations that a finished run judged; none if they are not saved.

    Args:
        folder: the run's own.
        settings: those of the run, as plain values.

    Raises:
        InputError: a file cannot be read.
    """
    talked = find_judged_folder(folder, settings)
    return tuple(load_all(talked)) if any(talked.glob("run-*.json")) else ()


def find_kept_folder(folder: Path, settings: Mapping[str, Any], root: Path | None = None) -> Path | None:
    """Return the folder of the conversations that a run judged; `None` if they belong to another run that is gone.

    Args:
        folder: as for `load_judged`.
        settings: as for `load_judged`.
        root: as for `find_own_folder`.
    """
    try:
        talked = find_judged_folder(folder, settings, root)
    except (InputError, TypeError):  # it holds several runs by now, or a stranger named the place
        return None
    return talked if talked.is_dir() or not settings.get("is_load_conversation") else None


def find_judged_folder(folder: Path, settings: Mapping[str, Any], root: Path | None = None) -> Path:
    """Return the folder of the conversations that a run judged; they need not be saved.

    Args:
        folder: as for `load_judged`.
        settings: as for `load_judged`.
        root: as for `find_own_folder`.

    Raises:
        InputError: it holds several runs.
    """
    if settings.get("is_load_conversation"):
        return find_conversations(find_judged_run(folder, settings, root))
    return find_own_folder(folder, settings, root)


def find_own_folder(folder: Path, settings: Mapping[str, Any], root: Path | None = None) -> Path:
    """Return where a run keeps its conversations.

    Args:
        folder: the run's own.
        settings: those of the run, as plain values.
        root: the start of relative paths; the user's folder if left out.

    Raises:
        InputError: the run names a place outside of the project.
    """
    base = home() if root is None else root
    chosen = str(settings.get("save_conv_folder") or "")
    return _check_place(folder, settings, conversation_folder(folder, str(base / chosen) if chosen else ""), base)


def find_judged_run(folder: Path, settings: Mapping[str, Any], root: Path | None = None) -> Path:
    """Return the folder with the conversations that a run judged again; see `find_own_folder`."""
    base = home() if root is None else root
    return _check_place(folder, settings, base / str(settings.get("load_conv_folder") or ""), base)


def _check_place(folder: Path, settings: Mapping[str, Any], place: Path, root: Path) -> Path:
    """Return a place that a run names.

    Raises:
        InputError: a stranger may have named it; see `settings.trust`.
    """
    if is_allowed_place(folder, place, root) or is_trusted(folder, settings):
        return place
    what = f"names conversations outside of the project: {place}"
    remedy = f"If you trust who made the run, read them there: --trust-run {folder.name}"
    raise InputError([Problem(str(folder / "run.json"), what, remedy)])
