"""Who is let in: only somebody with the token, on this machine too, and nobody is led elsewhere."""

import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import httpx
import pytest
from playwright.sync_api import Browser

from chattest.web.answers import make_local_path
from chattest.web.project import Project
from chattest.web.security import Guard, make_cookie_name, make_cookie_value
from tests.support.browser import in_browser
from tests.support.paths import ROOT
from tests.support.web_app import TOKEN, served
from tests.support.web_pages import app_routes, filled

HOSTILE_PATHS = (
    "//evil.example/",
    "///evil.example",
    "/\\evil.example/",
    "/\\/evil.example",
    "/%2fevil.example/",
    "/%2f%2fevil.example",
    "/%5cevil.example",
    "/\t/evil.example",
    "/%09/evil.example",
    "/%0a/evil.example",
    "/%0d%0aLocation:%20http://evil.example",
    "http://evil.example/",
    "http:evil.example",
    "http:///evil.example",
    "https://evil.example\\@127.0.0.1/",
    "javascript:alert(1)",
    "//[evil",
    "",
)
"""Addresses that lead to another site in one browser or another, or look as if they did."""


@pytest.fixture
def stranger(address: str) -> Iterator[httpx.Client]:
    """A client without the token."""
    with httpx.Client(base_url=address, headers={"Origin": address}, timeout=60) as client:
        yield client


def raw(address: str, target: bytes, *headers: bytes) -> tuple[int, str]:
    """Ask for a path as it is written; the status and the head of the answer."""
    host, port = urlsplit(address).hostname, urlsplit(address).port
    with socket.create_connection((host, port), timeout=60) as connection:
        lines = [b"GET " + target + b" HTTP/1.1", f"Host: {host}:{port}".encode(), b"Connection: close", *headers]
        connection.sendall(b"\r\n".join(lines) + b"\r\n\r\n")
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    return int(answer.split()[1]), answer.partition(b"\r\n\r\n")[0].decode("latin-1")


def assert_local(location: str) -> None:
    """A browser that reads an address as WHATWG says stays at this app with it."""
    seen = re.sub(r"[\t\r\n]", "", location).strip(" ").replace("\\", "/")
    assert seen.startswith("/"), location
    assert not seen.startswith("//"), location
    assert not re.search(r"[\x00-\x20\x7f]", location), location


def test_nothing_is_answered_without_the_token(stranger: httpx.Client, place: Project) -> None:
    wrong = []
    for route in app_routes(place):
        for method in sorted(route.methods or {"GET"}):
            answer = stranger.request(method, filled(route))
            if answer.status_code != 403 or (method != "HEAD" and "the address that `view` printed" not in answer.text):
                wrong.append((method, route.path, answer.status_code))
    assert not wrong
    assert stranger.get("/static/view.js").status_code == 403


def test_a_page_that_is_still_open_tells_what_to_do(stranger: httpx.Client) -> None:
    """Scripts of a page that was opened before `view` was started anew."""
    answer = stranger.get("/runs/first/live.json", headers={"Accept": "application/json"})
    assert answer.status_code == 403
    assert "the address that `view` printed" in answer.json()["problems"][0]["remedy"]


@pytest.mark.parametrize("token", ["wrong", "", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "\ud800", "é" * 5000])
def test_another_token_lets_nobody_in(address: str, token: str) -> None:
    from urllib.parse import quote

    target = b"/?token=" + quote(token, errors="surrogatepass").encode()
    assert raw(address, target)[0] == 403
    name = make_cookie_name(urlsplit(address).netloc).encode()
    assert raw(address, b"/", b"Cookie: " + name + b"=" + quote(token, errors="surrogatepass").encode())[0] == 403


def test_the_token_becomes_a_cookie_and_leaves_the_address(stranger: httpx.Client) -> None:
    answer = stranger.get("/runs/first/results", params={"verdict": "FAIL", "token": TOKEN, "text": "a&b=ü"})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/runs/first/results?verdict=FAIL&text=a%26b%3D%C3%BC"
    cookie = answer.headers["set-cookie"]
    port = urlsplit(str(stranger.base_url)).port
    assert cookie.startswith(f"chattest-view-{port}=")
    assert {part.strip().lower() for part in cookie.split(";")[1:]} >= {"httponly", "samesite=strict", "path=/"}
    assert TOKEN not in cookie
    assert stranger.get("/").status_code == 200
    assert stranger.get("/", params={"token": "wrong"}).status_code == 200  # who is in stays in


def test_a_post_is_not_let_in_by_the_address(stranger: httpx.Client) -> None:
    assert stranger.post("/chat", params={"token": TOKEN}, data={"bot": "keeper", "seat": "user"}).status_code == 403


def test_two_apps_of_a_host_do_not_disturb_each_other(place: Project) -> None:
    with served(place) as first, served(place) as second, httpx.Client() as client:
        for app in (first, second):
            assert client.get(app, params={"token": TOKEN}).status_code == 303
        assert len(client.cookies) == 2
        assert [client.get(app).status_code for app in (first, second)] == [200, 200]


