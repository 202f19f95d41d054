"""Which translation engine would run and with what, without loading anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import structlog

from cluster.sentences import clauses, paragraph
from serve.chat.choice import ChatChoice, ChatKind, choose_chat
from serve.chat.settings import ChatSettings, Endpoint
from serve.core.messages import NO_ENGINE, EngineInfo, LanguagePair
from serve.core.models.models_folder import model_folders
from serve.core.settings import ModelSettings
from serve.core.text.language_codes import canonical
from serve.tasks.translation.apertium import engine as apertium
from serve.tasks.translation.messages import CHAT_TRANSLATION
from serve.tasks.translation.pairs import HasPairs, PairSet, reachable
from serve.tasks.translation.profile import EVERY_PAIR, TranslationProfile
from serve.tasks.translation.sentences import (
    APERTIUM,
    APERTIUM_REST,
    BEHIND_CHAT,
    CHAT,
    CHAT_NOTE,
    MODELS,
    NEEDS_TRANSFORMERS,
    NO_CHAT,
    NO_LANGUAGES,
    NON_COMMERCIAL,
    NOT_USED,
    NOTHING,
    NOWHERE,
    RULES_NOTE,
    UNKNOWN_MODEL,
)
from serve.tasks.translation.seq2seq.model_folder import CT2, TRANSFORMERS, ModelFolder, recognise
from serve.tasks.translation.task import TRANSLATION_TASK

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class InstalledPairs:
    """Apertium's pairs, for planning routes without the engine."""

    pairs: PairSet
    effort: int = apertium.ApertiumTranslator.effort


@dataclass(frozen=True, slots=True)
class PlannedModel:
    """A model's pairs, for planning routes without the engine."""

    pairs: PairSet
    effort: int = 1


@dataclass(frozen=True, slots=True)
class TranslationChoice:
    """What to load. `models` are used in order, `apertium` for pairs that no model reaches; `left_out` says in clauses
    what cannot be used and why. With `chat` all that is only the simpler engine behind the chat model."""

    models: tuple[ModelFolder, ...]
    apertium: PairSet
    chat: ChatChoice | None = None
    left_out: tuple[str, ...] = ()

    @property
    def steps(self) -> list[HasPairs]:
        """What routes are planned with."""
        planned: list[HasPairs] = [PlannedModel(model.pairs) for model in self.models]
        return [*planned, InstalledPairs(self.apertium)] if self.apertium.languages else planned

    @property
    def missing(self) -> tuple[str, ...]:
        """For the watch of the models folder: a model of another pair may always arrive."""
        return (EVERY_PAIR,)

    @property
    def is_empty(self) -> bool:
        return not self.steps and self.chat is None


def choose(
    profile: TranslationProfile,
    settings: ModelSettings,
    models_root: Path,
    endpoint: Endpoint | None,
    *,
    may_download: bool = False,
) -> TranslationChoice:
    """The models and programs on this machine that the profile allows. `endpoint` has a chat model, if one is set.

    With `may_download`, models that the profile or a setting names are downloaded when they are missing.
    """
    left_out: list[str] = []
    engines = _allowed(profile.engine)
    models = []
    for model in _models(profile, settings, models_root, left_out, may_download=may_download):
        if model.engine not in engines:
            if profile.engine == "auto":
                left_out.append(NEEDS_TRANSFORMERS(name=model.name))
        elif not model.pairs.languages:
            left_out.append(NO_LANGUAGES(name=model.name))
        elif model.is_non_commercial and not settings.allow_noncommercial_models:
            left_out.append(NON_COMMERCIAL(name=model.name))
        else:
            models.append(model)
    # Of two copies of one model, the form that needs no torch comes first.
    models.sort(key=lambda model: model.engine != CT2)
    allows_rules = profile.engine in ("auto", "llm", "apertium")
    rules = PairSet(single=frozenset(apertium.installed_modes())) if allows_rules else PairSet()
    chat = _chat(profile, models_root, endpoint)
    if profile.engine == CHAT_TRANSLATION and chat is None:
        left_out.append(NO_CHAT)
        return TranslationChoice((), PairSet(), None, tuple(left_out))
    return TranslationChoice(tuple(models), rules, chat, tuple(left_out))


def explain(profile: TranslationProfile, settings: ModelSettings, models_root: Path) -> EngineInfo:
    """Which engine would run, what it can do and why."""
    return info_of(profile, choose(profile, settings, models_root, ChatSettings().endpoint))


def info_of(profile: TranslationProfile, choice: TranslationChoice) -> EngineInfo:
    missed: list[str] = [NOT_USED(models=clauses(*choice.left_out))] if choice.left_out else []
    if choice.is_empty:
        return EngineInfo(TRANSLATION_TASK.name, NO_ENGINE, "", "", paragraph(NOTHING, *missed))
    if choice.chat is not None:
        return _chat_info(profile, choice, choice.chat, missed)
    engines = list(dict.fromkeys(model.engine for model in choice.models))
    names = ", ".join(model.name for model in choice.models)
    uses_rules = bool(choice.apertium.languages)
    reason: str = APERTIUM
    if choice.models:
        reason = paragraph(MODELS(names=names), *([APERTIUM_REST] if uses_rules else []))
    pairs, languages = _pairs(choice)
    return EngineInfo(
        task=TRANSLATION_TASK.name,
        engine=engines[0] if engines else apertium.PROGRAM,
        model=names or apertium.PROGRAM,
        device=profile.device if choice.models else "cpu",
        reason=paragraph(reason, *missed),
        languages=languages,
        pairs=pairs,
        is_batched=True,
        licence=", ".join(dict.fromkeys(model.licence for model in choice.models if model.licence))
        or ("" if choice.models else apertium.LICENCE),
        note=_note(choice),
    )


