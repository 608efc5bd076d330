"""A published benchmark of memory: dialogues in sessions, and questions about them."""

from dataclasses import dataclass, field

from chattest.records.question import Question

ACKNOWLEDGED = "Noted."
"""What stands for the bot's replies where it is given the sessions as if they had been held with it."""


@dataclass(frozen=True, slots=True)
class Line:
    """One utterance of a session."""

    text: str
    """What the bot is told, with the speaker's name where there is one."""
    by_user: bool
    """Whether the user says it; the line of anybody else is told with the user's next one."""


@dataclass(frozen=True, slots=True)
class Session:
    """Lines that were said in one go."""

    date: str
    """When, as the file has it; empty if it does not say."""
    lines: tuple[Line, ...]
    """In order, at least one."""

    @property
    def messages(self) -> list[str]:
        """What the user says, one message for each of the user's lines.

        A message begins with what the others said since the last one, and the first one with the date.
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
    """Names it within its file."""
    text: str
    category: str
    """What it tests, such as `single-hop`."""
    answer: str | bool | None
    """The right answer; `None` if the sessions do not tell, so that only abstaining is right."""
    asked_on: str = ""
    """The day on which it is asked; empty if the file does not say."""
    rubric: bool = False
    """Whether `answer` says what a good reply does, instead of being one."""

    @property
    def asked(self) -> str:
        """What the bot is asked."""
        return f"(Today is {self.asked_on}.) {self.text}" if self.asked_on else self.text


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Sessions with one user, and the questions about them."""

    id: str
    """Names the dialogue, and the user: letters, digits, and `._-`."""
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
        said = [message for session in self.sessions for message in session.messages]
        return [text for message in said for text in (message, ACKNOWLEDGED)]


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
        """How many questions there are."""
        return sum(len(dialogue.questions) for dialogue in self.dialogues)


def code_of(benchmark: str, category: str) -> str:
    """The code under which reports and gates know a category, such as `locomo.single-hop`."""
    return f"{benchmark}.{category}"


def key_of(dialogue: Dialogue, question: BenchmarkQuestion) -> Question:
    """Under what the answer to a question is kept: the dialogue stands for all that the bot was told."""
    return Question(question.asked, f"the sessions of {dialogue.id}")
