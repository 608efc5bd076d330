"""Makes the pictures of docs/ again from runs that are held on the spot: `make pictures`.

Those of the browser app (docs/view.md), the report and the comparison are taken in a real browser, that of the workbook
by LibreOffice and Ghostscript.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

DOCS = Path(__file__).resolve().parent
WIDTH, HEIGHT = 1280, 800
CHROMIUM = "/usr/bin/chromium"
DOTS, MARGIN = 180, 4
"""Pixels an inch of the workbook's picture, and points that are left around its sheet."""
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
        page.get_by_label("Your message").fill(text)
        page.get_by_label("Your message").press("Enter")
        expect(page.locator("#rounds").get_by_text("after the reply")).to_have_count(number)
    page.locator("#round-1").evaluate("round => round.scrollIntoView({block: 'start'})")


def watch(page: Page) -> None:
    """Some conversations are judged already."""
    expect(page.locator("#status .so-far")).to_be_visible()


def show_plots(page: Page) -> None:
    """The plots, which are drawn when they come into sight."""
    page.locator("#plots").evaluate("plots => plots.scrollIntoView({block: 'start'})")
    expect(page.locator("#plots .main-svg").first).to_be_visible()


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


OF_REPORTS: dict[str, tuple[str, Callable[[Page], None]]] = {
    "page": ("reader/report.html", look),
    "plots": ("reader/report.html", show_plots),
    "comparison": ("comparison-alice-reader.html", look),
}
"""Name of a picture -> the page below reports/, and what is done on it first."""
WORKBOOK = "workbook"


def main(wanted: list[str]) -> None:
    """Makes the pictures of these names; all, if none are given."""
    expect.set_options(timeout=PATIENCE)
    of_app = [name for name in PICTURES if not wanted or name in wanted]
    of_reports = [name for name in (*OF_REPORTS, WORKBOOK) if not wanted or name in wanted]
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        if of_reports:
            picture_reports(browser, folder / "thirty", of_reports)
        if of_app:
            picture_app(browser, folder / "app", of_app)


def picture_reports(browser: Browser, folder: Path, wanted: list[str]) -> None:
    """The pictures of two runs of thirty conversations, those of docs/comparing-runs.md, and of their comparison."""
    folder.mkdir()
    hold = [*CHATTEST, "--quiet", "--set", "max_runs=30", "--set", "paired=true"]
    for bot, more in (("alice", ()), ("reader", ("--set", "controls=true"))):
        chosen = ("--set", f'chatters=["eliza", "{bot}"]', "--set", f"save_analysis_name={bot}", *more)
        run_chattest([*hold, *chosen], folder)
    # What is printed are the tables of docs/comparing-runs.md and docs/controls.md.
    compare = [*CHATTEST, "compare", "reports/alice", "reports/reader"]
    print(run_chattest(compare, folder))
    print(
        (folder / "reports/alice/report.md").read_text("utf-8"),
        (folder / "reports/reader/report.md").read_text("utf-8"),
    )
    for name in wanted:
        if name == WORKBOOK:
            picture_workbook(folder / "reports/reader/report.xlsx", DOCS / "workbook.png")
        else:
            path, prepare = OF_REPORTS[name]
            take(browser, (folder / "reports" / path).as_uri(), prepare, name)


def run_chattest(command: list[str], folder: Path) -> str:
    """Return what a command prints. Code 1 says that the bot is bad, which is no matter here."""
    done = subprocess.run(command, cwd=folder, check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        raise subprocess.CalledProcessError(done.returncode, command, done.stdout)
    return done.stdout


def picture_workbook(workbook: Path, picture: Path) -> None:
    """The first sheet, cut to what is on it."""
    office = ["soffice", "--headless", "--convert-to", "pdf", "--outdir", str(workbook.parent), str(workbook)]
    subprocess.run(office, check=True, stdout=subprocess.DEVNULL)
    sheet = str(workbook.with_suffix(".pdf"))
    draw = ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dLastPage=1", f"-r{DOTS}"]
    told = subprocess.run([*draw, "-sDEVICE=bbox", sheet], check=True, stderr=subprocess.PIPE, text=True).stderr
    left, bottom, right, top = map(int, re.findall(r"%%BoundingBox: (\d+) (\d+) (\d+) (\d+)", told)[0])
    size = "x".join(str((length + 2 * MARGIN) * DOTS // 72) for length in (right - left, top - bottom))
    draw += ["-sDEVICE=png16m", "-dTextAlphaBits=4", "-dGraphicsAlphaBits=4", f"-g{size}", "-dFIXEDMEDIA"]
    moved = f"<</Install {{ {MARGIN - left} {MARGIN - bottom} translate }}>> setpagedevice"
    subprocess.run([*draw, f"-sOutputFile={picture}", "-c", moved, "-f", sheet], check=True)
    print(f"docs/{picture.name}", flush=True)


def picture_app(browser: Browser, folder: Path, wanted: list[str]) -> None:
    """The pictures of the browser app."""
    folder.mkdir()
    for run, bot, settings in HELD:
        run_chattest(talk(run, bot, 24, *settings), folder)
    with running([*CHATTEST, "view", "--no-open", "--port", "0"], folder) as app:
        assert app.stdout is not None
        address, token = re.findall(r"(http://[^/]+)/\?token=(\S+)", app.stdout.readline())[0]
        with running(talk("friday", "reader", 200), folder):
            for name in wanted:
                path, prepare = PICTURES[name]
                take(browser, f"{address}{path}{'&' if '?' in path else '?'}token={token}", prepare, f"view-{name}")


def take(browser: Browser, address: str, prepare: Callable[[Page], None], name: str) -> None:
    """Takes one picture: docs/<name>.png."""
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    expect(page.locator("#reading")).to_have_count(0)
    prepare(page)
    page.screenshot(path=DOCS / f"{name}.png")
    page.close()
    print(f"docs/{name}.png", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
