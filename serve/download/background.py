"""Starts the fetching of missing models beside the running ones, and tells the cluster how far it is."""

from __future__ import annotations

import threading
from pathlib import Path

import structlog
from ray.exceptions import RayError

from serve.capability import FETCH_EVENT, TRANSCRIPTION, FetchState, ModelFetch
from serve.capability_store import publish_fetch
from serve.download.supply import OFF_SENTENCE, ModelSupply, for_pages, for_terminal
from serve.models import choose_transcription, may_use_hub
from serve.profile import TranscriptionProfile
from serve.settings import ModelSettings

log = structlog.get_logger(__name__)


def start_supply(profile: TranscriptionProfile, settings: ModelSettings, models_root: Path) -> ModelSupply | None:
    """Fetch what the profile and the settings want and the machine lacks; None when there is nothing to fetch.

    Where downloads are off and there is no model at all, this says what to put where. Raises ModelMissing.
    """
    choice = choose_transcription(profile, settings, models_root, may_download=False)
    publish(None)
    if not choice.missing:
        return None
    if not may_use_hub(profile, settings) or _is_hub_off():
        if choice.whisper is None:
            publish(ModelFetch(choice.missing[-1], FetchState.OFF, sentence=for_pages(OFF_SENTENCE)))
            log.info(FETCH_EVENT, sentence=for_terminal(OFF_SENTENCE, models_root))
        return None
    supply = ModelSupply(choice.missing, models_root, publish=publish, hub_timeout_s=settings.hub_timeout_s)
    threading.Thread(target=supply.run, name="model-supply", daemon=True).start()
    return supply


def publish(fetch: ModelFetch | None) -> None:
    try:
        publish_fetch(TRANSCRIPTION, fetch)
    except RayError as error:
        # The download does not depend on the cluster; a new one is told the next state.
        log.warning("model.fetch_not_published", error=type(error).__name__)


def _is_hub_off() -> bool:
    from huggingface_hub import constants

    return constants.is_offline_mode()
