"""The web client against a real server: what is repeated, what is refused, and what never shows."""

import contextlib
import gzip
import itertools
import json
import logging
import socket
import ssl
import threading
import time
import tracemalloc
import zlib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from chattest.chatter.http import Service, ServiceOptions
from chattest.errors import ChatterError
from tests.support.paths import DATA


@pytest.fixture
def service():
    made = []

    def make(**options):
        made.append(Service(ServiceOptions(**{"backoff": 0.01, "retries": 2, "timeout": 20} | options)))
        return made[-1]

    yield make
    for one in made:
        one.close()


def in_turn(*answers):
    """Gives the answers one after the other, then the last again and again."""
    rest = iter(answers)
    last = [answers[-1]]

    def answer(asked):
        last[0] = next(rest, last[0])
        return last[0]

    return answer


OK: tuple[int, dict[str, str], dict[str, str]] = (200, {}, {"reply": "hi"})


@pytest.mark.parametrize("trouble", [(0, {}, b""), *[(status, {}, b"busy") for status in (429, 500, 502, 503, 504)]])
def test_what_may_pass_is_tried_again(server, service, trouble):
    server.answer = in_turn(trouble, trouble, OK)
    assert service().call("POST", server.url, {"text": "x"}) == {"reply": "hi"}
    assert [asked.body for asked in server.asked] == [{"text": "x"}] * 3


@pytest.mark.parametrize(
    ("answer", "requests", "reason"),
    [
        ((503, {}, b"down\nfor now"), 3, r"POST http://127.0.0.1:\d+/a answered 503: down for now \(tried 3 times\)"),
        ((404, {}, b"no such bot"), 1, "answered 404: no such bot"),
        ((401, {}, b"who?"), 1, "answered 401"),
        ((429, {"Retry-After": "9999"}, b""), 1, "asks to wait 9999 seconds"),
        ((200, {}, b"<html>"), 1, "not JSON: '<html>'"),
        ((200, {"Content-Encoding": "gzip"}, b"no gzip"), 1, "Error"),
        ((0, {}, b""), 3, r"RemoteProtocolError.* \(tried 3 times\)"),
    ],
)
def test_what_will_not_pass_fails_with_its_reason(server, service, answer, requests, reason):
    server.answer = in_turn(answer)
    with pytest.raises(ChatterError, match=reason):
        service().call("POST", f"{server.url}/a?q=1", {})
    assert len(server.asked) == requests


def test_nobody_listens(service):
    with pytest.raises(ChatterError, match="ConnectError"):
        service(retries=0).call("GET", "http://127.0.0.1:1/")


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/", "127.0.0.1/bot", "http://[bad/", ""])
def test_a_url_that_is_none(service, url):
    with pytest.raises(ChatterError):
        service().call("GET", url)


@pytest.mark.slow
@pytest.mark.parametrize("after", [lambda: "1", lambda: format_datetime(datetime.now(UTC) + timedelta(seconds=2))])
def test_retry_after_is_waited_for(server, service, after):
    server.answer = in_turn((429, {"Retry-After": after()}, b""), OK)
    began = time.monotonic()
    service().call("GET", server.url)
    assert time.monotonic() - began > 0.9


@pytest.mark.parametrize(
    ("after", "sent"),
    [
        (lambda: "soon", "today"),
        (lambda: "Wed, 21 Oct 2015 07:28:00", "Wed, 21 Oct 2015 07:28:00 GMT"),  # without its time zone
        (lambda: "Wed, 21 Oct 2015 07:28:00 GMT", "today"),
    ],
)
def test_a_retry_after_that_says_nothing_is_not_waited_for(server, service, after, sent):
    server.answer = in_turn((429, {"Retry-After": after(), "Date": sent}, b""), OK)
    began = time.monotonic()
    assert service().call("GET", server.url) == {"reply": "hi"}
    assert time.monotonic() - began < 60


def test_what_no_request_can_hold_is_told(server, service):
    with pytest.raises(ChatterError, match="cannot be sent: "):
        service().call("POST", server.url, {"text": {1, 2}})
    assert server.asked == []


@pytest.mark.slow
def test_a_message_that_may_have_arrived_is_not_sent_twice(server, service):
    def slow(asked):
        time.sleep(2.5)
        return OK

    server.answer = slow
    with pytest.raises(ChatterError, match="no answer within 1 seconds"):
        service(timeout=1).call("POST", server.url, {})
    assert len(server.asked) == 1


@pytest.mark.slow
def test_an_answer_that_drips_is_given_up(server, service):
    def drip():
        while True:
            time.sleep(0.05)
            yield b" "

    server.answer = lambda asked: (200, {}, drip())
    with pytest.raises(ChatterError, match="no whole answer"):
        service(timeout=1).call("GET", server.url)


