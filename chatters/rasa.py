"""Rasa assistants, by the REST channel."""

from typing import Any

from pydantic import Field

from chattest import Chatter, Reply
from chattest.chatter.http import Headers, Service, ServiceOptions, Url
from chattest.chatter.json_template import fill
from chattest.chatter.starting import new_session
from chattest.records.plan import ProbePlan


class RasaOptions(ServiceOptions):
    """Settings of a Rasa assistant."""

    url: Url = Field("http://localhost:5005", description="where the Rasa server listens")
    parse: bool = Field(
        False, description="also ask /model/parse for intent and confidence (needs `rasa run --enable-api`)"
    )
    headers: Headers = Field(
        {}, description="headers to send, with {session} and {user} filled in; write keys as ${NAME}, not out"
    )
    sender: str = Field(
        "{session}",
        min_length=1,
        description="the name under which Rasa keeps the conversation: {session} is new in each conversation, {user} "
        "is the same in all sessions of a user",
    )
    metadata: dict[str, Any] = Field(
        {}, description='sent with each message where there is any, such as {"customer": "{user}"}'
    )
    opener: str = Field("Hello", description="what is sent when the assistant opens the conversation")


class Rasa(Chatter):
    """A Rasa assistant, by its REST channel; with several messages per turn, and intent and confidence if enabled."""

    Options = RasaOptions

    @classmethod
    def load(cls, options: RasaOptions) -> Service:
        """Return the connections, which all conversations share."""
        return Service(options)

    def start(self, conversation_id: str, seed: str, plan: ProbePlan, user_id: str = "") -> None:
        """Choose a new session name, because Rasa remembers earlier conversations by sender."""
        self._values = {"session": new_session(conversation_id), "user": user_id}

    def get_response(self, conv_array: list[str]) -> Reply:
        """Return the assistant's messages; an empty reply if there are none."""
        text = conv_array[-1] if conv_array else self.options.opener
        body = {"sender": fill(self.options.sender, self._values), "message": text}
        if self.options.metadata:
            body["metadata"] = fill(self.options.metadata, self._values)
        messages = self._post("webhooks/rest/webhook", body)
        if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
            raise self.shared.unusable("Rasa's REST channel answered without messages", messages)
        texts = tuple(shown for message in messages if (shown := _text(message)))
        intent, confidence = self._parse(text)
        return Reply(texts or ("",), intent, confidence)

    def _parse(self, text: str) -> tuple[str | None, float | None]:
        if not self.options.parse:
            return None, None
        parsed = self._post("model/parse", {"text": text})
        recognised = parsed.get("intent") if isinstance(parsed, dict) else None
        if not isinstance(recognised, dict):
            raise self.shared.unusable("Rasa's /model/parse answered without an intent", parsed)
        return recognised.get("name"), recognised.get("confidence")

    def _post(self, path: str, body: Any) -> Any:
        given = self.options.headers.items()
        headers = {name: str(fill(value, self._values, self.shared.expand)) for name, value in given}
        return self.shared.call("POST", f"{self.options.url.rstrip('/')}/{path}", body, headers)


def _text(message: dict[str, Any]) -> str:
    """Return a message as its reader sees it: text, buttons and the URL of an image."""
    parts = [message.get("text"), *(f"[{button['title']}]" for button in message.get("buttons") or [])]
    return " ".join(str(part) for part in [*parts, message.get("image")] if part)
