"""Asks a chatter for its opinions: each text once, several at a time, and none that it has judged before."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import count
from threading import Event, Lock
from typing import Any

from chattest.chatter.asking import Asker
from chattest.chatter.failure import describe
from chattest.chatter.http import ServiceOptions
from chattest.chatter.instance import ChatterSpec
from chattest.chatter.workers import share_out
from chattest.errors import ChatterError, ModelError
from chattest.judging.chat.costs import Ledger, Prices, Tokens, about, check_tokens
from chattest.judging.chat.fence import unfenced
from chattest.judging.chat.reading import read_opinion
from chattest.judging.chat.rubric import Rubric
from chattest.models.cache import ScoreCache
from chattest.models.chat import PREFIX, SPENT, Opinion
from chattest.records.plan import ProbePlan
from chattest.records.question import Answer

BATCH = 16
"""Texts in one call of a chatter that answers in batches."""
LONGEST = 200_000
"""Characters of an answer that are read; a model that thinks aloud writes many."""
GIVE_UP = 20
"""Failures in a row after which a chatter is not asked any more."""
_CALLS = count()


class JudgingChatter:
    """A chatter that judges, for all kinds: loaded once, with one rate limit and one count of its failures."""

    def __init__(self, spec: ChatterSpec, timeout: float, workers: int, seed: int) -> None:
        """spec: not loaded yet. timeout: seconds for one answer. workers: how many texts are asked about at once."""
        self.spec = spec
        self.timeout = timeout
        self.workers = workers
        self.seed = f"{seed}/judging"
        self._lock = Lock()
        self._loaded = False
        self._failures = 0

    @property
    def model(self) -> str:
        """The model at the endpoint, if its options name one, else the chatter's name."""
        return str(getattr(self.spec.options, "model", "") or self.spec.name)

    def load(self) -> None:
        """Load what its instances share, once.

        Raises:
            ModelError: It cannot be loaded.
        """
        with self._lock:
            if not self._loaded:
                try:
                    self.spec.load()
                except ChatterError as error:
                    raise ModelError(f"{PREFIX}{self.spec.name} cannot judge: {error}") from error
                self._loaded = True

    def gives_up(self) -> bool:
        """Return True if it has failed too often in a row to be asked again."""
        with self._lock:
            return self._failures >= GIVE_UP

    def came(self, answer: Answer) -> None:
        """Record that an answer or a failure came."""
        with self._lock:
            self._failures = 0 if answer.error is None else self._failures + 1

    def identity(self) -> list[Any]:
        """Return what its opinions depend on besides the prompt: its name and options.

        How a service is reached is no part of it.
        """
        options = self.spec.options.model_dump(mode="json")
        how = ServiceOptions.model_fields if isinstance(self.spec.options, ServiceOptions) else ()
        return [self.spec.name, {name: value for name, value in sorted(options.items()) if name not in how}]


@dataclass(frozen=True, slots=True)
class _Task:
    """A prompt to ask, under its key."""

    key: bytes
    prompt: str


