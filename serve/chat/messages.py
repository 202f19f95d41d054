"""What a chat model receives and returns. These values stay inside one process."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel


class Role(StrEnum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A conversation that the model continues, greedily, by at most `max_tokens`.

    With `record` the answer is a list of such records. The model adds the sentence that asks for their form, because
    endpoints with a schema and models without one need different ones; `serve.chat.records` reads both.
    """

    messages: tuple[ChatMessage, ...]
    max_tokens: int
    record: type[BaseModel] | None = None


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """`is_complete` is False when the answer reached `max_tokens`. `tokens` counts those of the answer."""

    text: str
    is_complete: bool = True
    tokens: int = 0


def conversation(system: str, user: str) -> tuple[ChatMessage, ...]:
    """The messages of a first request."""
    return ChatMessage(Role.SYSTEM, system), ChatMessage(Role.USER, user)
