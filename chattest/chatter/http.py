"""Ask a web service: time limit, retries, rate limit, bounded answers, and keys that stay secret.

Used by every chatter that talks HTTP. `${NAME}` in a URL, header or body stands for an environment variable; its value
is a secret and is replaced by stars in every error and in httpx's own log.
"""

import json
import logging
import os
import re
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from chattest.chatter.calls import note, pause
from chattest.chatter.exchange import Exchanges, OutOfTimeError, PackedError, Received, TooLongError
from chattest.credentials import find_url_password, mask
from chattest.errors import ChatterError

if TYPE_CHECKING:
    import httpx

LONGEST_WAIT = 120.0
"""Seconds a Retry-After may ask for; beyond that the conversation fails rather than hang."""
WORTH_RETRYING = (429, 500, 502, 503, 504)


def _refuse_keys_in_headers(headers: dict[str, str]) -> dict[str, str]:
    """Refuse headers with keys: settings are written into every report."""
    for name, value in headers.items():
        if re.search(r"auth|key|token|secret|cookie", name, re.IGNORECASE) and "${" not in value:
            raise ValueError(
                f"the header {name} looks like a key; put it in an environment variable and write ${{NAME}}"
            )
    return headers


def _refuse_keys_in_url(url: str) -> str:
    password = re.search(r"://[^/@:]*:(?!\$\{)[^/@]+@", url)
    named = [name for name in re.findall(r"[?&](\w+)=(?!\$\{)", url) if re.search(r"(?i)key|token|secret", name)]
    if password or named:
        raise ValueError("the URL holds what looks like a key; put it in an environment variable and write ${NAME}")
    return url


Headers = Annotated[dict[str, str], AfterValidator(_refuse_keys_in_headers)]
"""A setting with headers; keys only as `${NAME}`."""
Url = Annotated[str, Field(min_length=1), AfterValidator(_refuse_keys_in_url)]
"""A setting with a URL; keys only as `${NAME}`."""


class ServiceOptions(BaseModel):
    """Settings of every chatter behind a web service."""

    model_config = ConfigDict(extra="forbid")

    timeout: float = Field(
        30.0, gt=0, description="seconds one request may take, from its first byte to the last of the answer"
    )
    retries: int = Field(
        3,
        ge=0,
        description="how often a request is repeated when the service cannot be reached, is busy or broken",
    )
    backoff: float = Field(0.5, ge=0, description="seconds before the first repetition; doubled each time")
    per_minute: float | None = Field(None, gt=0, description="most requests a minute, all conversations together")
    max_bytes: int = Field(1_000_000, gt=0, description="largest answer that is read, in bytes once unpacked")
    redirect_hosts: list[str] = Field(
        [],
        description='other hosts that a redirect may lead to, such as "eu.example.org"; they are sent the request with '
        "its headers, Authorization apart",
    )


