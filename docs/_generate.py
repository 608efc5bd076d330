"""The parts of README.md, CONTRIBUTING.md and docs/ that are made from the code.

A page calls these functions between `[[[cog` and `[[[end]]]`. `make generate` writes the parts anew; `make lint` checks
them.
"""

import inspect
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
import typer.main

import chattest
from chattest.cases.base import Case, all_cases
from chattest.chatter.loader import chatter_names, find_chatter
from chattest.checks.base import CheckContext, list_checks
from chattest.checks.relations.base import relations
from chattest.cli.commands import app
from chattest.perturbations.base import perturbations
from chattest.records.report import mark_experimental
from chattest.settings.declaration import Settings

ROOT = Path(__file__).resolve().parents[1]
_SECTION = re.compile(r"(Args|Returns|Raises):\n")
"""The head of a section of a docstring, as Google writes them."""


def write(text: str) -> None:
    """Prints a part as a block of its own, since Markdown needs a blank line between a comment and a table."""
    print(f"\n{text}\n")


def cases() -> str:
    """One line for each case, by category."""
    pages = {True: "memory.md", False: ""}
    rows = [
        (f"[{case.code}]({pages[_category(case) == 'memory']}#{case.code.lower()})", case.title) for case in all_cases()
    ]
    return table(("case", "requirement"), rows)


def case_sections(memory: bool) -> str:
    """Return a section for each case with its whole specification, from its docstring.

    Args:
        memory: The cases about memory, which have a page of their own; False: all others.
    """
    lines: list[str] = []
    category = ""
    for case in all_cases():
        if (_category(case) == "memory") is not memory:
            continue
        if _category(case) != category:
            category = _category(case)
            lines += [f"## {'The cases' if memory else category.capitalize()}", ""]
        lines += _case_section(case)
    return "\n".join(lines).rstrip()


def _category(case: Case) -> str:
    return case.name.partition(".")[0]


def _case_section(case: Case) -> list[str]:
    title, _, body = inspect.cleandoc(case.__doc__ or "").partition("\n")
    specification, _, examples = body.strip().partition("\n\nPasses: ")
    passes, _, fails = examples.partition("\nFails: ")
    return [
        f"### {case.code}",
        "",
        f"**{mark_experimental(title.rstrip('.'), case.why_experimental)}.** `{case.name}`",
        "",
        *(
            [f"{case.why_experimental} [What that means](judges.md#experimental-cases).", ""]
            * bool(case.why_experimental)
        ),
        *specification.splitlines(),
        "",
        f"- Passes: {_one_line(passes)}",
        f"- Fails: {_one_line(fails)}",
        "",
    ]


def settings(*sections: str) -> str:
    """Return a section for each of these groups of settings (all if none is named) with meanings and defaults."""
    lines: list[str] = []
    for section in sections or Settings.sections:
        rows = [
            (f"`{name}`", field.description or "", _default(field.default))
            for name, field in Settings.model_fields.items()
            if isinstance(field.json_schema_extra, dict) and field.json_schema_extra["section"] == section
        ]
        lines += [f"## {section.capitalize()}", "", table(("setting", "meaning", "default"), rows), ""]
    return "\n".join(lines).rstrip()


def _default(value: Any) -> str:
    text = repr(value)
    return f"`{text}`" if len(text) < 40 else "see `chattest config --all`"


def perturbation_tables() -> str:
    """A table for each family of perturbations."""
    lines: list[str] = []
    everything = sorted(perturbations, key=lambda perturbation: (perturbation.family, perturbation.name))
    for family in sorted({perturbation.family for perturbation in everything}):
        rows = [
            (
                f"`{each.name}`",
                f"`{each.effect.value}`",
                ", ".join(each.kinds),
                f"{_first_paragraph(each.__doc__)}{f' Needs {each.needs}.' if each.needs else ''}",
            )
            for each in everything
            if each.family == family
        ]
        lines += [f"### {family.capitalize()}", "", table(("name", "effect", "kinds", "what it does"), rows), ""]
    return "\n".join(lines).rstrip()


