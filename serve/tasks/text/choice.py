"""Which text engine to load, and why."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cluster.wording.message import Message, Wording
from serve.chat.choice import ChatChoice, ChatKind, choose_chat
from serve.chat.settings import Endpoint
from serve.core.messages import NO_ENGINE, EngineInfo
from serve.tasks.text.messages import TEXT
from serve.tasks.text.profile import TextProfile

EXTRACTIVE = "extractive"
TEXT_TYPES = frozenset({"minutes", "short", "long", "blog"})

SELECTS = Message("text.selects", "It selects sentences of the transcript and writes none of its own.")
WRITES = Message("text.writes", "A model writes the text; sentences that the cited lines do not support are marked.")
CHAT = Wording("text.chat", "Chat model “{name}”: {reason}.")
OFFLINE_CHOSEN = Message("text.offline_chosen", "The profile selects the offline engine.")
NO_CHAT = Message(
    "text.no_chat",
    "The offline engine is used because there is no chat model: SAGASCRIPT_CHAT_URL is not set and the models "
    "folder holds none.",
)
NOT_LOADED = Wording(
    "text.not_loaded", "The offline engine is used because the chat model “{name}” cannot be loaded: {failure}."
)

_WANTED: dict[str, tuple[ChatKind, ...]] = {
    "auto": ("openai", "ct2_llm", "transformers"),
    "ct2_llm": ("ct2_llm",),
    "transformers": ("transformers",),
    "openai": ("openai",),
    EXTRACTIVE: (),
}
_MISSING = {
    "ct2_llm": Message(
        "text.requires_ct2",
        "The profile requires a chat model in CTranslate2 form, and the models folder has none. "
        "`sagascript models list` shows how to get one.",
    ),
    "transformers": Message(
        "text.requires_transformers",
        "The profile requires a chat model for transformers. It needs the `gpu` extra and a folder with "
        "safetensors and a chat template in the models folder.",
    ),
    "openai": Message(
        "text.requires_endpoint", "The profile requires an OpenAI-compatible endpoint. Set SAGASCRIPT_CHAT_URL."
    ),
}


@dataclass(frozen=True, slots=True)
class TextChoice:
    """`chat` is None for the offline engine. `info` describes the engine before it is loaded."""

    chat: ChatChoice | None
    info: EngineInfo


def choose_text(profile: TextProfile, endpoint: Endpoint | None, models_root: Path) -> TextChoice:
    """The best engine that the profile allows; `NO_ENGINE` when it allows only one that is not here."""
    chat = choose_chat(_WANTED[profile.engine], profile.models, endpoint, models_root)
    if chat is not None:
        return TextChoice(chat, chat_info(profile, chat))
    if profile.engine in _MISSING:
        return TextChoice(None, EngineInfo(TEXT, NO_ENGINE, "", "", _MISSING[profile.engine]))
    if profile.engine == EXTRACTIVE:
        return TextChoice(None, extractive_info(OFFLINE_CHOSEN))
    return TextChoice(None, extractive_info(NO_CHAT))


def extractive_info(reason: str) -> EngineInfo:
    return EngineInfo(
        TEXT, EXTRACTIVE, EXTRACTIVE, "cpu", reason, text_types=TEXT_TYPES, only_selects=True, note=SELECTS
    )


def chat_info(profile: TextProfile, chat: ChatChoice) -> EngineInfo:
    is_remote = chat.endpoint is not None
    return EngineInfo(
        TEXT,
        chat.kind,
        chat.name,
        "remote" if is_remote else profile.device,
        CHAT(name=chat.name, reason=chat.reason),
        text_types=TEXT_TYPES,
        token_limit=chat.endpoint.context_tokens if chat.endpoint is not None else profile.context_tokens,
        is_batched=not is_remote,
        note=WRITES,
    )
