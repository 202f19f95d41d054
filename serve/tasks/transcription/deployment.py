"""The `Transcriber` deployment: the speech model behind Ray Serve."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ray.serve import Application

from serve.core.replica.deployment import ModelReplica, model_application
from serve.core.replica.model_watch import ModelWatch
from serve.core.settings import ModelSettings
from serve.tasks.transcription.engine import TranscriptionEngine
from serve.tasks.transcription.load import load_chosen
from serve.tasks.transcription.messages import AudioWindow, LanguageGuess
from serve.tasks.transcription.models import TranscriptionChoice, choose_transcription
from serve.tasks.transcription.others.installed import installed_engines
from serve.tasks.transcription.others.named import NamedEngines, OtherEngines, parts_by_name
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.remote.settings import SpeechEndpoint
from serve.tasks.transcription.task import SPEECH


class Transcriber(ModelReplica[TranscriptionEngine]):
    """Transcribes windows, and loads a better model beside the running one when its files arrive."""

    def __init__(
        self,
        profile: TranscriptionProfile,
        settings: ModelSettings,
        models_root: Path,
        *,
        endpoint: SpeechEndpoint | None,
        may_download: bool,
    ) -> None:
        choose = partial(choose_transcription, profile, settings, models_root, endpoint)
        choice = choose(may_download=may_download)
        others = self._others = OtherEngines(
            partial(installed_engines, profile, settings, models_root, endpoint),
            lambda wanted: load_chosen(profile, settings, wanted.choice, strict=True),
        )

        def loaded(choice: TranscriptionChoice, *, strict: bool) -> TranscriptionEngine:
            chosen = load_chosen(profile, settings, choice, strict=strict)
            return NamedEngines(chosen, parts_by_name(chosen, choice, others.installed), others)

        def look() -> TranscriptionChoice:
            others.look()
            return choose(may_download=False)

        super().__init__(SPEECH, loaded(choice, strict=False), profile.limits)
        self._watch = ModelWatch(
            SPEECH,
            choice,
            choose=look,
            load=partial(loaded, strict=True),
            on_loaded=self.succeed,
            on_problem=self.report_problem,
        )
        self._watch.start()

    async def detect(self, window: AudioWindow) -> LanguageGuess:
        """Which languages the window may be in. Raises EngineRefused."""
        with self.engines.of(window.stream).request(window.stream) as loaded:
            return await loaded.call(loaded.engine.detect, window)

    def close(self) -> None:
        if hasattr(self, "_watch"):
            self._watch.stop()
        super().close()
        if hasattr(self, "_others"):
            self._others.close()


def build_app(
    profile: TranscriptionProfile,
    settings: ModelSettings,
    models_root: Path,
    *,
    endpoint: SpeechEndpoint | None,
    replicas_download: bool,
) -> Application:
    """`replicas_download`: each replica downloads a missing model when it starts, for machines that share no folder.

    `endpoint` reaches the replicas as a value, never through their environment, which Ray writes into arguments.
    """
    return model_application(
        Transcriber, profile, profile, settings, models_root, endpoint=endpoint, may_download=replicas_download
    )
