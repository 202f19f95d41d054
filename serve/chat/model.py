"""What engines require of a chat model, wherever it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from cluster.wording.message import Wording
from serve.chat.messages import ChatAnswer, ChatRequest
from serve.core.messages import EngineProblem, EngineRefused

ChatOutcome: TypeAlias = ChatAnswer | EngineRefused
"""The outcome of one request of a batch; a refusal does not affect its neighbours."""


class ChatModel(Protocol):
    """A loaded chat model or an endpoint. Every method may be called from several threads, up to `parallel`."""

    device: str
    """`cpu`, `cuda` or `remote`."""
    context_tokens: int
    """Prompt and answer together."""
    parallel: int
    gains_from_batches: bool
    has_deadline: bool
    """Whether every call ends by itself in time, so that nobody needs to watch for calls that hang."""

    @property
    def name(self) -> str:
        """The model's name for people."""
        ...

    def count_tokens(self, request: ChatRequest) -> int:
        """Tokens of the prompt; an upper estimate where the model's tokenizer is elsewhere."""
        ...

    def complete(self, requests: Sequence[ChatRequest]) -> list[ChatOutcome]:
        """The answers, in order. A request that does not fit into the context is refused with TOO_LONG."""
        ...

    def rest(self) -> None:
        """Called every few seconds: free what has not been used for long."""
        ...

    def close(self) -> None:
        """Free memory and connections. No call may follow."""
        ...


TOO_LONG = Wording(
    "chat.too_long",
    "A passage of {needed:,} tokens is longer than the {tokens:,} tokens the model reads at once.",
)


def too_long(prompt_tokens: int, request: ChatRequest, context_tokens: int) -> EngineRefused | None:
    """The refusal of a request that does not fit into the context; None when it fits."""
    needed = prompt_tokens + request.max_tokens
    if needed <= context_tokens:
        return None
    return EngineRefused(
        EngineProblem.TOO_LONG,
        TOO_LONG(needed=needed, tokens=context_tokens),
    )
