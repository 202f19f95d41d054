from __future__ import annotations

from pydantic import BaseModel

from api.platform.http.pages.language import PageText
from serve.core.capability import Capability, FetchState, TaskState
from serve.core.messages import EngineInfo, WordTimes
from serve.tasks.engine_labels import engine_label
from serve.tasks.registry import deployment_of


class FetchOut(BaseModel):
    """A model download. `bytes_total` is 0 while unknown."""

    model: str
    state: FetchState
    bytes_done: int
    bytes_total: int
    sentence: PageText


class PairOut(BaseModel):
    """A direction of translation; `via` is the language it goes through, or null."""

    source: str
    target: str
    via: str | None


class LanguageEngineOut(BaseModel):
    """An engine that takes some languages in place of the main one. The fields are as in `ModelOut`."""

    engine: str
    label: PageText
    languages: list[str]
    note: PageText | None
    licence: str | None
    detects_language: bool
    word_times: WordTimes
    takes_vocabulary: bool
    punctuates: bool
    takes_temperature: bool


class ModelOut(BaseModel):
    """What the installation can do for one task.

    `title` is the task in words. `sentence` says why it is `missing` or `failed` and what to do. `engine` is an id,
    `label` the engine and model in words, `note` what people should know about its results. `languages` has codes
    without regions. `by_language` are the engines that take some of them
    in place of this one. `pairs` is null where any two of the languages go.
    """

    task: str
    title: PageText
    state: TaskState
    sentence: PageText | None
    engine: str | None
    label: PageText | None
    note: PageText | None
    licence: str | None
    languages: list[str]
    pairs: list[PairOut] | None
    text_types: list[str]
    only_selects: bool
    detects_language: bool
    word_times: WordTimes
    takes_vocabulary: bool
    punctuates: bool
    takes_temperature: bool
    token_limit: int | None
    window_ms: int | None
    by_language: list[LanguageEngineOut]
    fetch: FetchOut | None


_UNKNOWN = EngineInfo("", "", "", "", "")


def describe(capability: Capability) -> ModelOut:
    loaded, fetch = capability.loaded or _UNKNOWN, capability.fetch
    return ModelOut(
        task=capability.task,
        title=deployment_of(capability.task).title,
        state=capability.state,
        sentence=capability.sentence or loaded.problem or None,
        engine=loaded.engine or None,
        label=engine_label(loaded.engine, loaded.model) or None,
        note=loaded.note or None,
        licence=loaded.licence or None,
        languages=sorted(loaded.languages),
        pairs=_pairs(loaded),
        text_types=sorted(loaded.text_types),
        only_selects=loaded.only_selects,
        detects_language=loaded.detects_language,
        word_times=loaded.word_times,
        takes_vocabulary=loaded.takes_vocabulary,
        punctuates=loaded.punctuates,
        takes_temperature=loaded.takes_temperature,
        token_limit=loaded.token_limit,
        window_ms=loaded.window_ms,
        by_language=[_language_engine(engine) for engine in loaded.by_language],
        fetch=FetchOut(
            model=fetch.model,
            state=fetch.state,
            bytes_done=fetch.bytes_done,
            bytes_total=fetch.bytes_total,
            sentence=fetch.sentence,
        )
        if fetch
        else None,
    )


def _language_engine(engine: EngineInfo) -> LanguageEngineOut:
    return LanguageEngineOut(
        engine=engine.engine,
        label=engine_label(engine.engine, engine.model),
        languages=sorted(engine.languages),
        note=engine.note or None,
        licence=engine.licence or None,
        detects_language=engine.detects_language,
        word_times=engine.word_times,
        takes_vocabulary=engine.takes_vocabulary,
        punctuates=engine.punctuates,
        takes_temperature=engine.takes_temperature,
    )


def _pairs(loaded: EngineInfo) -> list[PairOut] | None:
    if loaded.pairs is None:
        return None
    return [PairOut(source=pair.source, target=pair.target, via=pair.via or None) for pair in sorted(loaded.pairs)]