def check_tables() -> str:
    """Return a table for each family of checks; of the invariance checks, what each does stands at its perturbation."""
    lines: list[str] = []
    checks = list_checks(CheckContext(ROOT, Settings()))
    for family in dict.fromkeys(check.code.partition(".")[0] for check in checks):
        members = [check for check in checks if check.code.partition(".")[0] == family]
        lines += [f"### Family {family}", ""]
        if family == "invariance":
            names = {check.code.partition(".")[2]: check.needs for check in members}
            listed = ", ".join(f"`{name}`{f' (needs {names[name]})' if names[name] else ''}" for name in sorted(names))
            lines += [f"Gives altered questions the same answer, altered by {listed}.", ""]
        else:
            lines += [table(("check", "requirement"), [(f"`{check.code}`", check.described) for check in members]), ""]
    return "\n".join(lines).rstrip()


def relation_table() -> str:
    """One line for each metamorphic relation."""
    rows = [
        (f"{each.code} `{each.name}`", "contrary" if each.inverse else "same", _first_paragraph(each.__doc__))
        for each in sorted(relations, key=lambda relation: relation.code)
    ]
    return table(("relation", "expected answer", "follow-up input"), rows)


def chatter_sections() -> str:
    """Return a section for each chatter that ships, with its options; of a preset, only what it changes."""
    lines: list[str] = []
    shown: dict[str, type] = {}
    options: dict[str, list[tuple[str, str, str]]] = {}
    # What others build on comes first.
    for name in sorted(chatter_names(ROOT / "chatters"), key=lambda name: (name not in ("http", "huggingface"), name)):
        chatter = find_chatter(name, ROOT / "chatters")
        rows = [
            (f"`{option}`", field.description or "", _option_default(field))
            for option, field in chatter.Options.model_fields.items()
            if option not in chatter.from_settings
        ]
        lines += [f"## {name}", "", _first_paragraph(chatter.__doc__), ""]
        if base := next((known for known, cls in shown.items() if issubclass(chatter, cls)), None):
            own = [row for row in rows if row not in options[base]]
            lines += [f"It takes the options of [{base}](#{base}){'; these differ:' if own else '.'}", ""]
            rows = own
        else:
            shown[name], options[name] = chatter, rows
        lines += [table(("option", "meaning", "default"), rows), ""] if rows else []
    return "\n".join(lines).rstrip()


def _option_default(field: Any) -> str:
    return "required" if field.is_required() else f"`{field.get_default(call_default_factory=True)!r}`"


def command_table() -> str:
    """One line for each command."""
    rows = [(_command_link(name, command), _summary(command)) for name, command in _commands()]
    return table(("command", "what it does"), rows)


def _command_link(name: str, command: click.Command) -> str:
    """Return the command as a link to its section."""
    return f"[`chattest{_usage(name, command)}`](#{f'chattest {name}'.rstrip().replace(' ', '-')})"


def command_sections() -> str:
    """A section for each command with its arguments and options."""
    lines: list[str] = []
    for name, command in _commands():
        rows = [
            (_parameter(parameter), getattr(parameter, "help", None) or "", _parameter_default(parameter))
            for parameter in command.params
            if parameter.name != "help"
        ]
        lines += [f"## chattest {name}".rstrip(), "", _one_line(command.help or ""), ""]
        lines += [f"```text\nchattest{_usage(name, command)}\n```", ""]
        lines += [table(("argument", "meaning", "default"), rows), ""] if rows else []
    return "\n".join(lines).rstrip()


def _commands() -> Iterable[tuple[str, click.Command]]:
    group: Any = typer.main.get_command(app)
    yield "", group
    yield from group.commands.items()


def _usage(name: str, command: click.Command) -> str:
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    shown = [_placeholder(argument) for argument in arguments]
    return " ".join(["", name, *shown]).rstrip() if name else ""


def _placeholder(argument: click.Parameter) -> str:
    several = "..." if argument.nargs == -1 else ""
    metavar = (argument.metavar or argument.name or "").upper() + several
    return metavar if argument.required else f"[{metavar}]"


def _parameter(parameter: click.Parameter) -> str:
    named = _placeholder(parameter) if parameter.param_type_name == "argument" else ", ".join(parameter.opts)
    return f"`{named}`"


def _parameter_default(parameter: click.Parameter) -> str:
    given = parameter.default
    if parameter.required:
        return "required"
    return f"`{given}`" if isinstance(given, int | float | str) and not isinstance(given, bool) else ""


