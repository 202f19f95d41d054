"""Downloads missing models beside the running ones and publishes the progress to the cluster."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import structlog
from ray.exceptions import RayError

from serve.core.capability import ModelFetch
from serve.core.capability_store import publish_fetch
from serve.core.messages import EngineInfo
from serve.core.settings import ModelSettings
from serve.download.supply import ModelSupply
from serve.tasks.transcription.messages import OFFLINE_ENGINE, TRANSCRIPTION
from serve.tasks.transcription.models import choose_transcription
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.remote.settings import SpeechSettings
from serve.tasks.transcription.whisper_search import may_use_hub

log = structlog.get_logger(__name__)


class Background:
    """The models of the profile and the settings that this machine lacks, and the thread that downloads them."""

    def __init__(
        self,
        profile: TranscriptionProfile,
        settings: ModelSettings,
        models_root: Path,
        *,
        publish: Callable[[ModelFetch], None],
    ) -> None:
        """Starts nothing yet; `publish` gets every state. Raises ModelMissing."""
        self._choose = partial(
            choose_transcription, profile, settings, models_root, SpeechSettings().endpoint, may_download=False
        )
        self._may_download = may_use_hub(profile, settings) and not _is_hub_off()
        self._supply: ModelSupply | None = None
        choice = self._choose()
        if choice.missing and (self._may_download or not (choice.models or choice.endpoint)):
            self._supply = ModelSupply(
                choice.missing, models_root, publish=publish, hub_timeout_s=settings.hub_timeout_s
            )

    def start(self) -> None:
        """Download what is missing. Where downloads are off and there is no model at all, say what to put where."""
        if self._supply is None:
            return
        if self._may_download:
            threading.Thread(target=self._supply.run, name="model-supply", daemon=True).start()
        else:
            self._supply.decline()

    def observe(self, loaded: EngineInfo) -> None:
        """Called regularly with what the replicas have loaded. A model that somebody put there ends the download."""
        # The offline engine runs where no model has arrived yet; only its problem is news.
        is_news = bool(loaded.problem) or loaded.engine != OFFLINE_ENGINE
        if self._supply is not None and is_news:
            self._supply.observe(loaded, is_complete=not self._choose().missing)


def publish_to_cluster(fetch: ModelFetch | None) -> None:
    """Publish the download to the cluster; None when there is none."""
    try:
        publish_fetch(TRANSCRIPTION, fetch)
    except RayError as error:
        # The download does not depend on the cluster; a new one gets the next state.
        log.warning("model.fetch_not_published", error=type(error).__name__)


def _is_hub_off() -> bool:
    from huggingface_hub import constants

    return constants.is_offline_mode()