@pytest.mark.parametrize(
    "others",
    [
        'settings={"a": "b, c"}; ',
        "a b=c d; ",
        'half="open; ',
        "=; ; ;; no-pair; ",
        "a=é\x80; ",
        "x[]=1; {}; ",
        "$Version=1; ",
    ],
)
def test_cookies_of_other_apps_lock_nobody_out(address: str, others: str) -> None:
    own = f"{make_cookie_name(urlsplit(address).netloc)}={make_cookie_value(TOKEN)}"
    for text in (others + own, f"{own}; {others}", f"{make_cookie_name(urlsplit(address).netloc)}=old; {others}{own}"):
        assert raw(address, b"/", b"Cookie: " + text.encode("latin-1"))[0] == 200, text
    assert raw(address, b"/", b"Cookie: " + others.encode("latin-1"))[0] == 403


@pytest.mark.parametrize("path", HOSTILE_PATHS)
def test_nobody_is_led_to_another_site(address: str, path: str) -> None:
    assert_local(make_local_path(path))
    assert_local(make_local_path(unquote(path)))
    if path.startswith("/") and "\t" not in path:
        for target in (path, path.rstrip("/") + "/runs//"):
            status, head = raw(address, f"{target}?token=open+sesame".encode())
            location = re.search(r"(?mi)^location: (.*)\r?$", head)
            assert (status, bool(location)) == (303, True), head
            assert_local(location[1].strip() if location else "")


def test_a_form_leads_to_no_other_site(client: httpx.Client) -> None:
    for path in (*HOSTILE_PATHS, "/runs//evil", "/runs/\\..\\..\\\\evil"):
        answer = client.post("/runs/first/tags", data={"add": "red", "back": path})
        assert answer.status_code == 303
        assert_local(answer.headers["location"])


def test_who_follows_a_link_of_another_site_gets_in(address: str) -> None:
    """Browsers send no strict cookie along a redirect of such a link, so that there is none."""
    status, head = raw(address, b"/trend?token=open+sesame", b"Sec-Fetch-Site: cross-site")
    assert status == 200
    assert "refresh: 0; url=/trend" in head
    assert "set-cookie: chattest-view-" in head


@in_browser
def test_a_link_of_another_site_opens_in_a_browser(chromium: Browser, address: str, tmp_path: Path) -> None:
    other = tmp_path / "other.html"
    other.write_text(f'<a href="{address}/testsets?token=open+sesame">in</a>', "utf-8")
    context = chromium.new_context()
    page = context.new_page()
    page.goto(other.as_uri())
    page.get_by_text("in").click()
    page.wait_for_url(f"{address}/testsets")
    assert page.title() == "Test sets · chattest"
    context.close()


def test_an_app_without_a_token_is_none() -> None:
    with pytest.raises(ValueError, match="token"):
        Guard(lambda *_: None, "")  # type: ignore[arg-type]  # no app is needed


class Viewing:
    """`view` as a process of its own."""

    def __init__(self, folder: Path, *options: str, stopped_by: int = signal.SIGINT, **environment: str) -> None:
        self.stopped_by = stopped_by
        self.told = ""
        """What it printed to stderr."""
        command = [sys.executable, "main.py", "view", "--port", "0", *options]
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"} | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        self.address = first.partition(" is shown at ")[2].strip()
        self.said = first + self.process.stdout.readline()

    def __enter__(self) -> "Viewing":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(self.stopped_by)
        self.told = self.process.communicate(timeout=60)[1]


def test_view_prints_an_address_with_a_new_token(project: Path) -> None:
    tokens = set()
    for _ in range(2):
        with Viewing(project, "--no-open") as view:
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{30,}", view.address)
            tokens.add(view.address.partition("token=")[2])
            with httpx.Client(follow_redirects=True, timeout=60) as client:
                assert client.get(view.address.partition("?")[0]).status_code == 403
                assert client.get(view.address).status_code == 200
    assert len(tokens) == 2
    with Viewing(project, "--no-open", CHATTEST_VIEW_TOKEN="from outside") as view:
        assert view.address.endswith("/?token=from%20outside")


STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, `kill`, and a terminal that is closed."""


@pytest.mark.parametrize("stopped_by", STOPS)
def test_other_users_do_not_see_the_token_where_the_browser_is_started(
    project: Path, tmp_path: Path, stopped_by: int
) -> None:
    """How a program was started is seen by everybody on the machine."""
    browser, seen = tmp_path / "browser", tmp_path / "seen"
    browser.write_text(
        f'#!/bin/sh\nfile=$(printf %s "$1" | sed s,file://,,)\nstat -c "$1 %a" "$file" > {seen}.part\n'
        f'stat -c %a "$(dirname "$file")" >> {seen}.part\ncat "$file" >> {seen}.part\n'
        f"mv {seen}.part {seen}\n"
    )
    browser.chmod(0o755)
    with Viewing(project, stopped_by=stopped_by, BROWSER=str(browser), TMPDIR=str(tmp_path)) as view:
        give_up = time.monotonic() + 60
        while not seen.exists():
            assert time.monotonic() < give_up
            time.sleep(0.05)
        opened, folder, page = seen.read_text().split("\n", 2)
    token = view.address.partition("token=")[2]
    assert token not in opened
    assert f'url={view.address}"' in page
    assert stat.S_IMODE(int(folder, 8)) & 0o077 == 0
    assert not list(tmp_path.glob("chattest-view-*"))
    assert view.told.strip() == "Stopped."
    assert view.process.returncode == (0 if stopped_by == signal.SIGINT else -signal.SIGTERM)