class RefusedError(ChatterError):
    """The service answered with a status for which a repetition is useless, such as 400."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


class LostAnswerError(ChatterError):
    """The service accepted the request, but its answer cannot be used: the costs arise all the same."""


class Service:
    """A web service and the connections to it; shared by all conversations, usable from any thread."""

    def __init__(self, options: ServiceOptions) -> None:
        self._options = options
        self._exchanges = Exchanges()
        self._secrets: set[str] = set()
        self._lock = Lock()
        self._next_turn = 0.0
        self.refuses_schema = False
        """Whether the service has refused a request for JSON of a schema and accepted the same request without it."""
        logging.getLogger("httpx").addFilter(self._blot_record)

    def expand(self, text: str) -> str:
        """Return the text with `${NAME}` replaced from the environment. Raises `ChatterError` if it is not set."""
        return re.sub(r"\$\{(\w+)\}", lambda found: self.secret(found.group(1)), text)

    def secret(self, name: str) -> str:
        """Return an environment variable's value, which is masked from now on; `ChatterError` if it is not set."""
        value = os.environ.get(name)
        if not value:
            raise ChatterError(f"the environment variable {name} is not set; the chatter's options ask for it")
        self._secrets |= {value, find_url_password(value)} - {""}
        return value

    def call(self, method: str, url: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        """Return the JSON answer of a request; `None` when the answer is empty.

        Args:
            method: of the request.
            url: where to.
            body: sent as JSON unless `None`.
            headers: of the request.

        Raises:
            ChatterError: there is no usable answer.
            RefusedError: the service refused.
        """
        try:
            return self._call(method, url, body, headers or {})
        except RefusedError as error:
            raise RefusedError(self.blot(str(error)), error.status) from None
        except LostAnswerError as error:
            raise LostAnswerError(self.blot(str(error))) from None
        except ChatterError as error:
            # Without its context: httpx's exceptions carry the request, and that the headers.
            raise ChatterError(self.blot(str(error))) from None

    def unusable(self, what: str, answer: Any) -> ChatterError:
        """Return the error for an answer without the expected content."""
        return ChatterError(f"{self.blot(what)}: {self.blot(str(answer))[:300]}")

    def close(self) -> None:
        """Close the connections."""
        self._exchanges.close()
        logging.getLogger("httpx").removeFilter(self._blot_record)

    def blot(self, text: str) -> str:
        """Return the text with every secret replaced by stars."""
        return mask(text, list(self._secrets))

    def _blot_record(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self.blot(record.getMessage()), ()
        return True

    def _call(self, method: str, url: str, body: Any, headers: dict[str, str]) -> Any:
        import httpx

        try:
            request = self._exchanges.request(method, self.expand(url), body, headers)
        except (httpx.InvalidURL, ValueError, TypeError) as error:
            raise ChatterError(f"{method} {url} cannot be sent: {error}") from error
        self._secrets |= {request.url.password} - {""}  # it goes out in base64, with the user's name
        where = f"{method} {request.url.copy_with(query=None, username=None, password=None)}"
        failure = ""
        for attempt in range(self._options.retries + 1):
            wait = self._options.backoff * 2**attempt
            try:
                self._wait_for_turn()
                answer = self._answer(request, where)
            except OutOfTimeError as error:
                if error.sent:  # the service may have taken the message in, and the bot would hear it twice
                    what = "no whole answer" if error.answered else "no answer"
                    raise LostAnswerError(f"{where}: {what} within {self._options.timeout:g} seconds") from error
                failure = f"no connection within {self._options.timeout:g} seconds"
            except PackedError as error:
                raise LostAnswerError(f"{where}: {error}") from error
            except httpx.UnsupportedProtocol as error:
                raise ChatterError(f"{where}: {error}") from error
            except httpx.TransportError as error:
                failure = f"{type(error).__name__}: {_find_reason(error)}"
            else:
                if answer.status < 300:
                    if attempt:
                        note(self.blot(f"asked {attempt + 1} times: {failure}"))
                    return self._parse(answer.content, where)
                text = " ".join(self.blot(answer.content.decode("utf-8", "replace")).split())
                failure = f"answered {answer.status}: {text[:300]}"
                if answer.status not in WORTH_RETRYING:
                    raise RefusedError(f"{where} {failure}", answer.status)
                wait = max(
                    wait, _read_retry_after(answer.headers.get("retry-after", ""), answer.headers.get("date", ""))
                )
                if wait > LONGEST_WAIT:
                    raise ChatterError(f"{where} {failure} (it asks to wait {wait:.0f} seconds)")
            if attempt < self._options.retries:
                pause(wait)
        raise ChatterError(f"{where} {failure} (tried {self._options.retries + 1} times)")

    def _answer(self, request: "httpx.Request", where: str) -> Received:
        """Return the answer, read no further than allowed; redirects are followed within the host."""
        deadline = time.monotonic() + self._options.timeout
        for _ in range(5):
            try:
                answer = self._exchanges.send(request, deadline - time.monotonic(), self._options.max_bytes)
            except TooLongError:
                what = f"the answer is longer than max_bytes ({self._options.max_bytes})"
                raise LostAnswerError(f"{where}: {what}") from None
            if answer.next_request is None:
                return answer
            target = answer.next_request.url
            secured = (request.url.scheme, target.scheme, target.port) == ("http", "https", None)
            allowed = target.host in self._options.redirect_hosts and target.scheme in (request.url.scheme, "https")
            same = (target.scheme, target.port) == (request.url.scheme, request.url.port) or secured
            if not allowed and not (same and target.host == request.url.host):
                raise ChatterError(
                    f"{where}: it redirects to another host ({target.host}); if you trust it, give its URL, or name it "
                    "in redirect_hosts"
                )
            request = answer.next_request
        raise ChatterError(f"{where}: it redirects again and again")

    def _parse(self, content: bytes, where: str) -> Any:
        if not content.strip():
            return None
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            start = self.blot(content.decode("utf-8", "replace"))[:100]
            raise LostAnswerError(f"{where}: the answer is not JSON: {start!r}") from error

    def _wait_for_turn(self) -> None:
        """Space the requests of all threads evenly."""
        if self._options.per_minute is None:
            return
        with self._lock:
            turn = max(self._next_turn, time.monotonic())
            self._next_turn = turn + 60 / self._options.per_minute
        pause(max(0.0, turn - time.monotonic()))


def _read_retry_after(header: str, sent: str) -> float:
    """Return the seconds a Retry-After header asks for: a number or a date; 0 if it is neither.

    Args:
        header: the header.
        sent: the answer's own date, from which a date is counted: this machine's clock may be wrong or change.
    """
    if header.strip().isdecimal():
        return float(header)
    try:
        until = parsedate_to_datetime(header)
    except (ValueError, TypeError):
        return 0.0
    try:
        now = parsedate_to_datetime(sent)
    except (ValueError, TypeError):
        now = datetime.now(UTC)
    try:
        return (until - now).total_seconds()
    except TypeError:  # one of the two has no time zone
        return 0.0


def _find_reason(error: BaseException) -> str:
    """Return the system's reason for a connection that failed; httpx's own words if there is none."""
    cause = error.__cause__ or error.__context__
    while cause is not None:
        if isinstance(cause, ConnectionError) and cause.errno:  # httpx only says that all attempts failed
            return os.strerror(cause.errno)
        cause = cause.__cause__ or cause.__context__
    return str(error)
