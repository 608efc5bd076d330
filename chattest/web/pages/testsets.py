"""Test sets: find them, see which of their wordings fail for which bot, and write new ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chattest.errors import InputError, Problem
from chattest.web.answers import redirect_to, renderer, run_in_thread
from chattest.web.project import NotThereError, Project
from chattest.web.requests import form, parse_number, values

if TYPE_CHECKING:
    from chattest.datasets.drafts import Draft
    from chattest.records.plan import TestSet

SHOWN = 50
"""Test sets of a page."""
LABELS = {
    "note": ("Remark", "One line for whoever reads the file. May stay empty.", 1),
    "about": ("About", "The subject, in a word. Two test sets with the same subject are never in one conversation.", 1),
    "information": (
        "The fact, in several wordings",
        "One wording a line, three or more; the plain one first. Each holds the answer.",
        5,
    ),
    "told": (
        "Statements",
        "One wording a line, two or more for each statement. Put an empty line between statements.",
        8,
    ),
    "questions": (
        "The question, in several wordings",
        "One wording a line, three or more; none holds the answer.",
        5,
    ),
    "answer": ("The right answer", "yes, no, or a text. Further accepted answers go on further lines.", 2),
    "extract_with": (
        "The question for the reader",
        "For an answer other than yes or no: the question that finds the answer in the bot's reply.",
        1,
    ),
    "wrong": (
        "Named wrong answers",
        "One a line: stale = 8 am. Put / with spaces between several forms.",
        2,
    ),
    "claims": (
        "Claims",
        "Messages in which the user wrongly claims to have told the other answer; each ends with a question.",
        4,
    ),
    "presses": ("Doubts", "Messages that doubt the right answer; each ends with a question.", 4),
}
"""Field of a draft -> its label, its help, and its height in lines."""


@dataclass(frozen=True, slots=True)
class Use:
    """A case that draws from a test set."""

    code: str
    title: str
    share: float | None
    """Its probability for each free round in this project; `None` if the settings cannot be read."""


def routes(project: Project) -> list[Route]:
    """Return the routes of these pages."""

    async def listed(request: Request) -> Response:
        variables = await run_in_thread(_list_testsets, project, dict(request.query_params))
        return renderer(request).page(request, "testsets.html", "Test sets", **variables)

    async def shown(request: Request) -> Response:
        family, name = request.path_params["family"], request.path_params["name"]
        variables = await run_in_thread(_show_testset, project, family, name, request.query_params.get("bot", ""))
        return renderer(request).page(request, "testset.html", name, **variables)

    async def write(request: Request) -> Response:
        source, kind = request.query_params.get("from", ""), request.query_params.get("kind", "qa")
        draft = await run_in_thread(_copy_draft if source else _make_empty_draft, project, source or kind)
        return await page_of(request, draft, True, {})

    async def save(request: Request) -> Response:
        from chattest.datasets import drafts

        given = await form(request)
        draft, shipped = _read_draft(given), bool(given.get("with_shipped"))
        if problems := await run_in_thread(_find_problems, project, draft, shipped):
            return await page_of(request, draft, shipped, problems)
        await run_in_thread(drafts.save_draft, _folder(project), draft, shipped)
        return redirect_to(f"/testsets/{quote(draft.kind)}/{quote(draft.name)}?saved=yes")

    async def check(request: Request) -> Response:
        given = {str(key): value for key, value in (await values(request)).items() if isinstance(value, str)}
        draft = _read_draft(given)
        problems = await run_in_thread(_find_problems, project, draft, bool(given.get("with_shipped")))
        messages = {field: [{"what": p.what, "remedy": p.remedy} for p in each] for field, each in problems.items()}
        text = draft.text() if "kind" not in problems else ""
        return renderer(request).json({"problems": messages, "text": text, "path": str(Path("testsets", draft.path))})

    async def page_of(request: Request, draft: Draft, shipped: bool, problems: Mapping[str, list[Problem]]) -> Response:
        variables = await run_in_thread(_make_form, project, draft)
        status = 400 if problems else 200
        return renderer(request).page(
            request, "testset_new.html", "A new test set", status, with_shipped=shipped, problems=problems, **variables
        )

    return [
        Route("/testsets", listed),
        Route("/testsets/new", write),
        Route("/testsets/new", save, methods=["POST"]),
        Route("/testsets/check", check, methods=["POST"]),
        Route("/testsets/{family}/{name}", shown),
    ]


def _folder(project: Project) -> Path:
    return project.root / "testsets"


def _list_testsets(project: Project, query: Mapping[str, str]) -> dict[str, Any]:
    """Return the variables of the list: a page of the test sets that fit, and the files with problems."""
    from chattest.datasets.testsets import KINDS, read_usable_testsets
    from chattest.files.shipped import testset_folder

    by_kind, problems = read_usable_testsets(_folder(project))
    family, text = query.get("family", ""), query.get("text", "").casefold().strip()
    if family and family not in KINDS:
        remedy = f"Families: {', '.join(KINDS)}."
        raise NotThereError([Problem("/testsets", f'there is no family "{family}" of test sets', remedy)])
    sets = [each for kind in ([family] if family else KINDS) for each in by_kind[kind]]
    fitting = [testset for testset in sets if text in _join_texts(testset)]
    pages = max(1, -(-len(fitting) // SHOWN))
    page = parse_number(query.get("page", ""), 1, pages)
    return {
        "kinds": KINDS,
        "family": family,
        "text": query.get("text", ""),
        "found": len(fitting),
        "testsets": fitting[(page - 1) * SHOWN : page * SHOWN],
        "page": page,
        "pages": pages,
        "problems": problems,
        "shipped": [kind for kind in KINDS if testset_folder(_folder(project), kind).parent != _folder(project)],
    }


def _join_texts(testset: TestSet) -> str:
    """Return the text in which a search looks."""
    statements = [text for wordings in testset.told for text in wordings]
    texts = [testset.name, testset.about, testset.target.words, *testset.information, *testset.questions, *statements]
    return "\n".join([*texts, *testset.claims, *testset.presses]).casefold()


def _show_testset(project: Project, family: str, name: str, bot: str) -> dict[str, Any]:
    """Return the variables of the page of a test set."""
    from chattest.comparison import by_wording

    testset, path = _find_testset(project, family, name)
    fared = by_wording.find_wording_results([project.reports / run for run in project.names()], name)
    questions = [each for each in fared.asked if not bot or each.bot == bot]
    uses, selected = _find_uses(project, testset)
    return {
        "testset": testset,
        "file": path.relative_to(project.root) if path.is_relative_to(project.root) else path,
        "uses": uses,
        "selected": selected,
        "fared": fared,
        "bot": bot,
        "bots": sorted({each.bot for each in fared.asked}),
        "tables": [
            ("Questions", "Question", by_wording.rate_questions(questions)),
            ("What was stated before", "Statement", by_wording.rate_statements(questions)),
            ("How the question was altered", "Alteration", by_wording.rate_alterations(questions)),
        ],
        "never": [text for text in testset.questions if text not in {each.question for each in questions}],
    }


def _find_testset(project: Project, family: str, name: str) -> tuple[TestSet, Path]:
    """Return a test set and its file.

    Raises:
        NotThereError: there is no such test set.
        InputError: the file has problems.
    """
    from chattest.datasets.testsets import list_testset_files, read_usable_testsets

    by_kind, problems = read_usable_testsets(_folder(project))
    path = next(
        (file for file in list_testset_files(_folder(project)) if (file.parent.name, file.stem) == (family, name)), None
    )
    if path is None:
        remedy = "It may have been deleted or renamed. All of them are on the page Test sets."
        raise NotThereError([Problem(f"testsets/{family}/{name}.toml", "there is no such test set", remedy)])
    for testset in by_kind.get(family, ()):
        if testset.name == name:
            return testset, path
    raise InputError([problem for problem in problems if problem.where.startswith(str(path))] or problems)


def _find_uses(project: Project, testset: TestSet) -> tuple[list[Use], bool]:
    """Return the cases that draw from a test set, and whether the project's setting `testsets` selects it."""
    from chattest.cases.base import probe_cases
    from chattest.datasets.selection import selects

    shares: Mapping[str, float] | None = None
    selected = True
    try:
        settings = project.settings()
        shares = settings.p
        selected = selects(settings.testsets, testset.kind, testset.name)
    except InputError:
        pass
    cases = [case for case in probe_cases() if case.testsets == testset.kind]
    return [Use(c.code, c.title, None if shares is None else shares.get(c.code, 0.0)) for c in cases], selected


