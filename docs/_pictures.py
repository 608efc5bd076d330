"""Makes the pictures of docs/view.md again, in a real browser, from runs that are held on the spot: `make pictures`."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

DOCS = Path(__file__).resolve().parent
WIDTH, HEIGHT = 1280, 800
CHROMIUM = "/usr/bin/chromium"
PATIENCE = 600_000
"""Milliseconds to wait for a judge or a bot."""
CHATTEST = [sys.executable, str(DOCS.parent / "main.py")]
HELD = (
    ("monday", "reader", ()),
    ("tuesday", "alice", ()),
    ("wednesday", "reader", ("seed=2",)),
    ("thursday", "reader", ("threshold_coherence_prompt=0.5",)),
)
"""Name, bot and further settings of the runs that are held first."""


def talk(name: str, bot: str, rounds: int, *settings: str) -> list[str]:
    """The command that holds a run of 12 conversations."""
    chosen = (f'chatters=["eliza", "{bot}"]', "max_runs=12", f"conversation_length={rounds}")
    every = (*chosen, f'save_analysis_name="{name}"', *settings)
    return [*CHATTEST, "--quiet", *(part for each in every for part in ("--set", each))]


@contextmanager
def running(command: list[str], folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that is ended afterwards."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def show_runs(page: Page) -> None:
    """A run gets a tag, and two are ticked."""
    monday = page.locator("tr", has=page.get_by_label("Compare monday"))
    monday.locator(".row-more summary").click()
    monday.get_by_label("New tag").fill("baseline")
    monday.get_by_role("button", name="Add").click()
    for name in ("monday", "tuesday"):
        page.get_by_label(f"Compare {name}").check()


def show_conversation(page: Page) -> None:
    """A failed question with its reason."""
    failed = page.locator(".chip.FAIL").first
    failed.locator("summary").click()
    failed.evaluate("chip => chip.closest('li').scrollIntoView({block: 'center'})")


def move_threshold(page: Page) -> None:
    """A threshold is moved, and verdicts flip."""
    slider = page.get_by_label("threshold_coherence_prompt, slider")
    slider.fill("0.6")
    expect(page.locator("#flips")).to_contain_text("flip")
    page.locator(".sliders fieldset", has=slider).evaluate("box => box.scrollIntoView({block: 'start'})")


def label(page: Page) -> None:
    """A session in which so many rows have labels that the interval goes by them: what is no answer fails."""
    page.get_by_label("Your name").fill("anna")
    page.get_by_label("Only these cases").fill("ML-U5")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".standing")).to_contain_text("0 of ")
    page.wait_for_load_state()
    for number in range(1, 22):
        reply = page.locator(".asked .reply").inner_text()
        page.keyboard.press("f" if re.search("know|cannot|not heard", reply) else "p")
        expect(page.locator(".standing")).to_contain_text(f"· {number} of ")


def chat(page: Page) -> None:
    """A few rounds, with a fact and its question."""
    page.get_by_label("Who is at the other end?").select_option("reader")
    page.get_by_role("button", name="Begin").click()
    for number, text in enumerate(("Hello!", "My cat is called Juniper.", "What is my cat called?"), start=1):
        page.get_by_label("What you say").fill(text)
        page.get_by_label("What you say").press("Enter")
        expect(page.locator("#rounds").get_by_text("after the reply")).to_have_count(number)
    page.locator("#round-1").evaluate("round => round.scrollIntoView({block: 'start'})")


def watch(page: Page) -> None:
    """Some conversations are judged already."""
    expect(page.locator("#status .so-far")).to_be_visible()


def look(page: Page) -> None:
    """The page as it opens."""


PICTURES: dict[str, tuple[str, Callable[[Page], None]]] = {
    "runs": ("/", show_runs),
    "trend": ("/trend?case=ML-U4&bot=reader", look),
    "run": ("/runs/monday", look),
    "results": ("/runs/monday/results?verdict=FAIL", look),
    "conversation": ("/runs/monday/conversations/1", show_conversation),
    "rejudge": ("/runs/monday/rejudge", move_threshold),
    "compare": ("/compare?run=monday&run=tuesday", look),
    "review": ("/runs/monday/review", label),
    "chat": ("/chat", chat),
    "start": ("/start", look),
    "testsets": ("/testsets/qa/cat-name", look),
    "live": ("/runs/friday/live", watch),
}
"""Name of a picture -> the page, and what is done on it first."""


def main(wanted: list[str]) -> None:
    """Makes the pictures of these names; all, if none are given."""
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for run, bot, settings in HELD:
            subprocess.run(talk(run, bot, 24, *settings), cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with running([*CHATTEST, "view", "--no-open", "--port", "0"], folder) as app, sync_playwright() as playwright:
            assert app.stdout is not None
            address = re.findall(r"http://[^/]+", app.stdout.readline())[0]
            flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
            with running(talk("friday", "reader", 200), folder):
                for picture in wanted or PICTURES:
                    path, prepare = PICTURES[picture]
                    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
                    page.set_default_timeout(PATIENCE)
                    page.goto(address + path)
                    expect(page.locator("#reading")).to_have_count(0)
                    prepare(page)
                    page.screenshot(path=DOCS / f"view-{picture}.png")
                    page.close()
                    print(f"docs/view-{picture}.png", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
