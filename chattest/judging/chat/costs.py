"""What the chat judges of a run cost: tokens and money counted, and a budget that ends the asking."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from threading import Lock

from chattest.text.tokens import estimate_tokens

MILLION = 1_000_000
LEAST = 4
"""How many times fewer tokens than estimated a text can have; a service that tells of fewer is not believed."""
VERDICT = 60
"""Tokens that a judge is taken to write, where nothing has been written yet."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of one call, or of many."""

    sent: int = 0
    written: int = 0

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(self.sent + other.sent, self.written + other.written)

    @property
    def total(self) -> int:
        """Both together."""
        return self.sent + self.written


def about(prompt: str, answer: str | None = None) -> Tokens:
    """About how many tokens a call takes. answer: what was answered; `None` where nothing is yet."""
    written = VERDICT if answer is None else estimate_tokens(answer)
    return Tokens(estimate_tokens(prompt), written)


def check_tokens(told: Tokens, estimate: Tokens) -> tuple[Tokens, bool]:
    """Return the tokens as told, and whether any were told to be fewer than the texts can have: then as estimated.

    A budget binds whatever a service says: one that tells of no token, or of one, would be asked for ever.
    """
    sent = told.sent if LEAST * told.sent >= estimate.sent else estimate.sent
    written = told.written if LEAST * told.written >= estimate.written else estimate.written
    took = Tokens(sent, written)
    return took, took != told


Prices = Mapping[str, tuple[float, float]]
"""Model, or chatter -> price of a million tokens sent, and of a million written."""


def cost(tokens: Tokens, price: tuple[float, float] | None) -> float | None:
    """Return what the tokens cost; `None` where the price is not known."""
    return None if price is None else (tokens.sent * price[0] + tokens.written * price[1]) / MILLION


@dataclass(frozen=True, slots=True)
class Account:
    """What one kind of chat judge did in a run."""

    asked: int = 0
    """Texts that it was asked about."""
    cached: int = 0
    """Texts that it had judged before: their verdicts cost nothing."""
    retried: int = 0
    """Those of `asked` that took more than one request."""
    unread: int = 0
    """Those of `asked` whose answer cannot be read."""
    failed: int = 0
    """Texts that it could not be asked about."""
    unasked: int = 0
    """Texts that it was not asked about because the budget was spent."""
    tokens: Tokens = field(default_factory=Tokens)
    estimated: bool = False
    """Whether the tokens of any call were worked out from its texts."""


class Ledger:
    """The accounts of all chat judges of a run, and its budget; usable from any thread."""

    def __init__(self, money: float | None = None, tokens: int | None = None) -> None:
        """money, tokens: what may be spent; `None`: any amount."""
        self._money, self._tokens = money, tokens
        self._lock = Lock()
        self._accounts: dict[str, Account] = {}
        self._held: dict[int, tuple[float, int]] = {}
        self._spent_money = 0.0
        self._spent_tokens = 0
        self.spent = False
        """Whether a call had to be left out; then no further one is made."""

    @property
    def accounts(self) -> dict[str, Account]:
        """Kind of judge -> its account, for the kinds that had anything to judge."""
        with self._lock:
            return dict(self._accounts)

    def count(self, kind: str, **more: int) -> None:
        """Add to the counts of a kind's account."""
        with self._lock:
            self._add(kind, **more)

    def begin(self, kind: str, call: int, expected: Tokens, price: tuple[float, float] | None) -> bool:
        """Return True if a call may be made. Its expected costs are held back until `end`."""
        with self._lock:
            account = self._accounts.get(kind, Account())
            usual = account.tokens.written // max(1, account.asked)
            expected = replace(expected, written=max(expected.written, usual))
            money = cost(expected, price) or 0.0
            held_money = sum(each[0] for each in self._held.values())
            held_tokens = sum(each[1] for each in self._held.values())
            over = self._money is not None and self._spent_money + held_money + money > self._money
            over |= self._tokens is not None and self._spent_tokens + held_tokens + expected.total > self._tokens
            if self.spent or over:
                self.spent = True
                self._add(kind, unasked=1)
                return False
            self._held[call] = (money, expected.total)
            return True

    def end(self, kind: str, call: int, took: Tokens, price: tuple[float, float] | None, **more: int | bool) -> None:
        """Record that a call is over.

        Args:
            kind: The kind of chat judge.
            call: The call.
            took: Its tokens.
            price: The price of a token, if known.
            **more: Further counts of the account, and `estimated`.
        """
        estimated = bool(more.pop("estimated", False))
        with self._lock:
            self._held.pop(call, None)
            self._spent_money += cost(took, price) or 0.0
            self._spent_tokens += took.total
            self._add(kind, **more)
            account = self._accounts[kind]
            self._accounts[kind] = replace(
                account, tokens=account.tokens + took, estimated=account.estimated or estimated
            )

    def _add(self, kind: str, **more: int) -> None:
        account = self._accounts.get(kind, Account())
        self._accounts[kind] = replace(account, **{name: getattr(account, name) + by for name, by in more.items()})
