"""What the chat judges did in a run, as a table for every report."""

from chattest.judging.chat.choose import ChatJudges
from chattest.judging.chat.costs import Account, cost
from chattest.judging.chat.judge import ChatterJudge
from chattest.records.report import ExtraColumn, ExtraTable
from chattest.text.format import many

NAME = "Chat judges"
_TITLES = (
    ("Kind", "text"),
    ("Judge", "text"),
    ("Asked", "count"),
    ("From the cache", "count"),
    ("Asked again", "count"),
    ("Not readable", "count"),
    ("Failed", "count"),
    ("By the embedded judge", "count"),
    ("Tokens sent", "count"),
    ("Tokens written", "count"),
    ("Cost", "text"),
)


def money(amount: float | None) -> str:
    """Write an amount with as many digits as it needs; a dash where the price is not known."""
    if amount is None:
        return "–"
    return f"{amount:.2f}" if amount >= 1 or amount == 0 else f"{amount:.4f}"


def usage_table(judges: ChatJudges) -> ExtraTable | None:
    """Return a row for each kind that had anything to judge; `None` where no chat model judged."""
    accounts = judges.ledger.accounts
    by_account = {judge.account: judge for judge in judges.every()}
    rows = tuple(_row(by_account[name], account) for name, account in accounts.items())
    if not rows:
        return None
    columns = tuple(ExtraColumn(*title) for title in _TITLES)
    return ExtraTable(NAME, _note(judges, list(accounts.values())), columns, rows)


def _row(judge: ChatterJudge, account: Account) -> tuple[str | int | float | None, ...]:
    tokens = account.tokens
    counts = (account.asked, account.cached, account.retried, account.unread, account.failed, account.unasked)
    return (
        judge.kind,
        judge.name,
        *counts,
        tokens.sent,
        tokens.written,
        _show(cost(tokens, judge.price), account.estimated),
    )


def _show(amount: float | None, estimated: bool) -> str:
    return f"about {money(amount)}" if estimated and amount is not None else money(amount)


def _note(judges: ChatJudges, accounts: list[Account]) -> str:
    lost = sum(account.unread + account.failed for account in accounts)
    unasked = sum(account.unasked for account in accounts)
    by_account = {judge.account: judge for judge in judges.every()}
    prices = [cost(account.tokens, by_account[name].price) or 0.0 for name, account in judges.ledger.accounts.items()]
    estimated = any(account.estimated for account in accounts)
    spent = f", {_show(sum(prices), estimated)} spent" if any(judge.price for judge in judges.every()) else ""
    sentences = [f"{many(sum(account.asked for account in accounts), 'text')} asked about{spent}."]
    if lost:
        sentences.append(f"{many(lost, 'text')} without a verdict count as errors; judge again to ask about them.")
    if unasked:
        sentences.append(f"The budget was spent: {many(unasked, 'text')} left to the embedded judges.")
    if estimated:
        sentences.append(
            "Tokens are estimated from the texts where the service does not count them, or tells of fewer than there "
            "can be."
        )
    return " ".join(sentences)
