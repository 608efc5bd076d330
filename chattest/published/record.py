"""A published benchmark of memory: dialogues in sessions, and questions about them."""

from dataclasses import dataclass, field

from chattest.records.question import Question

ACKNOWLEDGED = "Noted."
"""Replaces the bot's replies if it gets the sessions as a conversation that it never held."""


@dataclass(frozen=True, slots=True)
class Line:
    """One utterance of a session."""

    text: str
    """What the bot gets to read, with the speaker's name if there is one."""
    by_user: bool
    """Whether the user speaks; any other line is sent together with the user's next one."""


@dataclass(frozen=True, slots=True)
class Session:
    """Lines of one session."""

    date: str
    """The date as the file has it; empty if it has none."""
    lines: tuple[Line, ...]
    """In order, at least one."""

    @property
    def messages(self) -> list[str]:
        """The user's messages, one for each of the user's lines.

        A message begins with the others' lines since the last one, and the first message with the date.
        """
        messages: list[str] = []
        waiting = [f"[{self.date}]"] if self.date else []
        for line in self.lines:
            waiting.append(line.text)
            if line.by_user:
                messages.append("\n".join(waiting))
                waiting = []
        return [*messages, "\n".join(waiting)] if waiting else messages


@dataclass(frozen=True, slots=True)
class BenchmarkQuestion:
    """A question about the sessions of a dialogue."""

    id: str
    """Its name within the file."""
    text: str
    category: str
    """What it tests, such as `single-hop`."""
    answer: str | bool | None
    """The right answer; `None` if the sessions do not hold it, so that only abstaining is right."""
    asked_on: str = ""
    """The day on which it is asked; empty if the file has none."""
    rubric: bool = False
    """Whether `answer` describes a good reply, instead of being one."""

    @property
    def asked(self) -> str:
        """The question as the bot gets it."""
        return f"(Today is {self.asked_on}.) {self.text}" if self.asked_on else self.text


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Sessions with one user, and the questions about them."""

    id: str
    """Its name, and the user's: letters, digits, and `._-`."""
    sessions: tuple[Session, ...]
    """Oldest first."""
    questions: tuple[BenchmarkQuestion, ...]

    @property
    def transcript(self) -> str:
        """All sessions in one text."""
        return "\n\n".join("\n".join(session.messages) for session in self.sessions)

    @property
    def history(self) -> list[str]:
        """All sessions as the texts of one conversation, oldest first; `ACKNOWLEDGED` after each of the user's."""
        messages = [message for session in self.sessions for message in session.messages]
        return [text for message in messages for text in (message, ACKNOWLEDGED)]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark that was read from its published file."""

    name: str
    """`locomo`, `longmemeval`."""
    digest: str
    """SHA-256 of the file."""
    dialogues: tuple[Dialogue, ...]
    categories: dict[str, str] = field(default_factory=dict)
    """Category -> what it tests, in a few words, in the order in which reports show them."""

    @property
    def questions(self) -> int:
        """Number of questions."""
        return sum(len(dialogue.questions) for dialogue in self.dialogues)


def make_code(benchmark: str, category: str) -> str:
    """Return the code of a category in reports and gates, such as `locomo.single-hop`."""
    return f"{benchmark}.{category}"


def make_key(dialogue: Dialogue, question: BenchmarkQuestion) -> Question:
    """Return the key of the answer to a question: the name of the dialogue replaces the text of its sessions."""
    return Question(question.asked, f"the sessions of {dialogue.id}")
