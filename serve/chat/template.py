"""A model's own chat template and tokenizer, as its folder holds them, without transformers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cluster.wording.message import Wording
from serve.chat.messages import ChatMessage, conversation

TOKENIZER = "tokenizer.json"
CONFIG = "tokenizer_config.json"
TEMPLATE = "chat_template.jinja"
_GENERATION = "generation_config.json"

LONGEST_CONTEXT = 10**6
"""Tokenizers without a limit state a number far above this one."""


NO_TOKENIZER = Wording("chat.no_tokenizer", "{folder} has no {file}")
NO_TEMPLATE = Wording("chat.no_template", "{folder} has no chat template, so it holds no chat model")
REFUSED = Wording("chat.template_refuses", "the model's chat template refuses the conversation: {failure}")


class NoChatTemplate(ValueError):
    """The folder holds no chat model; the message is a clause that says what is missing."""


class ChatTemplate:
    """Renders conversations into the model's prompt tokens. Its methods may be called from several threads."""

    def __init__(self, folder: Path) -> None:
        from jinja2.sandbox import ImmutableSandboxedEnvironment
        from tokenizers import Tokenizer

        if not (folder / TOKENIZER).is_file():
            raise NoChatTemplate(NO_TOKENIZER(folder=str(folder), file=TOKENIZER))
        config = _json(folder / CONFIG)
        source = _template(folder, config)
        if source is None:
            raise NoChatTemplate(NO_TEMPLATE(folder=str(folder)))
        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        self._names = {name: _content(config.get(name)) for name in ("bos_token", "eos_token")}
        # A template is a program that came with the model, so it runs in a sandbox, as transformers runs it.
        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
        )
        environment.globals["raise_exception"] = _refuse  # pyrefly: ignore[unsupported-operation]
        environment.filters["tojson"] = _to_json
        self._template = environment.from_string(source)
        self._takes_system = self._renders_system()
        self.end_tokens = self._end_tokens(_json(folder / _GENERATION))
        limit = config.get("model_max_length")
        self.context_tokens: int | None = int(limit) if limit is not None and limit < LONGEST_CONTEXT else None

    def tokens(self, messages: Sequence[ChatMessage]) -> list[str]:
        """The tokens of the conversation, up to where the answer begins."""
        prompt = self._render(messages if self._takes_system else without_system(messages))
        tokens: list[str] = self._tokenizer.encode(prompt, add_special_tokens=False).tokens
        return tokens

    def text(self, ids: Sequence[int]) -> str:
        decoded: str = self._tokenizer.decode(list(ids), skip_special_tokens=True)
        return decoded

    def _render(self, messages: Sequence[ChatMessage]) -> str:
        # Models that think aloud first are told not to: their thoughts would use up the answer's tokens.
        return self._template.render(
            messages=[{"role": str(message.role), "content": message.content} for message in messages],
            add_generation_prompt=True,
            enable_thinking=False,
            **self._names,
        )

    def _renders_system(self) -> bool:
        try:
            self._render(conversation("System.", "User."))
        except NoChatTemplate:
            return False
        return True

    def _end_tokens(self, generation: dict[str, Any]) -> list[str]:
        named = generation.get("eos_token_id")
        ids = named if isinstance(named, list) else [named]
        found = [self._tokenizer.id_to_token(each) for each in ids if isinstance(each, int)]
        return [token for token in found if token] or [each for each in (self._names["eos_token"],) if each]


def without_system(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """The conversation for models such as Gemma 2 that know no system message: it begins the first message instead."""
    system, first, *rest = messages
    return [replace(first, content=f"{system.content}\n\n{first.content}"), *rest]


def _template(folder: Path, config: dict[str, Any]) -> str | None:
    if (path := folder / TEMPLATE).is_file():
        return path.read_text("utf-8")
    template = config.get("chat_template")
    if isinstance(template, list):
        return next((str(each["template"]) for each in template if each.get("name") == "default"), None)
    return template if isinstance(template, str) else None


def _json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    content = json.loads(path.read_text("utf-8"))
    return content if isinstance(content, dict) else {}


def _content(token: Any) -> str:
    """A special token: a string, or an object with its content."""
    return str(token.get("content", "")) if isinstance(token, dict) else str(token or "")


def _refuse(message: str) -> None:
    raise NoChatTemplate(REFUSED(failure=message))


def _to_json(value: Any, **options: Any) -> str:
    return json.dumps(value, ensure_ascii=False, **options)
