"""Ray and Serve with all four tasks deployed: tiny models, and an endpoint that writes the texts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import SecretStr

from cluster.settings import get_cluster_settings
from cluster.storage.folder import LocalStorage
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ray_cluster import ray_cluster
from serve.application import deploy, shutdown, start, wait_ready
from serve.chat.settings import Endpoint
from serve.core.settings import ModelSettings
from serve.profile import profile_of
from serve.tasks.text.deployment import build_app
from serve.tasks.text.messages import TEXT
from serve.tasks.text.profile import TextProfile
from serve.testing.chat_endpoint import MODEL, ChatEndpoint
from serve.testing.tiny_models.archives import TRANSLATION, unpack
from serve.testing.tiny_speakers.archive import speakers_folder
from serve.testing.translation import EXACT

CONTEXT_TOKENS = 16_000
ON_DEMAND = {"num_cpus": 0.1, "unload_after_s": 600}
"""No replica runs until the first request."""


@contextmanager
def four_tasks(folder: Path, models_root: Path, endpoint: ChatEndpoint) -> Iterator[LocalStorage]:
    """The storage of the cluster's tasks. `models_root` holds the tiny Whisper already.

    The tiny chat model knows one meeting by heart, so texts about other files come from `endpoint`.
    """
    translation = {"engine": "ct2", "compute_type": EXACT, **ON_DEMAND}
    speech = {"engine": "whisper", "models": ["tiny"], "hub": False, "num_cpus": 0.5}
    speakers_folder(models_root)
    unpack(TRANSLATION, models_root)
    profile = profile_of("test", {"transcription": speech, "diarization": ON_DEMAND, "translation": translation})
    with ray_cluster(folder):
        try:
            deploy(profile, settings=ModelSettings(allow_hub=False), models_root=models_root)
            key = None if endpoint.key is None else SecretStr(endpoint.key)
            where = Endpoint(endpoint.url, MODEL, key, PATIENCE_S, CONTEXT_TOKENS)
            text = TextProfile.model_validate({"engine": "openai", **ON_DEMAND})
            start({TEXT: build_app(text, where, models_root)})
            wait_ready(PATIENCE_S)
            yield LocalStorage(get_cluster_settings().storage_root)
        finally:
            shutdown()