def test_an_endless_answer_is_cut_off_while_reading(server, service):
    sent = itertools.count(1)
    server.answer = lambda asked: (200, {}, (b"x" * 10_000 for _ in sent))
    with pytest.raises(ChatterError, match=r"longer than max_bytes \(50000\)"):
        service(max_bytes=50_000, timeout=60).call("GET", server.url)
    assert next(sent) < 3000


def test_redirects_stay_within_the_host(server, service):
    def moved(asked):
        return OK if asked.path == "/new" else (307, {"Location": "/new"}, b"")

    server.answer = moved
    assert service().call("POST", f"{server.url}/old", {"a": 1}) == {"reply": "hi"}
    assert [asked.body for asked in server.asked] == [{"a": 1}] * 2


@pytest.mark.parametrize("target", ["http://localhost:{port}/", "http://127.0.0.1:1/", "http://example.org/"])
def test_redirects_elsewhere_are_refused(server, service, target):
    location = target.format(port=server.url.rpartition(":")[2])
    server.answer = in_turn((302, {"Location": location}, b""))
    with pytest.raises(ChatterError, match="redirects to another host"):
        service().call("POST", server.url, {}, {"X-Key": "k"})
    assert len(server.asked) == 1


def test_a_host_that_is_named_may_be_redirected_to(server, service):
    def moved(asked):
        return (
            OK
            if asked.path == "/new"
            else (307, {"Location": f"http://localhost:{server.url.rpartition(':')[2]}/new"}, b"")
        )

    server.answer = moved
    web = service(redirect_hosts=["localhost"])
    assert web.call("POST", f"{server.url}/old", {"a": 1}, {"Authorization": "Bearer k", "X-Id": "7"}) == {
        "reply": "hi"
    }
    first, second = server.asked
    assert (first.headers["Authorization"], second.headers.get("Authorization")) == ("Bearer k", None)
    assert (second.headers["X-Id"], second.body) == ("7", {"a": 1})


def test_a_certificate_that_nobody_vouches_for_is_refused(service):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(DATA / "tls" / "self-signed.pem")
    heard = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            heard.append(self.headers)

        def log_message(self, *args):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as running:
        running.socket = context.wrap_socket(running.socket, server_side=True)
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            with pytest.raises(ChatterError, match="CERTIFICATE_VERIFY_FAILED"):
                service(retries=0).call("POST", f"https://localhost:{running.server_port}/", {}, {"X-Id": "7"})
        finally:
            running.shutdown()
            thread.join()
    assert heard == []


def test_an_answer_of_brackets_is_refused(server, service):
    server.answer = in_turn((200, {}, b"[" * 200_000))
    with pytest.raises(ChatterError, match="not JSON"):
        service().call("GET", server.url)


def test_redirects_in_a_circle_end(server, service):
    server.answer = in_turn((302, {"Location": "/"}, b""))
    with pytest.raises(ChatterError, match="again and again"):
        service().call("GET", server.url)


def test_the_rate_limit_holds_over_all_threads(server, service):
    server.answer = in_turn(OK)
    limited = service(per_minute=1200)  # one every 0.05 s
    began = time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: limited.call("GET", server.url), range(9)))
    assert time.monotonic() - began >= 0.4


def test_keys_reach_the_server_and_nothing_else(server, service, monkeypatch, caplog):
    monkeypatch.setenv("BOT_KEY", "s3cret/key")
    caplog.set_level(logging.DEBUG)
    web = service(retries=0)
    headers = {"Authorization": f"Bearer {web.secret('BOT_KEY')}"}
    url = f"{server.url}/${{BOT_KEY}}?key=${{BOT_KEY}}"
    server.answer = in_turn(OK)
    web.call("POST", url, {}, headers)
    assert "s3cret" not in str(web.unusable("no reply", {"echo": "s3cret/key"}))
    for status, body in [(400, b"x" * 295 + b" s3cret/key"), (200, b"x" * 96 + b"s3cret/key"), (0, b"")]:
        server.answer = in_turn((status, {}, body))
        with pytest.raises(ChatterError) as failed:
            web.call("POST", url, {}, headers)
        assert "s3cret" not in str(failed.value)
        assert failed.value.__cause__ is None
        assert failed.value.__suppress_context__
    assert "s3cret" not in caplog.text
    assert "***" in caplog.text
    assert all("s3cret/key" in asked.path and asked.headers["Authorization"] for asked in server.asked)


