"""Loads the text engine of a choice; the offline engine replaces a model that cannot be loaded."""

from __future__ import annotations

from dataclasses import replace

import structlog

from cluster.resources import cores
from serve.chat.choice import load_chat
from serve.tasks.text.chat_text import ChatTextEngine
from serve.tasks.text.choice import NOT_LOADED, TextChoice, chat_info, extractive_info
from serve.tasks.text.engine import TextEngine
from serve.tasks.text.extractive import ExtractiveEngine
from serve.tasks.text.profile import TextProfile

log = structlog.get_logger(__name__)


def load_text(profile: TextProfile, choice: TextChoice) -> TextEngine:
    """Raises the error of loading when the profile allows only that engine."""
    engine = _load(profile, choice)
    info = engine.info
    log.info("engine.loaded", engine=info.engine, model=info.model, device=info.device, reason=info.reason)
    return engine


def _load(profile: TextProfile, choice: TextChoice) -> TextEngine:
    if choice.chat is None:
        return ExtractiveEngine(choice.info)
    try:
        # One batch at a time on all cores: two beside each other would share them and both wait longer.
        chat = load_chat(
            choice.chat,
            device=profile.device,
            compute_type=profile.compute_type,
            parallel=profile.workers or 1,
            threads=(profile.threads or cores()) if profile.device == "cpu" else 0,
            context_tokens=profile.context_tokens,
        )
    except Exception as failure:
        if profile.engine != "auto":
            raise
        log.error("engine.not_loaded", model=choice.chat.name, error=str(failure))
        reason = NOT_LOADED(name=choice.chat.name, failure=str(failure))
        return ExtractiveEngine(extractive_info(reason))
    info = replace(chat_info(profile, choice.chat), token_limit=chat.context_tokens)
    return ChatTextEngine(chat, info)
