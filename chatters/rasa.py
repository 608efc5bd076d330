"""Rasa assistants, by the REST channel."""

import uuid
from typing import Any

from pydantic import Field

from chattest import Chatter, Reply
from chattest.chatter.http import Headers, Service, ServiceOptions, Url
from chattest.records.plan import ProbePlan


class RasaOptions(ServiceOptions):
    """Settings of a Rasa assistant."""

    url: Url = Field("http://localhost:5005", description="where the Rasa server listens")
    parse: bool = Field(
        False, description="also ask /model/parse for intent and confidence (needs `rasa run --enable-api`)"
    )
    headers: Headers = Field({}, description="headers to send; write keys as ${NAME}, not out")
    opener: str = Field("Hello", description="what is sent when the assistant opens the conversation")


class Rasa(Chatter):
    """A Rasa assistant, by its REST channel; with several messages per turn, and intent and confidence if enabled."""

    Options = RasaOptions

    @classmethod
    def load(cls, options: RasaOptions) -> Service:
        """The connections, shared by all conversations."""
        return Service(options)

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Chooses a new sender name, since Rasa remembers earlier conversations by sender."""
        self._sender = f"{conversation_id}-{uuid.uuid4().hex[:8]}"

    def get_response(self, conv_array: list[str]) -> Reply:
        """The assistant's messages; an empty reply if there are none."""
        text = conv_array[-1] if conv_array else self.options.opener
        messages = self._post("webhooks/rest/webhook", {"sender": self._sender, "message": text})
        if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
            raise self.shared.unusable("Rasa's REST channel answered without messages", messages)
        texts = tuple(shown for message in messages if (shown := _text(message)))
        intent, confidence = self._understood(text)
        return Reply(texts or ("",), intent, confidence)

    def _understood(self, text: str) -> tuple[str | None, float | None]:
        if not self.options.parse:
            return None, None
        parsed = self._post("model/parse", {"text": text})
        recognised = parsed.get("intent") if isinstance(parsed, dict) else None
        if not isinstance(recognised, dict):
            raise self.shared.unusable("Rasa's /model/parse answered without an intent", parsed)
        return recognised.get("name"), recognised.get("confidence")

    def _post(self, path: str, body: Any) -> Any:
        headers = {name: self.shared.expand(value) for name, value in self.options.headers.items()}
        return self.shared.call("POST", f"{self.options.url.rstrip('/')}/{path}", body, headers)


def _text(message: dict[str, Any]) -> str:
    """A message as its reader sees it: text, buttons and the URL of an image."""
    parts = [message.get("text"), *(f"[{button['title']}]" for button in message.get("buttons") or [])]
    return " ".join(str(part) for part in [*parts, message.get("image")] if part)
