"""Redirects. All of the app's are made here, so that none leads to another site."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from starlette.responses import RedirectResponse

KEPT = "/%:=&,+;@!$'()*~"
"""Characters of an address that stay as they are, besides letters and digits; `%` is one that is quoted already."""


def redirect_to(address: str) -> RedirectResponse:
    """Send the browser to a path of this app, with its query and fragment (status 303).

    Host and scheme are dropped. Leading slashes are one slash, since browsers take `//name`, `/\\name` and slashes with
    tabs between them for another host.
    """
    return RedirectResponse(local_path(address), 303)


def local_path(address: str) -> str:
    """Return the address as one that can only be a path of this app, quoted."""
    text = "".join(sign for sign in address if sign.isprintable())
    path, mark, fragment = text.partition("#")
    path, query_mark, query = path.partition("?")
    if not path.startswith(("/", "\\")):
        path = _path_of(path)
    path = "/" + quote(path.lstrip("/\\ "), KEPT, "utf-8", "replace")
    query, fragment = (quote(part, KEPT + "/?[]", "utf-8", "replace") for part in (query, fragment))
    return f"{path}{query_mark}{query}{mark}{fragment}"


def _path_of(address: str) -> str:
    """Return the path of an address that may name a scheme and a host."""
    try:
        return urlsplit(address).path
    except ValueError:  # such as a host in a single bracket
        return "/"
