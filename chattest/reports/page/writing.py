"""Write a page from its template: one file that needs no network and in which no reply of a bot can run as code."""

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
    """Write `template`.html with `template`.js, the shared script and plotly.

    All texts are escaped, and the page's content security policy allows only the scripts of the page and no requests.

    Args:
        path: The file to write.
        template: The name of the template.
        title: The heading of the page.
        subtitle: The line below it.
        words: Functions that the template uses as filters.
        values: Variables of the template; its scripts read `data` (plain values, with `plots`).

    Raises:
        StoreError: The file cannot be written.
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
    """Make an environment of this folder's templates and, searched first, those in `templates` of other packages.

    All texts are escaped.
    """
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
