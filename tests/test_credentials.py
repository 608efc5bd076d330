"""Keys: refused where they are written out, and found in nothing that a run leaves or prints."""

import ast
import base64
import html
import json
import shutil
import string
import sys
import threading
import zipfile
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chattest.chatter.http import Service, ServiceOptions
from chattest.cli import commands
from chattest.cli.invocation import invocation
from chattest.credentials import is_secret_name, mask_secrets
from chattest.errors import ChatterError, InputError
from chattest.settings.declaration import Settings
from chattest.settings.file import read_settings
from tests.support.project import make_project
from tests.support.stand_ins import ROOT, StandIns

KEY = "pl4nted-s3cret/k3y"


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        *(
            (name, True)
            for name in ("key", "api_key", "apiKey", "X-API-Key", "OPENAI_API_KEY", "Authorization", "token")
        ),
        *((name, True) for name in ("access_token", "client secret", "password", "DB_PASSWD", "credentials", "Cookie")),
        *(
            (name, False)
            for name in ("max_tokens", "key_env", "keyboard", "eos_token", "pad_token", "monkey", "text", "")
        ),
    ],
)
def test_names_of_keys(name: str, is_one: bool) -> None:
    assert is_secret_name(name) == is_one


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"http": {"body": {"api_key": KEY}}}, "http.body.api_key looks like a key"),
        ({"http": {"body": [1, {"user": {"password": KEY}}]}}, "http.body.1.user.password looks like a key"),
        ({"http": {"start": {"body": {"token": KEY}}}}, "http.start.body.token looks like a key"),
        ({"openai": {"extra": {"secret": KEY}}}, "openai.extra.secret looks like a key"),
        ({"my_bot": {"api_key": KEY}}, "my_bot.api_key looks like a key"),
        ({"my_bot": {"line": f"Bearer {KEY}"}}, "my_bot.line looks like a key"),
        ({"my_bot": {"line": "--with sk-abcdefghijklmnopqrstuv"}}, "my_bot.line looks like a key"),
    ],
)
def test_a_key_written_out_is_refused_and_not_repeated(options: dict[str, Any], place: str, tmp_path: Path) -> None:
    config = tmp_path / "config.py"
    config.write_text(f"seed = 1\nchatter_options = {options!r}\n")
    with pytest.raises(InputError) as refused:
        read_settings(config)
    assert f"config.py:2: chatter_options: {place}; put it in an environment variable" in str(refused.value)
    assert "s3cret" not in str(refused.value)


def test_a_variables_value_is_refused_wherever_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_BOT_TOKEN", KEY)
    with pytest.raises(InputError) as refused:
        read_settings(None, [f'chatter_options.my_bot={{arguments=["-k", "{KEY}"]}}'])
    assert "contains the value of the environment variable MY_BOT_TOKEN" in str(refused.value)
    assert "s3cret" not in str(refused.value)


def test_variables_and_gaps_are_no_keys() -> None:
    body = {
        "key": "${BOT_KEY}",
        "token": "Bearer ${T}",
        "session_token": "{session}",
        "max_tokens": 5,
        "stop_token": "\n",
    }
    options: dict[str, dict[str, Any]] = {"http": {"body": body}, "openai": {"key_env": "OPENAI_API_KEY"}}
    assert Settings(chatter_options=options).chatter_options == options


def test_short_values_and_other_variables_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_KEY", "short")
    monkeypatch.setenv("BOT_CITY", "Wolfenbüttel")
    monkeypatch.setenv("OTHER_KEY", KEY)
    assert mask_secrets(f"a short trip to Wolfenbüttel, {KEY}") == "a short trip to Wolfenbüttel, ***"


class Echo(BaseHTTPRequestHandler):
    """Repeats all it is sent in what it says; every third time, in an error."""

    asked = 0

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["content-length"])).decode()
        Echo.asked += 1
        status = 400 if Echo.asked % 3 == 0 else 200
        content = f'{{"text": "You sent {KEY} as {self.path}"}}' if KEY in sent else '{"text": "no key came"}'
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content.encode())

    def log_message(self, *args: Any) -> None:
        pass


TELLTALE = '''
import os

from chattest import Chatter


class Telltale(Chatter):
    """Says its key, then fails with it."""

    def get_response(self, conv_array):
        if len(conv_array) > 4:
            raise ValueError("refused: " + "x" * 480 + os.environ["BOT_KEY"])
        return "My key is " + os.environ["BOT_KEY"]
'''


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["http", "telltale"])
def test_a_planted_key_is_in_nothing_that_a_run_leaves(
    bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BOT_KEY", KEY)
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns())
    root = make_project(tmp_path / "project", telltale=TELLTALE)
    shutil.copy(ROOT / "chatters" / "http.py", root / "chatters")
    monkeypatch.chdir(root)
    with ThreadingHTTPServer(("127.0.0.1", 0), Echo) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        url = f"http://127.0.0.1:{running.server_port}/${{BOT_KEY}}?key=${{BOT_KEY}}"
        options = f'{{url="{url}", retries=0, headers={{X-Key="${{BOT_KEY}}"}}, body={{text="{{last}} ${{BOT_KEY}}"}}}}'
        given = ["max_runs=3", "conversation_length=6", f'chatters=["asker", "{bot}"]']
        given += [f"chatter_options.http={options}"] if bot == "http" else []
        given += ['checks=["invariance.lowercase"]', "check_questions=2"]
        arguments = [part for one in given for part in ("--set", one)]
        monkeypatch.setattr(sys, "argv", ["main.py", *arguments])
        monkeypatch.setattr(invocation, "overrides", ())
        try:
            with pytest.raises(SystemExit) as ended:
                commands.main(root)
        finally:
            running.shutdown()
            thread.join()
    shown = capfd.readouterr()
    assert ended.value.code in (0, 1), shown.err
    searched = {"printed": (shown.out + shown.err).encode()}
    for path in (root / "reports").rglob("*"):
        searched[str(path)] = path.read_bytes() if path.is_file() else b""
        if path.suffix == ".xlsx":
            with zipfile.ZipFile(path) as archive:
                searched |= {f"{path}/{name}": archive.read(name) for name in archive.namelist()}
    assert len(searched) > 20
    assert any(b"***" in content for name, content in searched.items() if name.endswith("run-001.json"))
    assert b"failed" in searched["printed"]
    told = [name for name, content in searched.items() if b"s3cret" in content]
    assert told == []