def _summary(command: click.Command) -> str:
    """The first sentence of a command's help."""
    return re.split(r"(?<=\.)\s", _one_line(command.help or ""))[0]


CHATTER = ("Chatter",)
"""Public names with a page of their own: what somebody who writes a bot looks up."""


def api(*names: str) -> str:
    """Return a section for each name of the library, with signature and docstring; by default all but `CHATTER`."""
    lines: list[str] = []
    for name in names or [name for name in chattest.__all__ if name not in CHATTER]:
        public = getattr(chattest, name)
        lines += [f"## chattest.{name}", "", *_signature(f"chattest.{name}", public), *_described(public)]
        if inspect.isclass(public):
            for member, value in vars(public).items():
                if not member.startswith("_") and (
                    inspect.isfunction(value) or isinstance(value, classmethod | property)
                ):
                    lines += [f"### {name}.{member}", "", *_signature(member, value), *_described(value)]
    return "\n".join(lines).rstrip()


def _signature(name: str, value: Any) -> list[str]:
    function = value.__func__ if isinstance(value, classmethod) else value
    if isinstance(value, property) or (inspect.isclass(value) and "__init__" not in vars(value)):
        return []
    parameters = [
        parameter.replace(annotation=_type(parameter.annotation))
        for parameter in inspect.signature(function).parameters.values()
        if parameter.name not in ("self", "cls")
    ]
    shown = inspect.Signature(parameters, return_annotation=_type(inspect.signature(function).return_annotation))
    text = f"{name}{shown}".replace("'", "") if len(f"{name}{shown}") < 100 else _one_a_line(name, shown)
    return ["```text", text, "```", ""]


class _Type:
    """An annotation that shows itself without quotes and module names."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _type(annotation: Any) -> Any:
    if annotation is inspect.Signature.empty:
        return annotation
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return _Type(re.sub(r"(?:\w+\.)+(\w+)", r"\1", text))


def _one_a_line(name: str, signature: inspect.Signature) -> str:
    parameters = [f"    {parameter}," for parameter in signature.parameters.values()]
    returned = signature.return_annotation
    arrow = "" if returned is inspect.Signature.empty else f" -> {returned!r}"
    starred = [
        "    *," if parameter.kind is parameter.KEYWORD_ONLY else "" for parameter in signature.parameters.values()
    ]
    first = starred.index("    *,") if "    *," in starred else None
    if first is not None:
        parameters.insert(first, "    *,")
    return "\n".join([f"{name}(", *parameters, f"){arrow}"])


def _described(value: Any) -> list[str]:
    """Return a docstring as Markdown: its sections become lists, an example a block of code."""
    function = value.__func__ if isinstance(value, classmethod) else value
    text, _, example = inspect.cleandoc(function.__doc__ or "").partition(">>> ")
    lines: list[str] = []
    for paragraph in filter(None, text.rstrip().split("\n\n")):
        section = _SECTION.match(paragraph)
        if section:
            lines += [*_section(section[1], paragraph[section.end() :]), ""]
        elif paragraph.startswith("    "):
            lines += ["```python", inspect.cleandoc(paragraph), "```", ""]
        else:
            lines += [paragraph if paragraph.startswith("- ") else _one_line(paragraph), ""]
    return [*lines, "```pycon", f">>> {example}", "```", ""] if example else lines


def _section(head: str, body: str) -> list[str]:
    """Return a section: a list of the arguments, or of the errors, or a sentence for what is returned."""
    if head == "Returns":
        return [f"Returns: {_one_line(body)}"]
    entries = [_one_line(entry).split(": ", 1) for entry in re.split(r"\n {4}(?=\S)", f"\n{body}") if entry]
    names: dict[str, list[str]] = {}  # those of one meaning stand together
    for name, meaning in entries:
        names.setdefault(meaning, []).append(f"`{name}`")
    items = [f"- {', '.join(named)}: {meaning}" for meaning, named in names.items()]
    return items if head == "Args" else ["Raises:", "", *items]


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [f"| {' | '.join(header)} |", "|" + "---|" * len(header)]
    lines += [f"| {' | '.join(_one_line(cell).replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return "\n".join(lines)


def _first_paragraph(docstring: str | None) -> str:
    return _one_line(inspect.cleandoc(docstring or "").partition("\n\n")[0])


def _one_line(text: str) -> str:
    return " ".join(text.split())
