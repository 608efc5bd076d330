"""A headless Chromium, driven over a pipe by its own protocol; nothing else is needed."""

import base64
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PATIENCE = 60
"""Seconds to wait for an answer, on a machine that has much else to do."""
LEFT_OUT = "left out: the page is not tried in a browser, as no Chromium is installed"


def in_browser(test: Any) -> Any:
    """Marks a test that needs a browser: it is slow, and left out where there is none."""
    return pytest.mark.slow(pytest.mark.skipif(CHROMIUM is None, reason=LEFT_OUT)(test))


class Browser:
    """One page; a context manager."""

    def __init__(self, home: Path) -> None:
        """`home` holds the browser's own files."""
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        flags += ["--remote-debugging-pipe", f"--user-data-dir={home}"]
        # The browser reads its commands from file 3 and writes its answers to file 4.
        command = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}'
        self._process = subprocess.Popen(
            ["bash", "-c", command, str(CHROMIUM), *flags, "about:blank"],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._held = b""
        self._number = 0
        self._session: str | None = None
        self.said: list[str] = []
        """Everything the page wrote to its console, errors and refusals of its content policy."""
        self.asked: list[str] = []
        """Addresses the page wanted to load."""
        pages = self._call("Target.getTargets")["targetInfos"]
        target = next(page["targetId"] for page in pages if page["type"] == "page")
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Runtime", "Log", "Page", "Network"):
            self._call(f"{domain}.enable")
        self.look()

    def look(self, width: int = 1200, dark: bool = False) -> None:
        """Sets the window's width in pixels and the colours the system asks for."""
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self._call("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        still = {"name": "prefers-reduced-motion", "value": "reduce"}
        self._call("Emulation.setEmulatedMedia", features=[scheme, still])

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._out)
        os.close(self._in)

    def open(self, address: str) -> None:
        """Opens an address afresh and waits until it is loaded."""
        self._call("Page.navigate", url="about:blank")
        self.said.clear()
        self.asked.clear()
        self._call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression."""
        answer = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def wait(self, script: str, seconds: float = PATIENCE) -> None:
        """Waits until an expression is true."""
        end = time.monotonic() + seconds
        while not self.run(script):
            assert time.monotonic() < end, f"not true after {seconds} s: {script}"
            time.sleep(0.05)

    def click(self, selector: str) -> None:
        """Clicks the middle of an element with the mouse."""
        found = json.dumps(selector)
        box = self.run(
            f"(() => {{ const e = document.querySelector({found}); e.scrollIntoView({{block: 'center'}});"
            " const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def type(self, text: str) -> None:
        """Types into the element that has the focus."""
        self._call("Input.insertText", text=text)

    def accessible(self) -> list[dict[str, Any]]:
        """What a screen reader is told: role and name of everything on the page."""
        self._call("Accessibility.enable")
        nodes = self._call("Accessibility.getFullAXTree")["nodes"]
        return [
            {"role": node["role"]["value"], "name": node.get("name", {}).get("value", "")}
            for node in nodes
            if not node["ignored"]
        ]

    def picture(self, path: Path, full: bool = True) -> None:
        """Saves what the page looks like."""
        data = self._call("Page.captureScreenshot", captureBeyondViewport=full)["data"]
        path.write_bytes(base64.b64decode(data))

    def _call(self, method: str, **options: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": options}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                result: dict[str, Any] = answer["result"]
                return result

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._held:
            ready, _, _ = select.select([self._in], [], [], PATIENCE)
            assert ready, f"the browser has not answered for {PATIENCE} s"
            piece = os.read(self._in, 1 << 16)
            assert piece, "the browser ended"
            self._held += piece
        first, _, self._held = self._held.partition(b"\0")
        message: dict[str, Any] = json.loads(first)
        match message.get("method"):
            case "Runtime.consoleAPICalled":
                self.said.append(str([told.get("value") for told in message["params"]["args"]]))
            case "Runtime.exceptionThrown":
                self.said.append(str(message["params"]["exceptionDetails"]))
            case "Log.entryAdded":
                self.said.append(message["params"]["entry"]["text"])
            case "Network.requestWillBeSent":
                self.asked.append(message["params"]["request"]["url"])
        return message
