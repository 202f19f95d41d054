"""Finds a chat model: an endpoint that a setting names, else a folder in the models folder. Nothing is loaded here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from cluster.wording.message import Message
from serve.chat.ct2_chat import DEFAULT_CONTEXT, CTranslate2Chat
from serve.chat.model import ChatModel
from serve.chat.openai_chat import OpenAIChat
from serve.chat.settings import Endpoint
from serve.chat.template import CONFIG, TEMPLATE, TOKENIZER
from serve.chat.transformers_chat import TransformersChat
from serve.core.models.model_files import MODEL_FILE

ChatKind = Literal["openai", "ct2_llm", "transformers"]

_WEIGHTS = "*.safetensors"
URL_IS_SET = Message("chat.url_is_set", "SAGASCRIPT_CHAT_URL is set")
IN_FOLDER = Message("chat.in_folder", "its folder is in the models folder")
FIRST_MODEL = Message("chat.first_model", "the endpoint's first model")


@dataclass(frozen=True, slots=True)
class ChatChoice:
    """A chat model to load. `reason` is a clause such as "its folder is in the models folder"."""

    kind: ChatKind
    name: str
    reason: str
    folder: Path | None = None
    endpoint: Endpoint | None = None


def choose_chat(
    kinds: Sequence[ChatKind], names: Sequence[str], endpoint: Endpoint | None, models_root: Path
) -> ChatChoice | None:
    """The best chat model of these kinds: the endpoint, else the folders `names`, else any other folder."""
    if "openai" in kinds and endpoint is not None:
        return ChatChoice("openai", endpoint.model or FIRST_MODEL, URL_IS_SET, endpoint=endpoint)
    for folder in _folders(names, models_root):
        kind = _kind(folder)
        if kind is not None and kind in kinds:
            return ChatChoice(kind, folder.name, IN_FOLDER, folder)
    return None


def load_chat(
    choice: ChatChoice,
    *,
    device: str = "cpu",
    compute_type: str = "int8",
    parallel: int = 1,
    threads: int = 0,
    context_tokens: int = DEFAULT_CONTEXT,
) -> ChatModel:
    """Load the model. Raises its library's error when it cannot be loaded."""
    if choice.endpoint is not None:
        return OpenAIChat(choice.endpoint)
    assert choice.folder is not None
    if choice.kind == "transformers":
        return TransformersChat(choice.folder, name=choice.name, device=device, context_tokens=context_tokens)
    return CTranslate2Chat(
        choice.folder,
        name=choice.name,
        device=device,
        compute_type=compute_type,
        parallel=parallel,
        threads=threads,
        context_tokens=context_tokens,
    )


def _folders(names: Sequence[str], models_root: Path) -> list[Path]:
    """Named folders in the order of their names, then the others."""
    named = [folder for name in names if (folder := models_root / name).is_dir()]
    if not models_root.is_dir():
        return named
    others = sorted(folder for folder in models_root.iterdir() if folder.is_dir() and folder not in named)
    return [*named, *others]


def _kind(folder: Path) -> ChatKind | None:
    """Which engine reads the chat model in a folder; None when it holds none."""
    if not (folder / TOKENIZER).is_file() or not _has_template(folder):
        return None
    if (folder / MODEL_FILE).is_file():
        return "ct2_llm"
    # Without torch the folder is of no use here.
    if any(folder.glob(_WEIGHTS)) and find_spec("torch") is not None and find_spec("transformers") is not None:
        return "transformers"
    return None


def _has_template(folder: Path) -> bool:
    if (folder / TEMPLATE).is_file():
        return True
    config = folder / CONFIG
    if not config.is_file():
        return False
    status = config.stat()
    return _names_template(config, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=64)
def _names_template(config: Path, size_bytes: int, changed_ns: int) -> bool:
    try:
        return "chat_template" in json.loads(config.read_text("utf-8"))
    except (OSError, ValueError):
        return False