def _chat_info(
    profile: TranslationProfile, choice: TranslationChoice, chat: ChatChoice, missed: list[str]
) -> EngineInfo:
    behind = [model.name for model in choice.models] + ([apertium.PROGRAM] if choice.apertium.languages else [])
    behind_it = [BEHIND_CHAT(engines=", ".join(behind))] if behind else []
    reason = paragraph(CHAT(name=chat.name, reason=chat.reason), *behind_it)
    return EngineInfo(
        task=TRANSLATION_TASK.name,
        engine=CHAT_TRANSLATION,
        model=chat.name,
        device="remote" if chat.endpoint is not None else profile.device,
        reason=paragraph(reason, *missed),
        takes_vocabulary=True,
        is_batched=True,
        note=CHAT_NOTE,
    )


def _chat(profile: TranslationProfile, models_root: Path, endpoint: Endpoint | None) -> ChatChoice | None:
    """The chat model to translate with. One in the models folder is there for AI text unless the profile asks for it:
    small ones translate worse than the models made for it."""
    if profile.engine not in ("auto", CHAT_TRANSLATION):
        return None
    is_wanted = profile.engine == CHAT_TRANSLATION or profile.chat_model
    kinds: tuple[ChatKind, ...] = ("openai", "ct2_llm", "transformers") if is_wanted else ("openai",)
    return choose_chat(kinds, [profile.chat_model] if profile.chat_model else [], endpoint, models_root)


def _pairs(choice: TranslationChoice) -> tuple[frozenset[LanguagePair] | None, frozenset[str]]:
    """Pairs and languages. Models of many languages know every pair of theirs, which would be a list of thousands."""
    steps = choice.steps
    languages = frozenset(language for step in steps for language in step.pairs.languages)
    mutual = frozenset(language for step in steps for language in step.pairs.mutual)
    if mutual and languages == mutual and any(step.pairs.mutual == mutual for step in steps):
        return None, languages
    return reachable(steps), languages


def _note(choice: TranslationChoice) -> str:
    if not choice.models:
        return apertium.NOTE
    reached = choice.steps
    pairs = reachable(reached)
    by_models = {(pair.source, pair.target) for pair in reachable([PlannedModel(m.pairs) for m in choice.models])}
    by_rules = sorted(f"{one} → {two}" for one, two in {(p.source, p.target) for p in pairs} - by_models)
    return RULES_NOTE(pairs=", ".join(by_rules)) if by_rules else ""


def _allowed(engine: str) -> set[str]:
    """Libraries that may run seq2seq models. The engine `llm` has them behind it."""
    named: dict[str, set[str]] = {"ct2": {CT2}, "transformers": {TRANSFORMERS}, "apertium": set()}
    return named.get(engine, {CT2, TRANSFORMERS} if has_transformers() else {CT2})


def has_transformers() -> bool:
    """Whether the libraries of the engine `transformers` are installed here."""
    from importlib.util import find_spec

    return find_spec("torch") is not None and find_spec("transformers") is not None


def _models(
    profile: TranslationProfile,
    settings: ModelSettings,
    models_root: Path,
    left_out: list[str],
    *,
    may_download: bool,
) -> Iterator[ModelFolder]:
    """The models that settings and profile name, then every other one in the models folder."""
    seen = set()
    for pair, name in {**profile.models, **settings.translation_models}.items():
        found = find(name, models_root)
        if found is None and may_download and (profile.hub if settings.allow_hub is None else settings.allow_hub):
            found = _from_hub(name)
        if found is None:
            left_out.append(NOWHERE(name=Path(name).name))
        elif (model := recognise(found, Path(name).name)) is None:
            left_out.append(UNKNOWN_MODEL(name=Path(name).name))
        else:
            seen.add(model.path.resolve())
            yield _restricted(model, pair)
    for folder in _folders(models_root):
        if folder.resolve() not in seen and (model := recognise(folder)) is not None:
            seen.add(folder.resolve())
            yield model


def _folders(models_root: Path) -> Iterator[Path]:
    """Folders `name` and `owner/name` of the models folder."""
    for folder in model_folders(models_root):
        yield folder
        if not (folder / "config.json").is_file():
            yield from model_folders(folder)


def find(name: str, models_root: Path) -> Path | None:
    """The folder of a model: a path, a folder in the models folder, or a download in the hub cache."""
    for folder in (Path(name), models_root / name, models_root / Path(name).name):
        if (folder / "config.json").is_file():
            return folder
    return _cached(name)


def _cached(name: str) -> Path | None:
    if name.count("/") != 1 or Path(name).is_absolute():
        return None
    from huggingface_hub import snapshot_download

    # An incomplete cache and names that the hub does not allow raise several unrelated exceptions.
    try:
        return Path(snapshot_download(name, local_files_only=True))
    except Exception:
        return None


def _from_hub(name: str) -> Path | None:
    from huggingface_hub import snapshot_download

    log.info("model.downloading", model=name)
    # Names that the hub does not know and networks without it raise several unrelated exceptions.
    try:
        return Path(snapshot_download(name))
    except Exception as failure:
        log.warning("model.download_failed", model=name, error=str(failure))
        return None


def _restricted(model: ModelFolder, pair: str) -> ModelFolder:
    """The model for the pair that a setting names."""
    if pair == EVERY_PAIR:
        return model
    source, _, target = pair.partition("-")
    return replace(model, pairs=PairSet(single=frozenset({(canonical(source), canonical(target))})))
