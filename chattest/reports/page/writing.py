"""Writes a page from its template: one file that needs no network and in which no reply of a bot can run as code."""

import base64
import hashlib
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chattest.files.atomic import whole_file
from chattest.reports.content.text import visible

if TYPE_CHECKING:
    from jinja2 import Environment


def write_page(
    path: Path, template: str, title: str, subtitle: str, words: Mapping[str, Callable[..., Any]], **values: Any
) -> None:
    """Writes `template`.html with `template`.js, the shared script and plotly.

    title, subtitle: the heading of the page. words: functions that the template uses as filters. values: variables of
    the template; its scripts read `data` (plain values, with `plots`). All texts are escaped, and the page's content
    security policy only allows its own scripts and no requests. Raises `StoreError` if the file cannot be written.
    """
    from markupsafe import Markup
    from plotly.offline import get_plotlyjs

    environment = make_environment()
    environment.filters |= words
    folder = files("chattest.reports.page")
    scripts = [get_plotlyjs().replace("\r", "")]
    scripts += [folder.joinpath(name).read_text("utf-8") for name in ("base.js", f"{template}.js")]
    stream = environment.get_template(f"{template}.html").stream(
        title=title,
        subtitle=subtitle,
        style=Markup(folder.joinpath("page.css").read_text("utf-8")),
        scripts=[Markup(script) for script in scripts],
        policy=" ".join(f"'sha256-{_hash(script)}'" for script in scripts),
        **values,
    )
    with whole_file(path) as temporary:
        stream.enable_buffering(64)
        stream.dump(str(temporary), encoding="utf-8")


def make_environment(*packages: str) -> "Environment":
    """The templates of this folder, and before them those in `templates` of other packages; all texts are escaped."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader

    from chattest.reports.page.compiled import COMPILED

    loaders = [PackageLoader(package) for package in packages]
    return Environment(
        loader=ChoiceLoader([*loaders, PackageLoader("chattest.reports", "page")]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=COMPILED,
        # A reply may contain characters that HTML does not allow: they are shown as escapes.
        finalize=lambda value: visible(value) if type(value) is str else value,
    )


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
