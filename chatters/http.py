"""Any bot behind a JSON web service."""

from typing import Any
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field

from chattest import Chatter, Reply
from chattest.chatter.chat_format import chat_messages
from chattest.chatter.http import Headers, Service, ServiceOptions, Url
from chattest.chatter.json_template import JsonPath, fill, found_at
from chattest.chatter.starting import new_session
from chattest.records.plan import ProbePlan


class HttpCall(BaseModel):
    """A request.

    URL, header values and body may contain {last}, {history}, {messages}, {session}, {user} and the values that `take`
    of the start call stored; ${NAME} is an environment variable, for keys.
    """

    model_config = ConfigDict(extra="forbid")

    url: Url = Field(description="where to send it")
    method: str = Field("POST", description="GET, POST, PUT or DELETE", pattern="^(GET|POST|PUT|PATCH|DELETE)$")
    headers: Headers = Field({}, description="headers to send; write keys as ${NAME}, not out")
    body: Any = Field(None, description="what to send as JSON; write keys as ${NAME}, not out")
    take: dict[str, JsonPath] = Field(
        {}, description="values of the response to use in later requests: name -> JSONPath"
    )


class HttpOptions(ServiceOptions, HttpCall):
    """Settings of a bot behind a JSON web service."""

    body: Any = Field(
        {"text": "{last}"},
        description="what to send as JSON; {last} is the last text, {history} the list of all, {messages} the same "
        "with roles, {session} a name for the conversation (also {conversation_id}), {user} one for who is talking",
    )
    reply: JsonPath = Field("$.text", description="JSONPath of the reply, or of several messages, in the response")
    intent: JsonPath | None = Field(None, description="JSONPath of the intent, if the service reports it")
    confidence: JsonPath | None = Field(None, description="JSONPath of the confidence, if the service reports it")
    start: HttpCall | None = Field(
        None, description="a request to send before the first turn: {url, method, headers, body, take}"
    )
    reset: HttpCall | None = Field(
        None, description="a request to send after the last turn: {url, method, headers, body}"
    )
    opener: str = Field("Hello", description="what is sent as {last} when this bot opens the conversation")


class Http(Chatter):
    """Any bot behind a JSON web service: URL, body template, JSONPath of the reply."""

    Options = HttpOptions
    _started = False

    @classmethod
    def load(cls, options: HttpOptions) -> Service:
        """Return the connections, which all conversations share."""
        return Service(options)

    def start(self, conversation_id: str, seed: str, plan: ProbePlan, user_id: str = "") -> None:
        """Send the start request. The session is new each time, because the service may remember earlier runs."""
        session = new_session(conversation_id)
        self._values: dict[str, Any] = {"conversation_id": session, "session": session, "user": user_id}
        if self.options.start is not None:
            self._send(self.options.start, [])
        self._started = True

    def get_response(self, conv_array: list[str]) -> Reply:
        """Return the texts at the path of the reply."""
        answer = self._send(self.options, conv_array)
        texts = found_at(self.options.reply, answer)
        if not texts or not all(isinstance(text, str) for text in texts):
            raise self.shared.unusable(f"no text at {self.options.reply} in the answer", answer)
        intent, confidence = (
            next(iter(found_at(path, answer)), None) if path else None
            for path in (self.options.intent, self.options.confidence)
        )
        return Reply(
            tuple(texts),
            intent if isinstance(intent, str) else None,
            float(confidence) if isinstance(confidence, int | float) else None,
        )

    def close(self) -> None:
        """Send the reset request if the conversation was started."""
        if self.options.reset is not None and self._started:
            self._send(self.options.reset, [])

    def _send(self, call: HttpCall, history: list[str]) -> Any:
        last = history[-1] if history else self.options.opener
        values = self._values | {"last": last, "history": history, "messages": chat_messages(history)}
        url = fill(call.url, {name: quote(str(value), safe="") for name, value in values.items()})
        headers = {name: str(fill(text, values, self.shared.expand)) for name, text in call.headers.items()}
        body = fill(call.body, values, self.shared.expand)
        answer = self.shared.call(call.method, url, body, headers)
        for name, path in call.take.items():
            values_at = found_at(path, answer)
            if not values_at:
                raise self.shared.unusable(f"nothing at {path} in the answer", answer)
            self._values[name] = values_at[0]
        return answer
