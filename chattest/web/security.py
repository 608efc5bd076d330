"""What protects the app: who may ask, from which page, how much, and what a page may load.

Another site that the user has open must neither read the runs (DNS rebinding: the `Host` is checked) nor change them
(CSRF: whatever changes something is refused unless the app's own page sent it). Pages load only the app's own scripts
and styles, so that no reply of a bot can run as code.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 2_000_000
"""Bytes that a request may have."""
COOKIE = "chattest-view"
"""The cookie that holds the token."""
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
"""Sent with every answer."""


class TooLargeError(Exception):
    """A request has more bytes than `LARGEST_BODY`."""


@dataclass(frozen=True, slots=True)
class Guard:
    """The outermost layer of the app."""

    app: ASGIApp
    """The app within."""
    hosts: tuple[str, ...] = LOOPBACK
    """The host names, without a port, under which the app may be addressed."""
    token: str = ""
    """What a visitor must bring, in the address once and then as a cookie; empty on this machine alone."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request that is refused; else hands it on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        answer = self._refusal(scope)
        sender = _with_headers(send)
        if answer is not None:
            await answer(scope, receive, sender)
            return
        try:
            await self.app(scope, _bounded(receive), sender)
        except TooLargeError:
            text = f"The request is larger than {LARGEST_BODY:,} bytes."
            await PlainTextResponse(text, 413)(scope, receive, sender)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if host_name(host) not in self.hosts:
            known = ", ".join(self.hosts)
            return PlainTextResponse(f"This app is not served under that name. Open it as one of: {known}.", 421)
        if self.token and (answer := self._stranger(scope, headers)):
            return answer
        if scope["method"] not in ("GET", "HEAD") and not _from_own_page(headers, host):
            return PlainTextResponse("Refused: the request does not come from a page of this app.", 403)
        if int(headers.get("content-length") or 0) > LARGEST_BODY:
            return PlainTextResponse(f"The request is larger than {LARGEST_BODY:,} bytes.", 413)
        return None

    def _stranger(self, scope: Scope, headers: Headers) -> Response | None:
        """The answer to somebody without the token, or who brings it for the first time."""
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        if cookie is not None and hmac.compare_digest(cookie.value.encode(), self.token.encode()):
            return None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if scope["method"] == "GET" and hmac.compare_digest(given.encode(), self.token.encode()):
            answer = RedirectResponse(scope["path"] or "/", 303)
            answer.set_cookie(COOKIE, self.token, httponly=True, samesite="strict")
            return answer
        text = "Refused: the token is missing. Open the address that `view` printed, with ?token= at its end."
        return PlainTextResponse(text, 403)


def host_name(host: str) -> str:
    """The name in a `Host` header, without its port, in lower case."""
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdigit() else host.lower()


def _from_own_page(headers: Headers, host: str) -> bool:
    """Whether the browser says that a page of this app sent the request. A browser always sends one of these."""
    origin = headers.get("origin")
    if origin is not None:
        return urlsplit(origin).netloc.lower() == host.lower()
    return headers.get("sec-fetch-site") == "same-origin"


def _with_headers(send: Send) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sender


def _bounded(receive: Receive) -> Receive:
    seen = 0

    async def receiver() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > LARGEST_BODY:
            raise TooLargeError
        return message

    return receiver