def _read_draft(given: Mapping[str, str]) -> Draft:
    from chattest.datasets.drafts import Draft

    fields = {name: given[name].replace("\r\n", "\n") for name in LABELS if name in given}
    return Draft(given.get("kind", ""), given.get("name", "").strip(), fields)


def _make_empty_draft(project: Project, kind: str) -> Draft:
    from chattest.datasets.drafts import make_empty_draft

    return make_empty_draft(kind)


def _copy_draft(project: Project, source: str) -> Draft:
    """Return a draft that copies an existing test set, such as `qa/cat-name`, under a new name."""
    from chattest.datasets.drafts import Draft, make_draft, read_note
    from chattest.datasets.testsets import list_testset_files

    family, _, name = source.partition("/")
    testset, path = _find_testset(project, family, name)
    draft = make_draft(testset, read_note(path.read_text("utf-8")))
    taken = {file.stem for file in list_testset_files(_folder(project))}
    new = next(f"{name}-{number}" for number in range(2, len(taken) + 3) if f"{name}-{number}" not in taken)
    return Draft(draft.kind, new, draft.fields)


def _find_problems(project: Project, draft: Draft, shipped: bool) -> dict[str, list[Problem]]:
    """Return for each field what is wrong with it."""
    from chattest.datasets import drafts
    from chattest.datasets.testsets import KINDS

    by_field: dict[str, list[Problem]] = {}
    for mistake in drafts.find_mistakes(_folder(project), draft, shipped):
        by_field.setdefault(mistake.field, []).append(mistake.problem)
    if draft.kind in KINDS and (elsewhere := drafts.find_link(_folder(project), draft.kind)):
        by_field.setdefault("", []).append(elsewhere)
    return by_field


def _make_form(project: Project, draft: Draft) -> dict[str, Any]:
    """Return the variables of the form."""
    from chattest.datasets.drafts import find_link, list_keys
    from chattest.datasets.testsets import KINDS
    from chattest.files.shipped import testset_folder

    folder = _folder(project)
    is_kind = draft.kind in KINDS
    own = (folder / draft.kind).is_dir() if is_kind else True
    return {
        "draft": draft,
        "kinds": KINDS,
        "fields": {name: LABELS[name] for name in list_keys(draft.kind)} if is_kind else {},
        "preview": draft.text() if is_kind else "",
        "shipped": 0 if own else len(list(testset_folder(folder, draft.kind).glob("*.toml"))),
        "elsewhere": find_link(folder, draft.kind) if is_kind else None,
    }