def test_a_missing_key_is_named(service, monkeypatch):
    monkeypatch.delenv("BOT_KEY", raising=False)
    with pytest.raises(ChatterError, match="BOT_KEY is not set"):
        service().call("GET", "http://127.0.0.1/${BOT_KEY}")


def gzip_layers(content, layers):
    for _ in range(layers):
        content = gzip.compress(content)
    return content


BOMB = b" " * 20_000_000
RAW = zlib.compressobj(wbits=-zlib.MAX_WBITS)
PACKED = {
    "two layers of gzip": ({"Content-Encoding": "gzip, gzip"}, gzip_layers(BOMB, 2), "packed 2 times over"),
    "two layers in two headers": ({"Content-Encoding": "gzip,identity,deflate"}, b"", "packed 2 times over"),
    "one layer of gzip": ({"Content-Encoding": "gzip"}, gzip_layers(BOMB, 1), r"longer than max_bytes \(50000\)"),
    "deflate": ({"Content-Encoding": "deflate"}, zlib.compress(BOMB), r"longer than max_bytes \(50000\)"),
    "deflate without its header": (
        {"Content-Encoding": "deflate"},
        RAW.compress(BOMB) + RAW.flush(),
        r"longer than max_bytes \(50000\)",
    ),
    "packed nothing": ({"Content-Encoding": "gzip"}, gzip.compress(b"") * 5000, r"longer than max_bytes \(50000\)"),
    "br": ({"Content-Encoding": "br"}, b"\x0b\x02\x80{}\x03", "packed as br, which was not asked for"),
    "zstd": ({"Content-Encoding": "zstd"}, b"(\xb5/\xfd", "packed as zstd, which was not asked for"),
    "no deflate": ({"Content-Encoding": "deflate"}, b"plain text", "is not deflate, as it says"),
}


@pytest.mark.parametrize("packing", PACKED)
def test_the_size_is_that_of_the_unpacked_answer(server, service, packing):
    headers, body, reason = PACKED[packing]
    server.answer = lambda asked: (200, headers, body)
    tracemalloc.start()
    with pytest.raises(ChatterError, match=reason):
        service(max_bytes=50_000, timeout=60).call("GET", server.url)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()
    assert len(server.asked) == 1
    assert server.asked[0].headers["Accept-Encoding"] == "gzip, deflate"


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [
        ("gzip", gzip.compress),
        ("GZIP", gzip.compress),
        ("identity, gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda body: zlib.compress(body)[2:-4]),
        ("identity", bytes),
    ],
)
def test_a_packed_answer_is_read(server, service, encoding, pack):
    reply = {"reply": "hi " * 10_000}
    body = pack(json.dumps(reply).encode())
    pieces = lambda: (body[start : start + 7] for start in range(0, len(body), 7))  # noqa: E731
    server.answer = lambda asked: (200, {"Content-Encoding": encoding}, pieces())
    assert service(timeout=60).call("GET", server.url) == reply


def dripping(piece):
    """A server that sends the beginning of an answer, and then the piece again and again."""
    listener = socket.create_server(("127.0.0.1", 0))
    stop = threading.Event()
    asked = []

    def serve():
        connection, _ = listener.accept()
        asked.append(connection.recv(65536))
        with connection, contextlib.suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\n")
            while not stop.wait(0.05):
                connection.sendall(piece)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    return (
        f"http://127.0.0.1:{listener.getsockname()[1]}/",
        asked,
        lambda: (stop.set(), thread.join(), listener.close()),
    )


@pytest.mark.parametrize(
    ("piece", "reason"),
    [
        (b"X-More: yes\r\n", "no answer within 1 seconds"),
        (b"a", "no answer within 1 seconds"),
        (b"\r\n\r\n ", "no whole answer within 1 seconds"),
    ],
)
def test_headers_that_drip_are_given_up(service, piece, reason):
    """The limit is that of the whole exchange, however little time each byte takes."""
    url, asked, stop = dripping(piece)
    began = time.monotonic()
    with pytest.raises(ChatterError, match=reason):
        service(timeout=1).call("POST", url, {})
    assert time.monotonic() - began < 120
    stop()
    assert len(asked) == 1  # the service may have taken the message in


def test_redirects_share_one_time_limit(server, service):
    def moved(asked):
        time.sleep(1.8)
        return 307, {"Location": f"/{len(server.asked)}"}, b""

    server.answer = moved
    with pytest.raises(ChatterError, match="no answer within 3 seconds"):
        service(timeout=3).call("GET", server.url)
    assert len(server.asked) == 2


def test_a_service_that_nobody_reaches_says_what_the_system_says(service):
    with pytest.raises(ChatterError, match="ConnectError: Connection refused"):
        service(retries=0).call("GET", "http://127.0.0.1:1/")
