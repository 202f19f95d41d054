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
from pipelines.flows.live.decoding import LiveClientLike
from pipelines.flows.live.flow import described
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


@dataclass(frozen=True, slots=True)
class LiveModels:
    """The engine that follows speech and what it is, if there is one, and the speech model."""

    live: LiveClientLike
    live_info: EngineInfo | None
    speech: SpeechClient


@contextmanager
def live_models(settings: ApiSettings) -> Iterator[LiveModels]:
    """Yield clients of the models for live captions, as `speech_models` does."""
    from serve.core.settings import ModelSettings
    from serve.profile import load_profile
    from serve.tasks.live.choice import choose_live
    from serve.tasks.live.load import load_live
    from serve.tasks.live.profile import LiveProfile
    from serve.tasks.live.task import LIVE_TASK

    with _models(settings) as models_root:
        if models_root is None:
            from serve.tasks.live.client import LiveClient
            from serve.tasks.transcription.client import TranscriberClient

            with LiveClient() as live, TranscriberClient() as speech, alignment_client() as aligner:
                yield LiveModels(live, described(live), _with_times(speech, aligner).speech)
            return
        from serve.core.in_process import InProcessModel
        from serve.tasks.transcription.in_process import InProcessTranscriber
        from serve.tasks.transcription.profile import TranscriptionProfile

        profile = load_profile(settings.profile)
        speech_section, section = profile.require(TranscriptionProfile), profile.get(LiveProfile) or LiveProfile()
        info = choose_live(section, ModelSettings(), models_root).info
        with (
            closing(
                InProcessModel(LIVE_TASK, section, lambda: load_live(section, ModelSettings(), models_root))
            ) as live_here,
            closing(InProcessTranscriber(speech_section, ModelSettings(), models_root)) as transcriber,
            _aligner_here(transcriber.describe, profile, models_root, aligns=False) as aligner,
        ):
            yield LiveModels(live_here, info if info.can_run else None, _with_times(transcriber, aligner).speech)


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
