"""Any chat endpoint that speaks OpenAI's protocol."""

from typing import Any
from zlib import crc32

from pydantic import Field

from chattest import Chatter
from chattest.chatter.calls import count_tokens_used
from chattest.chatter.chat_format import chat_messages, read_usage
from chattest.chatter.http import Headers, LostAnswerError, RefusedError, Service, ServiceOptions, Url
from chattest.chatter.json_template import fill
from chattest.chatter.starting import new_session
from chattest.records.plan import ProbePlan

SCHEMA_REFUSED = (400, 404, 415, 422, 501)
"""Statuses of endpoints that do not know `response_format`, or not this one."""


class OpenAIOptions(ServiceOptions):
    """Settings of an OpenAI-compatible endpoint."""

    base_url: Url = Field("http://localhost:8000/v1", description="the part of the URL before /chat/completions")
    model: str = Field(min_length=1, description="the model's name at the endpoint")
    key_env: str | None = Field(
        None, description='name of the environment variable with the key, such as "OPENAI_API_KEY"'
    )
    system: str = Field("", description="the system prompt")
    temperature: float | None = Field(None, ge=0, le=2, description="randomness of the reply")
    top_p: float | None = Field(None, gt=0, le=1, description="share of likely words to sample from")
    max_tokens: int | None = Field(None, ge=1, description="longest reply, in tokens")
    send_seed: bool = Field(False, description="send the conversation's seed, for endpoints that accept one")
    json_schema: dict[str, Any] | None = Field(
        None, description="JSON schema that the reply must keep to; left out where the endpoint refuses it"
    )
    extra: dict[str, Any] = Field(
        {},
        description='further fields of the request, such as {"user": "{user}"}; {user} is who is talking, {session} a '
        "name for the conversation; write keys as ${NAME}, not out",
    )
    headers: Headers = Field(
        {}, description="further headers, with {user} and {session} filled in; write keys as ${NAME}, not out"
    )
    opener: str = Field(
        "Please begin the conversation.", description="the user's message when this bot opens the conversation"
    )


class OpenAI(Chatter):
    """Any OpenAI-compatible chat endpoint: vLLM, Ollama, llama.cpp, transformers serve, the hosted ones."""

    Options = OpenAIOptions
    remembers = False
    bot_options = frozenset({"system", "temperature", "top_p", "max_tokens", "json_schema", "opener"})

    @classmethod
    def as_judge(cls, options: OpenAIOptions, schema: dict[str, Any]) -> OpenAIOptions:
        """Set temperature 0 and the schema, unless the options set others."""
        fixed: dict[str, Any] = {} if "temperature" in options.model_fields_set else {"temperature": 0.0}
        if schema and "response_format" not in options.extra:
            fixed["json_schema"] = schema
        return options.model_copy(update=fixed)

    @classmethod
    def load(cls, options: OpenAIOptions) -> Service:
        """Return the connections, which all conversations share."""
        return Service(options)

    def start(self, conversation_id: str, seed: str, plan: ProbePlan, user_id: str = "") -> None:
        """Keep the user, and the seed as an integer, which endpoints expect."""
        self._seed = crc32(f"{seed}/openai".encode())
        self._values = {"session": new_session(conversation_id), "user": user_id}

    def get_response(self, conv_array: list[str]) -> str:
        """Return the first choice's text; a refusal is a reply too."""
        options = self.options
        sampling = {"temperature": options.temperature, "top_p": options.top_p, "max_tokens": options.max_tokens}
        messages = chat_messages(conv_array, options.system, options.opener)
        body = {"model": options.model, "messages": messages, "stream": False}
        body |= {name: value for name, value in sampling.items() if value is not None}
        body |= {"seed": self._seed} if options.send_seed else {}
        given = options.headers.items()
        headers = {name: str(fill(text, self._values, self.shared.expand)) for name, text in given}
        headers |= {"Authorization": f"Bearer {self.shared.secret(options.key_env)}"} if options.key_env else {}
        url = f"{options.base_url.rstrip('/')}/chat/completions"
        sent = "\n".join(message["content"] for message in messages)
        try:
            answer = self._answer(url, body | fill(options.extra, self._values, self.shared.expand), headers)
        except LostAnswerError:
            self._count(None, sent, "")
            raise
        try:
            message = answer["choices"][0]["message"]
            reply = str(message.get("content") or message.get("refusal") or "")
        except (LookupError, TypeError, AttributeError) as error:
            self._count(answer, sent, "")
            raise self.shared.unusable(f"{url} answered without a choice", answer) from error
        self._count(answer, sent, reply)
        return reply

    @staticmethod
    def _count(answer: object, sent: str, reply: str) -> None:
        usage = read_usage(answer, sent, reply)
        count_tokens_used(usage.sent, usage.written, usage.estimated)

    def _answer(self, url: str, body: dict[str, Any], headers: dict[str, str]) -> Any:
        """Return the endpoint's answer; if it refuses the schema, ask without it, and from then on always."""
        schema = self.options.json_schema
        if schema is None or self.shared.refuses_schema:
            return self.shared.call("POST", url, body, headers)
        named = {"name": "answer", "strict": True, "schema": schema}
        try:
            form = {"response_format": {"type": "json_schema", "json_schema": named}}
            return self.shared.call("POST", url, body | form, headers)
        except RefusedError as error:
            if error.status not in SCHEMA_REFUSED:
                raise
        answer = self.shared.call("POST", url, body, headers)
        self.shared.refuses_schema = True
        return answer
