"""Finds the model of a task: a local folder, else the hub cache, else the hub, else the offline engine, and says why.

Nothing here loads a model.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import structlog

from serve.profile import TranscriptionProfile
from serve.settings import ModelSettings

log = structlog.get_logger(__name__)

MODEL_FILE = "model.bin"


class ModelMissing(RuntimeError):
    """The profile insists on an engine whose model cannot be found; the message says where it was looked for."""


@dataclass(frozen=True, slots=True)
class Found:
    """A model on this machine. `reason` is a clause such as "its folder is in the models folder"."""

    name: str
    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class TranscriptionChoice:
    """Which speech engine to load; `whisper` is None for the offline engine. `reason` is a sentence for people."""

    whisper: Found | None
    by_language: dict[str, Found]
    reason: str


def choose_transcription(
    profile: TranscriptionProfile, settings: ModelSettings, models_root: Path, *, may_download: bool = True
) -> TranscriptionChoice:
    """The best engine whose model is there or can be fetched. Raises ModelMissing when only Whisper is allowed."""
    if profile.engine == "pocketsphinx":
        return TranscriptionChoice(None, {}, "The profile asks for the offline engine.")
    hub = may_download and (profile.hub if settings.allow_hub is None else settings.allow_hub)
    tried: list[str] = []
    by_language = {}
    for language, name in settings.whisper_models.items():
        if (found := _find(name, settings, models_root, hub=hub, tried=tried)) is not None:
            by_language[language] = found
    default = _default_model(profile, settings, models_root, hub=hub, tried=tried)
    missed = f" Not available: {'; '.join(tried)}." if tried else ""
    if default is not None:
        return TranscriptionChoice(default, by_language, f"Whisper “{default.name}”: {default.reason}.{missed}")
    if profile.engine == "whisper":
        raise ModelMissing(f"The profile asks for Whisper, and there is no Whisper model.{missed}")
    known = "".join(f" Whisper “{found.name}” is used for “{language}”." for language, found in by_language.items())
    return TranscriptionChoice(
        None, by_language, f"The offline engine is used because there is no Whisper model.{missed}{known}"
    )


def _default_model(
    profile: TranscriptionProfile, settings: ModelSettings, models_root: Path, *, hub: bool, tried: list[str]
) -> Found | None:
    if settings.whisper_model is not None:
        return _find(settings.whisper_model, settings, models_root, hub=hub, tried=tried)
    for name in ("whisper", *profile.models):
        if (folder := _local(name, models_root)) is not None:
            return Found(name, folder, "its folder is in the models folder")
    tried.append(f"{models_root} holds no model")
    for name in profile.models:
        if (folder := _cached(name)) is not None:
            return Found(name, folder, "it is in the hub cache")
    tried.append(f"none of {', '.join(profile.models)} is in the hub cache")
    return _download(profile.models[0], settings, hub=hub, tried=tried)


def _find(name: str, settings: ModelSettings, models_root: Path, *, hub: bool, tried: list[str]) -> Found | None:
    """A model that a setting names: a folder, a folder's name in the models folder, a size or a hub name."""
    if (Path(name) / MODEL_FILE).is_file():
        return Found(name, Path(name).resolve(), "a setting names this folder")
    if (folder := _local(name, models_root)) is not None:
        return Found(name, folder, "a setting names it and its folder is in the models folder")
    if Path(name).is_absolute():
        tried.append(f"the folder {name} has no {MODEL_FILE}")
        return None
    if (folder := _cached(name)) is not None:
        return Found(name, folder, "a setting names it and it is in the hub cache")
    tried.append(f"“{name}” is neither a folder nor in the hub cache")
    return _download(name, settings, hub=hub, tried=tried)


def _local(name: str, models_root: Path) -> Path | None:
    """The folder `name`, `whisper-name` or `faster-whisper-name` in the models folder, when it holds a model."""
    for spelling in (name, f"whisper-{name}", f"faster-whisper-{name}"):
        folder = models_root / spelling
        if (folder / MODEL_FILE).is_file():
            return folder
    return None


def _cached(name: str) -> Path | None:
    from faster_whisper.utils import download_model

    # Whatever the cache lacks, and names the hub does not allow, are told by several unrelated exceptions.
    try:
        folder = Path(download_model(name, local_files_only=True))
    except Exception:
        return None
    return folder if (folder / MODEL_FILE).is_file() else None


def _download(name: str, settings: ModelSettings, *, hub: bool, tried: list[str]) -> Found | None:
    from faster_whisper.utils import download_model

    if not hub:
        tried.append("the hub may not be used")
        return None
    if (problem := hub_problem(settings.hub_timeout_s)) is not None:
        tried.append(problem)
        return None
    log.info("model.downloading", model=name)
    try:
        return Found(name, Path(download_model(name)), "it was downloaded from the hub")
    except Exception as failure:
        log.warning("model.download_failed", model=name, error=str(failure))
        tried.append(f"the hub did not give “{name}” ({type(failure).__name__})")
        return None


@lru_cache
def hub_problem(timeout_s: float) -> str | None:
    """Why the hub cannot be asked now, or None when it answers. Asked once a process: without network it costs time."""
    from huggingface_hub import constants

    if constants.is_offline_mode():
        return "the hub is switched off (HF_HUB_OFFLINE)"
    answer: list[str | None] = []
    # A thread, because looking up a host name has no timeout of its own.
    asked = threading.Thread(target=lambda: answer.append(_ask(constants.ENDPOINT, timeout_s)), daemon=True)
    asked.start()
    asked.join(timeout_s)
    return answer[0] if answer else f"the hub did not answer within {timeout_s:g} seconds"


def _ask(address: str, timeout_s: float) -> str | None:
    import httpx

    host = address.split("//")[-1]
    try:
        # Any answer will do: it shows that the network and the proxy, if there is one, let us through.
        httpx.head(address, timeout=timeout_s, follow_redirects=False, trust_env=True)
    except (httpx.HTTPError, OSError) as failure:
        return f"the hub at {host} cannot be reached ({type(failure).__name__})"
    return None
