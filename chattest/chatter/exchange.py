"""Send one HTTP request and read its answer, within a time and a size.

The time runs from the request to the last byte of the answer, headers included, so that a service that drips cannot
hold a conversation up. The size is that of the decoded answer: a few kilobytes of gzip may contain gigabytes.
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
"""Encodings of an answer that can be unpacked within a bound."""
_T = TypeVar("_T")
_NO_LAYER = {"", "identity"}
_LOOP = EventLoop("http requests")
"""Where all requests run: a coroutine can be stopped at any moment, a thread that waits for a socket cannot."""
atexit.register(_LOOP.close)


class OutOfTimeError(Exception):
    """The time was over before the whole answer had come."""

    def __init__(self, sent: bool, answered: bool) -> None:
        """Keep how far the request came.

        Args:
            sent: whether the service may have received the request.
            answered: whether its headers had arrived.
        """
        super().__init__()
        self.sent = sent
        self.answered = answered


class TooLongError(Exception):
    """The answer is longer than it may be, as it came or unpacked."""


class PackedError(Exception):
    """The answer cannot be unpacked; the text gives the reason."""


@dataclass(frozen=True, slots=True)
class Received:
    """An answer, read to its end."""

    status: int
    headers: "httpx.Headers"
    content: bytes
    next_request: "httpx.Request | None"
    """The request after a redirect."""


class Exchanges:
    """The connections to a service; usable from any thread."""

    def __init__(self) -> None:
        import httpx

        self._client = httpx.AsyncClient(timeout=None, headers={"Accept-Encoding": ACCEPTED})

    def request(self, method: str, url: str, body: Any, headers: dict[str, str]) -> "httpx.Request":
        """Build a request. Raises `httpx.InvalidURL`, `ValueError` and `TypeError` for what no request can hold."""
        return self._client.build_request(method, url, json=body, headers=headers)

    def send(self, request: "httpx.Request", seconds: float, most: int) -> Received:
        """Send a request and return its answer, without following redirects.

        Args:
            request: the request.
            seconds: time until the last byte.
            most: largest size of the answer in bytes.

        Raises:
            OutOfTimeError: the time is over.
            TooLongError: the answer is too large.
            PackedError: the answer cannot be unpacked.
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
                    content = await _read_content(response, most)
                finally:
                    await response.aclose()
        except TimeoutError:
            raise OutOfTimeError(sent, answered) from None
        return Received(response.status_code, response.headers, content, response.next_request)


async def _read_content(response: "httpx.Response", most: int) -> bytes:
    names = [name.strip().lower() for name in response.headers.get_list("content-encoding", split_commas=True)]
    layers = [name for name in names if name not in _NO_LAYER]
    if len(layers) > 1:
        raise PackedError(f"the answer is packed {len(layers)} times over ({', '.join(layers)})")
    unpacked = _Unpacker(layers[0] if layers else "", most)
    async for piece in response.aiter_raw():
        unpacked.take(piece)
    return bytes(unpacked.content)


class _Unpacker:
    """Unpacks the bytes of an answer as they arrive, up to a limit."""

    def __init__(self, layer: str, most: int) -> None:
        """Prepare to unpack.

        Args:
            layer: the encoding; empty for none.
            most: largest size in bytes.
        """
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
        self.content += self._decode(piece, room + 1) if self._decoder else piece
        if len(self.content) > self._most or self._packed_left < 0:
            raise TooLongError
        self._first = False

    def _decode(self, piece: bytes, most: int) -> bytes:
        assert self._decoder is not None
        try:
            return self._decoder.decompress(piece, most)
        except zlib.error as error:
            if self._layer == "deflate" and self._first:  # many services leave out the header that belongs to it
                self._decoder, self._first = zlib.decompressobj(-zlib.MAX_WBITS), False
                return self._decode(piece, most)
            raise PackedError(f"the answer is not {self._layer}, as it says: {error}") from error


def _wait_for(work: Coroutine[Any, Any, _T]) -> _T:
    result, error = _LOOP.submit(work).result()
    if error is not None:
        raise error
    return cast("_T", result)
