"""Loads the translation engine that a profile names, or the best one that can be loaded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import structlog

from cluster.resources import cores
from cluster.sentences import paragraph
from cluster.wording.message import Message
from serve.chat.choice import load_chat
from serve.chat.settings import ChatSettings
from serve.core.models.model_memory import ModelMemory
from serve.core.settings import ModelSettings
from serve.tasks.translation.apertium.engine import ApertiumTranslator
from serve.tasks.translation.choice import TranslationChoice, choose, info_of
from serve.tasks.translation.engine import TranslationEngine, Translator
from serve.tasks.translation.llm.engine import LlmEngine
from serve.tasks.translation.profile import TranslationProfile
from serve.tasks.translation.routed import RoutedEngine
from serve.tasks.translation.seq2seq.ct2 import Ct2Decoder
from serve.tasks.translation.seq2seq.form import Seq2SeqForm, load_pieces
from serve.tasks.translation.seq2seq.model_folder import CT2, ModelFolder
from serve.tasks.translation.seq2seq.translator import Decoder, Seq2SeqTranslator
from serve.tasks.translation.task import TRANSLATION_TASK

log = structlog.get_logger(__name__)

NO_GPU = Message("translation.no_gpu", "It runs on the CPU because this machine has no GPU that can be used.")


class TranslationMissing(RuntimeError):
    """No engine that the profile allows can run; the message says what to do."""


def load_translation(profile: TranslationProfile, settings: ModelSettings, models_root: Path) -> TranslationEngine:
    """The best engine whose models are on this machine. Raises TranslationMissing."""
    choice = choose(profile, settings, models_root, ChatSettings().endpoint)
    if choice.is_empty:
        raise TranslationMissing(info_of(profile, choice).reason)
    engine = load_chosen(profile, settings, choice)
    info = engine.info
    log.info("engine.loaded", engine=info.engine, model=info.model, device=info.device, reason=info.reason)
    return engine


def load_chosen(
    profile: TranslationProfile, settings: ModelSettings, choice: TranslationChoice
) -> LlmEngine | RoutedEngine:
    """The engine of a choice, on the profile's device, else on the CPU."""
    if profile.device == "cuda" and not _has_gpu():
        log.error("engine.no_gpu", task=TRANSLATION_TASK.name)
        on_cpu = profile.model_copy(update={"device": "cpu", "compute_type": "int8"})
        engine = load_chosen(on_cpu, settings, choice)
        engine.info = replace(engine.info, reason=paragraph(engine.info.reason, NO_GPU))
        return engine
    simpler = _routed(profile, settings, choice)
    if choice.chat is None:
        return simpler
    # One batch at a time on all cores: two beside each other would share them and both wait longer.
    chat = load_chat(
        choice.chat,
        device=profile.device,
        compute_type=profile.compute_type,
        parallel=profile.workers or 1,
        threads=cores() if profile.device == "cpu" else 0,
    )
    info = replace(info_of(profile, choice), token_limit=chat.context_tokens, model=chat.name)
    return LlmEngine(chat, simpler if choice.steps else None, info)


def _has_gpu() -> bool:
    from ctranslate2 import get_cuda_device_count

    return bool(get_cuda_device_count() > 0)


def _routed(profile: TranslationProfile, settings: ModelSettings, choice: TranslationChoice) -> RoutedEngine:
    parallel = (profile.workers or cores()) if profile.device == "cpu" else max(1, profile.workers)
    memory = ModelMemory(settings.models_memory_mb * 2**20)
    translators: list[Translator] = [
        Seq2SeqTranslator(
            model.name,
            model.pairs,
            _form(model),
            _decoder(profile, model, memory, parallel, name=f"{index} {model.name}"),
        )
        for index, model in enumerate(choice.models)
    ]
    if choice.apertium.languages:
        translators.append(ApertiumTranslator())
    return RoutedEngine(translators, info_of(profile, choice), parallel=parallel, gains_from_batches=True)


def _decoder(
    profile: TranslationProfile, model: ModelFolder, memory: ModelMemory, parallel: int, *, name: str
) -> Decoder:
    if model.engine == CT2:
        return Ct2Decoder(
            model.path,
            name=name,
            size_bytes=model.size_bytes,
            memory=memory,
            device=profile.device,
            compute_type=profile.compute_type,
            # One more for a spare worker.
            parallel=parallel + (1 if profile.device == "cpu" else 0),
            batch_tokens=profile.batch_tokens,
        )
    from serve.tasks.translation.seq2seq.transformers_decoder import TransformersDecoder

    return TransformersDecoder(
        model.path,
        name=name,
        size_bytes=model.size_bytes,
        memory=memory,
        device=profile.device,
        batch_tokens=profile.batch_tokens,
    )


def _form(model: ModelFolder) -> Callable[[], Seq2SeqForm]:
    def make() -> Seq2SeqForm:
        source, target = load_pieces(model.path)
        return Seq2SeqForm(model.form, model.tokens, source, target, model.appends_end)

    return make
