"""Sends one HTTP request and reads its answer, within a time and a size.

The time runs from the request to the last byte of the answer, headers included, so that a service that drips cannot
hold a conversation up. The size is that of the decoded answer: a few kilobytes of gzip may stand for gigabytes.
"""

import asyncio
import atexit
import zlib
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from chattest.chatter.event_loop import EventLoop

if TYPE_CHECKING:
    import httpx

ACCEPTED = "gzip, deflate"
"""Encodings that a service may pack its answer in; those that can be unpacked within a bound."""
_T = TypeVar("_T")
_NO_LAYER = {"", "identity"}
_LOOP = EventLoop("http requests")
"""Where all requests run: a coroutine can be stopped at any moment, a thread that waits for a socket cannot."""
atexit.register(_LOOP.close)


class OutOfTimeError(Exception):
    """The time was over before the whole answer had come."""

    def __init__(self, sent: bool, answered: bool) -> None:
        """sent: whether the service may have got the request. answered: whether its headers had come."""
        super().__init__()
        self.sent = sent
        self.answered = answered


class TooLongError(Exception):
    """The answer is longer than it may be, as it came or unpacked."""


class PackedError(Exception):
    """The answer cannot be unpacked; the text says why."""


@dataclass(frozen=True, slots=True)
class Received:
    """An answer, read to its end."""

    status: int
    headers: "httpx.Headers"
    content: bytes
    next_request: "httpx.Request | None"
    """Where it redirects to."""


class Exchanges:
    """The connections to a service; usable from any thread."""

    def __init__(self) -> None:
        import httpx

        self._client = httpx.AsyncClient(timeout=None, headers={"Accept-Encoding": ACCEPTED})

    def request(self, method: str, url: str, body: Any, headers: dict[str, str]) -> "httpx.Request":
        """Build a request. Raises `httpx.InvalidURL`, `ValueError` and `TypeError` for what none can hold."""
        return self._client.build_request(method, url, json=body, headers=headers)

    def send(self, request: "httpx.Request", seconds: float, most: int) -> Received:
        """Send a request and return the answer to it, redirects not followed.

        most: bytes that the answer may have. Raises `OutOfTimeError`, `TooLongError`, `PackedError`, and what httpx
        raises.
        """
        return _wait_for(self._exchange(request, seconds, most))

    def close(self) -> None:
        """Close the connections."""
        _wait_for(self._client.aclose())

    async def _exchange(self, request: "httpx.Request", seconds: float, most: int) -> Received:
        sent = answered = False

        async def watch(event: str, info: dict[str, Any]) -> None:
            nonlocal sent
            sent = sent or event.endswith("send_request_headers.started")

        request.extensions["trace"] = watch
        try:
            async with asyncio.timeout(seconds):
                response = await self._client.send(request, stream=True)
                answered = True
                try:
                    content = await _content(response, most)
                finally:
                    await response.aclose()
        except TimeoutError:
            raise OutOfTimeError(sent, answered) from None
        return Received(response.status_code, response.headers, content, response.next_request)


async def _content(response: "httpx.Response", most: int) -> bytes:
    names = [name.strip().lower() for name in response.headers.get_list("content-encoding", split_commas=True)]
    layers = [name for name in names if name not in _NO_LAYER]
    if len(layers) > 1:
        raise PackedError(f"the answer is packed {len(layers)} times over ({', '.join(layers)})")
    unpacked = _Unpacked(layers[0] if layers else "", most)
    async for piece in response.aiter_raw():
        unpacked.take(piece)
    return bytes(unpacked.content)


class _Unpacked:
    """The bytes of an answer, unpacked as they come and never more than there may be."""

    def __init__(self, layer: str, most: int) -> None:
        """layer: how it is packed; empty for an answer that is not. most: bytes that it may have."""
        if layer not in ("", "gzip", "x-gzip", "deflate"):
            raise PackedError(f"the answer is packed as {layer}, which was not asked for")
        self.content = bytearray()
        self._layer = layer
        self._most = most
        # What does not shrink grows a little when it is packed, and packed nothing may go on for ever.
        self._packed_left = most + most // 100 + 1000
        window = zlib.MAX_WBITS if layer == "deflate" else zlib.MAX_WBITS + 16
        self._decoder = zlib.decompressobj(window) if layer else None
        self._first = True

    def take(self, piece: bytes) -> None:
        """Add the next piece. Raises `TooLongError` and `PackedError`."""
        self._packed_left -= len(piece)
        room = self._most - len(self.content)
        self.content += self._decoded(piece, room + 1) if self._decoder else piece
        if len(self.content) > self._most or self._packed_left < 0:
            raise TooLongError
        self._first = False

    def _decoded(self, piece: bytes, most: int) -> bytes:
        assert self._decoder is not None
        try:
            return self._decoder.decompress(piece, most)
        except zlib.error as error:
            if self._layer == "deflate" and self._first:  # many services leave out the header that belongs to it
                self._decoder, self._first = zlib.decompressobj(-zlib.MAX_WBITS), False
                return self._decoded(piece, most)
            raise PackedError(f"the answer is not {self._layer}, as it says: {error}") from error


def _wait_for(work: Coroutine[Any, Any, _T]) -> _T:
    result, error = _LOOP.submit(work).result()
    if error is not None:
        raise error
    return cast("_T", result)
