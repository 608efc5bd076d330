"""Any chat endpoint that speaks OpenAI's protocol."""

from typing import Any
from zlib import crc32

from pydantic import Field

from chattest import Chatter
from chattest.chatter.http import Service, ServiceOptions, Url
from chattest.chatter.json_template import filled
from chattest.chatter.messages import chat_messages
from chattest.records.plan import ProbePlan


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
    extra: dict[str, Any] = Field({}, description="further fields of the request; write keys as ${NAME}, not out")
    opener: str = Field(
        "Please begin the conversation.", description="the user's message when this bot opens the conversation"
    )


class OpenAI(Chatter):
    """Any OpenAI-compatible chat endpoint: vLLM, Ollama, llama.cpp, transformers serve, the hosted ones."""

    Options = OpenAIOptions
    remembers = False

    @classmethod
    def load(cls, options: OpenAIOptions) -> Service:
        """The connections, shared by all conversations."""
        return Service(options)

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Stores the seed as an integer, which endpoints expect."""
        self._seed = crc32(f"{seed}/openai".encode())

    def get_response(self, conv_array: list[str]) -> str:
        """The first choice's text; a refusal is a reply too."""
        options = self.options
        sampling = {"temperature": options.temperature, "top_p": options.top_p, "max_tokens": options.max_tokens}
        messages = chat_messages(conv_array, options.system, options.opener)
        body = {"model": options.model, "messages": messages, "stream": False}
        body |= {name: value for name, value in sampling.items() if value is not None}
        body |= {"seed": self._seed} if options.send_seed else {}
        headers = {"Authorization": f"Bearer {self.shared.secret(options.key_env)}"} if options.key_env else {}
        url = f"{options.base_url.rstrip('/')}/chat/completions"
        answer = self.shared.call("POST", url, body | filled(options.extra, {}, self.shared.expand), headers)
        try:
            message = answer["choices"][0]["message"]
            return str(message.get("content") or message.get("refusal") or "")
        except (LookupError, TypeError, AttributeError) as error:
            raise self.shared.unusable(f"{url} answered without a choice", answer) from error
