"""Which engines may transcribe a file again, beside the one that the installation chose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.reruns.schemas import RerunEngine
from api.content.files.language import LanguageUnsupported
from api.platform.capabilities.queries import capability_of
from api.platform.http.errors import Invalid
from cluster.wording.message import Wording
from pipelines.language_choice import refusal, unavailable_reason
from pipelines.languages import AUTO, whisper_code
from serve.core.capability import engine_for, engine_named
from serve.core.messages import EngineInfo
from serve.tasks.engine_labels import engine_label

NO_ENGINE = Wording("reruns.no_engine", "There is no speech model “{name}” here. Choose one of the list.")


async def require_engine(session: AsyncSession, name: str, language: str) -> None:
    """Raise `Invalid` where there is no engine of this name, or `LanguageUnsupported` where it cannot."""
    loaded = (await capability_of(session)).loaded
    engine = None if loaded is None else engine_named(loaded, name)
    if engine is None:
        raise Invalid.field("engine", NO_ENGINE(name=name))
    if unavailable_reason(engine, language) is not None:
        raise LanguageUnsupported.field("engine", refusal(engine, language))


async def described_engines(
    session: AsyncSession, language: str | None, request: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The fields of `RerunOut` about engines; `request` is that of the last time."""
    loaded = (await capability_of(session)).loaded
    if loaded is None or language is None:
        return {"usual": None, "engines": [], "engine": None}
    usual = _label(engine_for(loaded, None if language == AUTO else whisper_code(language)))
    able = [each for each in loaded.others if unavailable_reason(each, language) is None]
    named = str((request or {}).get("engine") or "")
    last = engine_named(loaded, named) if named else None
    return {
        "usual": usual,
        "engines": [
            RerunEngine(name=each.name, label=_label(each), note=each.note or None)
            for each in able
            if _label(each) != usual
        ],
        "engine": None if not named else _label(last) if last is not None else named,
    }


def _label(engine: EngineInfo) -> str:
    return engine_label(engine.engine, engine.model)