def base64_of(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


FORMS: dict[str, Callable[[str], str]] = {
    "raw": str,
    "repr": repr,
    "repr among other texts": lambda secret: repr([secret, "it's", 'a "word"']),
    "repr of a repr": lambda secret: repr(repr(f'it\'s {secret} "here"')),
    "repr of an error": lambda secret: repr(ValueError(f"refused: {secret}")),
    "ascii": ascii,
    "repr of bytes": lambda secret: repr(secret.encode()),
    "JSON": json.dumps,
    "JSON as it is": lambda secret: json.dumps(secret, ensure_ascii=False),
    "JSON in JSON": lambda secret: json.dumps({"body": json.dumps({"key": secret})}),
    "JSON of PHP": lambda secret: json.dumps(secret).replace("/", "\\/"),
    "URL": lambda secret: quote(secret, safe=""),
    "URL in small letters": lambda secret: quote(secret, safe="").lower() if secret.islower() else quote(secret),
    "path": quote,
    "form": quote_plus,
    "query": lambda secret: urlencode({"q": 1, "key": secret}),
    "HTML": html.escape,
    "base64": base64_of,
    "Basic": lambda secret: f"Authorization: Basic {base64_of(f'user:{secret}')}",
    "Basic of another user": lambda secret: f"Basic {base64_of(f'a.user:{secret}')}, and more",
    "base64 in JSON": lambda secret: base64_of(json.dumps({"user": "x", "key": "y"}) + secret + "tail"),
    "base64 for URLs": lambda secret: base64.urlsafe_b64encode(f"user:{secret}".encode()).decode(),
    "base64 in a URL": lambda secret: quote(base64_of(f"user:{secret}"), safe=""),
    "base64 without padding": lambda secret: base64_of(secret).rstrip("="),
}
PRINTABLE = "".join(sign for sign in string.printable if sign.isprintable())
SECRETS = st.text(st.sampled_from(PRINTABLE + "äßéŁ猫\U0001f511\\\\'\"%+/="), min_size=8, max_size=40)


def plain(text: str) -> set[str]:
    """The text, and what can be read out of it by undoing its escapes."""
    readings = {text}
    for unescape in (ast.literal_eval, json.loads, html.unescape):
        try:
            readings.add(str(unescape(text)))
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return readings


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=150, deadline=None)
@given(secret=SECRETS)
def test_a_secret_is_starred_in_every_form(form: str, secret: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOT_KEY", secret)
        text = FORMS[form](secret)
        masked = mask_secrets(f"before {text} after")
    assert "***" in masked
    assert text not in masked
    assert all(secret not in reading for reading in plain(masked))
    assert masked.startswith("before")
    assert masked.endswith("after")


@settings(max_examples=100, deadline=None)
@given(secret=SECRETS, text=st.text(st.sampled_from("ab \\'\"%2F"), max_size=200))
def test_other_texts_are_left_alone(secret: str, text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOT_KEY", f"K{secret}")
        assert mask_secrets(text) == text


def test_looking_for_a_secret_takes_no_longer_on_texts_made_for_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_KEY", "\\\\\\''\"\\é\\\\'")
    for text in ("\\" * 200_000, "'" * 200_000, "\\'" * 100_000, "\\\\\\''" * 40_000):
        mask_secrets(text)


@pytest.mark.parametrize("password", ["pa55-w0rd/x", 'it\'s\\a "word"', "žluť-kůň"])
def test_the_password_of_a_url_is_in_no_error_and_no_log(
    password: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As a variable of its own, and inside of one that is the whole URL."""

    class Repeats(BaseHTTPRequestHandler):
        """Repeats the header that it got, in three ways."""

        def do_GET(self) -> None:
            header = self.headers["Authorization"]
            user, _, secret = base64.b64decode(header.split()[1]).decode().partition(":")
            content = f"{header} {secret!r} {json.dumps([user, secret])}".encode()
            self.send_response(401)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Repeats) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        place = f"127.0.0.1:{running.server_port}/"
        monkeypatch.setenv("PW", quote(password, safe=""))
        monkeypatch.setenv("WHOLE", f"http://me:{quote(password, safe='')}@{place}")
        caplog.set_level("DEBUG")
        try:
            for url in (f"http://me:${{PW}}@{place}", "${WHOLE}"):
                service = Service(ServiceOptions(retries=0))
                with pytest.raises(ChatterError) as raised:
                    service.call("GET", url)
                service.close()
                told = str(raised.value) + "".join(record.getMessage() for record in caplog.records)
                assert "***" in told
                encoded = base64_of(f"me:{password}")
                for form in (password, quote(password, safe=""), encoded, repr(password)[1:-1]):
                    assert form not in told
        finally:
            running.shutdown()
            thread.join()
