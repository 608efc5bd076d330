"""Protect the app: who may ask, from which page, how much, and what a page may load.

Nobody gets in without the token, not even on this machine: its other users can reach loopback. Another site that is
open in the browser must not read the runs (DNS rebinding: the `Host` is checked) and must not change them (CSRF: a
change is refused unless the app's own page asks for it). Pages load only the app's own scripts and styles, so that no
reply of a bot can run as code.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chattest.web.answers import make_local_path, redirect_to
from chattest.web.requests import parse_number

LARGEST_BODY = 2_000_000
"""Largest request, in bytes."""
COOKIE = "chattest-view"
"""Name of the cookie of a browser that has brought the token; the port is added to it."""
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names of this machine for itself."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""What a page may load."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Headers of every answer."""
HOW_TO_GET_IN = """\
Refused: this browser has not brought the token yet, or `view` has been restarted since.

Open the address that `view` printed in its terminal; it ends in ?token=...
If you opened it before and followed a link from another site, press Enter in the address bar.
"""
"""The answer to somebody without the token."""


class TooLargeError(Exception):
    """A request has more bytes than `LARGEST_BODY`."""

    def __str__(self) -> str:
        return f"The request is larger than {LARGEST_BODY:,} bytes."


@dataclass(frozen=True, slots=True)
class Guard:
    """The outermost layer of the app."""

    app: ASGIApp
    """The app within."""
    token: str
    """What a visitor must bring: once in the address, then as a cookie."""
    hosts: tuple[str, ...] = LOOPBACK
    """The host names, without a port, under which the app may be addressed."""

    def __post_init__(self) -> None:
        """Refuse an empty token, which everybody would have."""
        if not self.token:
            raise ValueError("the app needs a token")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request or pass it on to the app."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        answer = self._refuse(scope)
        sender = _add_headers(send)
        if answer is not None:
            await answer(scope, receive, sender)
            return
        await self.app(scope, _limit_body(receive), sender)

    def _refuse(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if strip_port(host) not in self.hosts:
            known = ", ".join(self.hosts)
            return PlainTextResponse(f"This app is not served under that name. Open it as one of: {known}.", 421)
        if answer := self._admit(scope, headers):
            return answer
        if scope["method"] not in ("GET", "HEAD") and not _is_from_own_page(headers, host):
            return PlainTextResponse("Refused: the request does not come from a page of this app.", 403)
        if parse_number(headers.get("content-length", ""), 0, LARGEST_BODY + 1) > LARGEST_BODY:
            return PlainTextResponse(str(TooLargeError()), 413)
        return None

    def _admit(self, scope: Scope, headers: Headers) -> Response | None:
        """Answer a visitor who has no token, or who brings it in the address; `None` for one who is in already."""
        host = headers.get("host", "")
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for name, value in query if name == "token"]
        if scope["method"] == "GET" and any(_are_equal(value, self.token) for value in given):
            others = urlencode([(name, value) for name, value in query if name != "token"])
            return self._let_in(host, quote(scope["path"]) + (f"?{others}" if others else ""), headers)
        name, expected = make_cookie_name(host), make_cookie_value(self.token)
        if any(_are_equal(value, expected) for value in _find_cookies(headers, name)):
            return None
        if "application/json" in headers.get("accept", ""):  # a script of a page that is still open
            what = {"where": "view", "what": "this browser has not brought the token", "remedy": HOW_TO_GET_IN}
            return JSONResponse({"problems": [what]}, 403)
        return PlainTextResponse(HOW_TO_GET_IN, 403)

    def _let_in(self, host: str, address: str, headers: Headers) -> Response:
        """Set the cookie and redirect to the same address without the token, so that no history or link holds it."""
        answer: Response = redirect_to(address)
        if headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            # A browser that follows a link of another site sends no strict cookie along a redirect of that link.
            # The page that is asked for here is one that the app itself asks for.
            answer = PlainTextResponse("Opening ...", headers={"Refresh": f"0; url={make_local_path(address)}"})
        answer.set_cookie(
            make_cookie_name(host), make_cookie_value(self.token), httponly=True, samesite="strict", path="/"
        )
        return answer


def make_cookie_name(host: str) -> str:
    """Return the name of the cookie for a `Host`.

    Browsers send the cookies of a host to all its ports, so two apps of one host add their port to the name.
    """
    port = host.rpartition(":")[2]
    return f"{COOKIE}-{port}" if port.isascii() and port.isdigit() else COOKIE


def make_cookie_value(token: str) -> str:
    """Return the value of the cookie: a hash, because the user's own token may have characters that cookies forbid."""
    return hmac.new(_encode(token), b"cookie of chattest view", "sha256").hexdigest()


def strip_port(host: str) -> str:
    """Return the name in a `Host` header in lower case, without its port."""
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdigit() else host.lower()


def _find_cookies(headers: Headers, name: str) -> Iterator[str]:
    """Yield the values of the cookies of a name.

    Other apps of this host may set cookies that a strict parser rejects.
    """
    for header in headers.getlist("cookie"):
        for pair in header.split(";"):
            given, _, value = pair.partition("=")
            if given.strip() == name:
                yield value.strip().strip('"')


def _are_equal(given: str, expected: str) -> bool:
    """Compare two secrets in a time that does not depend on their contents."""
    return hmac.compare_digest(_encode(given), _encode(expected))


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _is_from_own_page(headers: Headers, host: str) -> bool:
    """Return True if a page of this app sent the request. Browsers always send one of the two headers that are read."""
    origin = headers.get("origin")
    if origin is not None:
        try:
            return urlsplit(origin).netloc.lower() == host.lower()
        except ValueError:
            return False
    return headers.get("sec-fetch-site") == "same-origin"


def _add_headers(send: Send) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sender


def _limit_body(receive: Receive) -> Receive:
    seen = 0

    async def receiver() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > LARGEST_BODY:
            raise TooLargeError
        return message

    return receiver
