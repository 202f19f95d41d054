"""The model for one command: that of the running installation, else one in this process."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from api.edges.cli.settings import writing_into
from api.platform.settings import ApiSettings
from cluster.ray.runtime import announced_address, connect, disconnect
from pipelines.flows.transcribe.windows import SpeechClient
from pipelines.flows.translate.passages import TranslationClient


@contextmanager
def speech_model(settings: ApiSettings) -> Iterator[SpeechClient]:
    """Yield a client of the speech model.

    Meanwhile the settings point to a temporary folder for everything that is written. Raises RayUnreachable and
    BadProfile.
    """
    with _models(settings) as models_root:
        if models_root is None:
            from serve.tasks.transcription.client import TranscriberClient

            with TranscriberClient() as client:
                yield client
            return
        from serve.core.settings import ModelSettings
        from serve.profile import load_profile
        from serve.tasks.transcription.in_process import InProcessTranscriber
        from serve.tasks.transcription.profile import TranscriptionProfile

        profile = load_profile(settings.profile).require(TranscriptionProfile)
        with closing(InProcessTranscriber(profile, ModelSettings(), models_root)) as transcriber:
            yield transcriber


@contextmanager
def translation_model(settings: ApiSettings) -> Iterator[TranslationClient]:
    """Yield a client of the translation model, as `speech_model` does. Raises TranslationMissing too."""
    with _models(settings) as models_root:
        if models_root is None:
            from serve.core.client import ModelClient
            from serve.tasks.translation.task import TRANSLATION_TASK

            with ModelClient(TRANSLATION_TASK) as client:
                yield client
            return
        from serve.core.settings import ModelSettings
        from serve.profile import load_profile
        from serve.tasks.translation.in_process import InProcessTranslator
        from serve.tasks.translation.profile import TranslationProfile

        profile = load_profile(settings.profile).get(TranslationProfile) or TranslationProfile()
        with closing(InProcessTranslator(profile, ModelSettings(), models_root)) as translator:
            yield translator


@contextmanager
def _models(settings: ApiSettings) -> Iterator[Path | None]:
    """Join the running installation and yield None, or yield the folder of the models where none runs."""
    joined = settings.ray_address is not None or announced_address(settings) is not None
    if joined:
        # Otherwise Ray Serve reports its router's start between the lines that a person reads.
        os.environ.setdefault("RAY_SERVE_LOG_TO_STDERR", "0")
        connect(settings)
    try:
        models_root = settings.models_root
        with tempfile.TemporaryDirectory(prefix="sagascript-") as folder, writing_into(Path(folder)):
            yield None if joined else models_root
    finally:
        if joined:
            disconnect()
