"""The command `view`: the local browser app."""

from pathlib import Path
from typing import Annotated

import typer

from chattest.cli.invocation import invocation
from chattest.files.home import home


def view(
    reports: Annotated[Path, typer.Argument(help="Folder of runs.")] = Path("reports"),
    port: Annotated[int, typer.Option(help="Port; 0 for any free one.")] = 8484,
    host: Annotated[
        str, typer.Option(help="Address to listen at. Others than 127.0.0.1 let other machines in.")
    ] = "127.0.0.1",
    token: Annotated[
        str,
        typer.Option(
            help="The token that visitors need; default: a random one. Other users of this machine see an option, "
            "and not the environment variable CHATTEST_VIEW_TOKEN.",
            envvar="CHATTEST_VIEW_TOKEN",
            show_envvar=False,
        ),
    ] = "",
    allow_commands: Annotated[
        bool,
        typer.Option(
            "--allow-commands",
            help="Let visitors choose chatters, options and settings that run programs and open files and addresses. "
            "Otherwise those of config.py count.",
        ),
    ] = False,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the first page in a browser.")] = True,
) -> None:
    """Open a page with all runs: read, compare and label them, watch a run, talk to a bot, start a run."""
    from chattest.web.project import Project
    from chattest.web.server import serve

    place = Project(
        invocation.root, home() / reports, invocation.program, invocation.overrides, invocation.config, allow_commands
    )
    serve(place, host, port, token, open_browser)
