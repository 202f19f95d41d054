"""The model for one command: that of the running installation, else one in this process."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from api.edges.cli.settings import writing_into
from api.platform.settings import ApiSettings
from cluster.ray.runtime import announced_address, connect, disconnect
from pipelines.flows.transcribe.aligned import AlignedSpeech, AlignmentClient, alignment_client
from pipelines.flows.transcribe.windows import SpeechClient
from pipelines.flows.translate.passages import TranslationClient

if TYPE_CHECKING:
    from serve.core.messages import EngineInfo
    from serve.profile import Profile


@dataclass(frozen=True, slots=True)
class SpeechModels:
    """The speech model, with times of words where the alignment model has them, and that model if there is one."""

    speech: SpeechClient
    aligner: AlignmentClient | None


@contextmanager
def speech_models(settings: ApiSettings, *, aligns: bool = False) -> Iterator[SpeechModels]:
    """Yield clients of the speech model and the alignment model, which is loaded where it `aligns` or times lack.

    Meanwhile the settings point to a temporary folder for everything that is written. Raises RayUnreachable and
    BadProfile.
    """
    with _models(settings) as models_root:
        if models_root is None:
            from serve.tasks.transcription.client import TranscriberClient

            with TranscriberClient() as speech, alignment_client() as aligner:
                yield _with_times(speech, aligner)
            return
        from serve.core.settings import ModelSettings
        from serve.profile import load_profile
        from serve.tasks.transcription.in_process import InProcessTranscriber
        from serve.tasks.transcription.profile import TranscriptionProfile

        profile = load_profile(settings.profile)
        section = profile.require(TranscriptionProfile)
        with (
            closing(InProcessTranscriber(section, ModelSettings(), models_root)) as transcriber,
            _aligner_here(transcriber.describe, profile, models_root, aligns=aligns) as aligner,
        ):
            yield _with_times(transcriber, aligner)


def _with_times(speech: SpeechClient, aligner: AlignmentClient | None) -> SpeechModels:
    return SpeechModels(speech if aligner is None else AlignedSpeech(speech, aligner), aligner)


@contextmanager
def _aligner_here(
    describe: Callable[[], EngineInfo], profile: Profile, models_root: Path, *, aligns: bool
) -> Iterator[AlignmentClient | None]:
    """The alignment model of this machine; None where there is none or nobody needs it."""
    from serve.core.messages import WordTimes
    from serve.core.settings import ModelSettings
    from serve.tasks.alignment.choice import choose_alignment
    from serve.tasks.alignment.in_process import InProcessAligner
    from serve.tasks.alignment.profile import AlignmentProfile

    section, settings = profile.get(AlignmentProfile), ModelSettings()
    if section is None or choose_alignment(section, settings, models_root).model is None:
        yield None
        return
    if not aligns:
        info = describe()
        aligns = any(each.word_times is WordTimes.NONE for each in (info, *info.by_language))
    if not aligns:
        yield None
        return
    with closing(InProcessAligner(section, settings, models_root)) as aligner:
        yield aligner


@contextmanager
def translation_model(settings: ApiSettings) -> Iterator[TranslationClient]:
    """Yield a client of the translation model, as `speech_models` does. Raises TranslationMissing too."""
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