class ChatterJudge:
    """A chatter as the judge of one kind; see `chattest.models.chat.ChatJudge`."""

    def __init__(self, chatter: JudgingChatter, rubric: Rubric, ledger: Ledger, prices: Prices) -> None:
        self.kind = rubric.kind
        self.account = rubric.kind
        """Under which name the ledger keeps what it takes; another one for each further judge of a panel."""
        self.chatter = chatter
        self.rubric = rubric
        self.ledger = ledger
        short = chatter.model.rstrip("/").rpartition("/")[2]
        self.name = f"{PREFIX}{chatter.spec.name}" + (f" ({short})" if short != chatter.spec.name else "")
        self.price = prices.get(chatter.model, prices.get(chatter.spec.name))
        self._cache: ScoreCache | None = None
        self._known: dict[bytes, Opinion] = {}
        self._identity = blake2b(json.dumps(chatter.identity()).encode(), digest_size=32).digest()

    def use_cache(self, cache: ScoreCache) -> None:
        """Keep opinions in a file, and ask for none that is in it."""
        self._cache = cache

    def ask(self, texts: Sequence[Mapping[str, str]]) -> list[Opinion]:
        """Return one opinion on each of the texts; equal ones are asked once.

        Raises:
            ModelError: The chatter cannot be loaded.
        """
        prompts = [self.rubric.prompt(each) for each in texts]
        keys = [blake2b(prompt.encode(), digest_size=16, key=self._identity).digest() for prompt in prompts]
        known = self._recalled(set(keys))
        fresh = {key: prompt for key, prompt in zip(keys, prompts, strict=True) if key not in known}
        if fresh:
            self.chatter.load()
            known |= self._asked([_Task(key, prompt) for key, prompt in fresh.items()])
        return [known[key] for key in keys]

    def _recalled(self, keys: set[bytes]) -> dict[bytes, Opinion]:
        known = {key: self._known[key] for key in keys if key in self._known}
        cached = self._cache.scores(keys - known.keys()) if self._cache is not None else {}
        found = {key: opinion for key, plain in cached.items() if (opinion := self._of_plain(plain)) is not None}
        if found:
            self.ledger.count(self.account, cached=len(found))
            self._known |= found
        return known | found

    def _of_plain(self, plain: Any) -> Opinion | None:
        """Return an opinion of the cache; `None` for a damaged one."""
        try:
            verdict, confidence, reason = plain
            return Opinion(str(verdict), float(confidence), str(reason)) if verdict in self.rubric.verdicts else None
        except (TypeError, ValueError):
            return None

    def _asked(self, tasks: Sequence[_Task]) -> dict[bytes, Opinion]:
        spec = self.chatter.spec
        options = spec.cls.as_judge(spec.options, self.rubric.schema)
        asked = replace(spec, options=options)
        opinions: dict[bytes, Opinion] = {}
        size = BATCH if spec.cls.batches() else 1
        batches = [tasks[begin : begin + size] for begin in range(0, len(tasks), size)]

        @contextmanager
        def worker() -> Iterator[Callable[[Sequence[_Task]], None]]:
            asker = Asker("judge", self.chatter.timeout, LONGEST)
            try:
                yield lambda batch: opinions.update(self._kept(self._batch(asker, asked, batch)))
            finally:
                asker.close()

        share_out(batches, worker, min(self.chatter.workers, len(batches)), Event(), "judge")
        return opinions

    def _kept(self, opinions: dict[bytes, Opinion]) -> dict[bytes, Opinion]:
        """Store opinions with a verdict at once, and return all of them.

        A run that is killed has then not paid for nothing.
        """
        read = {key: opinion for key, opinion in opinions.items() if not opinion.error}
        self._known |= read
        if self._cache is not None and read:
            self._cache.store({key: [each.verdict, each.confidence, each.reason] for key, each in read.items()})
        return opinions

    def _batch(self, asker: Asker, spec: ChatterSpec, tasks: Sequence[_Task]) -> dict[bytes, Opinion]:
        """Return the opinions of a chatter that answers in batches, or of one that is asked about a single text."""
        opinions: dict[bytes, Opinion] = {}
        allowed: list[tuple[int, _Task]] = []
        for task in tasks:
            number = next(_CALLS)
            if self.chatter.gives_up():
                self.ledger.count(self.account, failed=1)
                opinions[task.key] = Opinion(error=f"{self.name} was not asked: it failed {GIVE_UP} times in a row")
            elif self.ledger.begin(self.account, number, about(task.prompt), self.price):
                allowed.append((number, task))
            else:
                opinions[task.key] = Opinion(error=SPENT)
        if not allowed:
            return opinions
        prompts = [[task.prompt] for _, task in allowed]
        counted: _Counted | None = None
        if spec.cls.batches():
            answers = asker.replies(spec.cls, spec.shared, prompts, self.chatter.seed)
        else:
            answer, counted = _answer(asker, spec, self.chatter.seed, prompts[0])
            answers = [answer]
        for (number, task), answer in zip(allowed, answers, strict=True):
            opinions[task.key] = self._opinion(number, task, answer, counted)
        return opinions

    def _opinion(self, number: int, task: _Task, answer: Answer, counted: "_Counted | None") -> Opinion:
        self.chatter.came(answer)
        if answer.error is not None:
            took, estimated = counted.believed(about(task.prompt, "")) if counted else (Tokens(), False)
            self.ledger.end(self.account, number, took, self.price, failed=1, estimated=estimated)
            return Opinion(error=f"{self.name} cannot judge: {answer.error}")
        opinion = read_opinion(answer.text, self.rubric.verdicts, unfenced(task.prompt).values())
        estimate = about(task.prompt, answer.text)
        took, estimated = counted.believed(estimate) if counted else (estimate, True)
        more = {"asked": 1, "unread": int(bool(opinion.error)), "retried": int("asked " in (answer.note or ""))}
        self.ledger.end(self.account, number, took, self.price, **more, estimated=estimated)
        return opinion


@dataclass(frozen=True, slots=True)
class _Counted:
    """The tokens that a chatter counted for one answer."""

    tokens: Tokens
    estimated: bool

    def believed(self, estimate: Tokens) -> tuple[Tokens, bool]:
        """Return the tokens, and whether any of them are estimated."""
        took, corrected = check_tokens(self.tokens, estimate)
        return took, corrected or self.estimated


def _answer(asker: Asker, spec: ChatterSpec, seed: str, texts: list[str]) -> tuple[Answer, _Counted | None]:
    """Ask in a session for this text alone; return the answer and its tokens.

    Whatever the chatter raises becomes the answer's error.
    """
    try:
        chatter = spec.make()
        try:
            asker.start(chatter, "judging", seed, ProbePlan(2), "judge")
            answer, tokens = asker.reply(chatter, texts), asker.tokens
            return answer, _Counted(Tokens(*tokens), asker.estimated) if tokens else None
        finally:
            with suppress(Exception):
                asker.tell(chatter, "close")
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a chatter may raise anything, and the other texts are judged all the same
        return Answer(error=describe(error)), None
