"""The product's own way from sound to caption lines, as a side: its flow, batches and engine."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measure.models.asr.answer import SpeechAnswer, SpokenWord
from benchmarks.measure.models.child import Json, Loaded, Unanswered
from pipelines.flows.transcribe.flow import transcribe
from pipelines.languages import AUTO, locale_of
from pipelines.media.sound.pcm import PcmFile
from pipelines.messages.attempt import Attempt, Result, StageFailed
from pipelines.messages.requests import TranscribeRequest
from pipelines.messages.results import TranscribeResult
from serve.core.messages import EngineInfo
from serve.core.settings import ModelSettings
from serve.tasks.transcription.in_process import InProcessTranscriber
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.sherpa.registry import family_of

if TYPE_CHECKING:
    from pipelines.flows.transcribe.windows import SpeechClient

CLUSTER = "cluster"
OFFLINE = "pocketsphinx"
NOWHERE = Path("/nonexistent")


def load(configuration: Json) -> Loaded:
    """`configuration` holds `through`, `profile` (the section), `model`, `models_root` and `beam`."""
    if configuration["through"] == CLUSTER:
        from cluster.ray.runtime import connect, disconnect
        from serve.tasks.transcription.client import TranscriberClient

        connect()
        client = TranscriberClient()

        def leave() -> None:
            client.close()
            disconnect()

        return _loaded(client, configuration, leave)
    profile = TranscriptionProfile.model_validate(configuration["profile"])
    model = configuration["model"]
    transcriber = _in_process(profile, model, Path(configuration["models_root"]))
    info = transcriber.describe()
    if model and info.engine == OFFLINE != profile.engine:
        transcriber.close()
        raise Unanswered(f"The model {model} was not loaded. {info.reason}")
    return _loaded(transcriber, configuration, transcriber.close)


def _in_process(profile: TranscriptionProfile, model: str, models_root: Path) -> InProcessTranscriber:
    """With a named model only that one: another of the machine must not take over a language."""
    if not model:
        return InProcessTranscriber(profile, ModelSettings(), models_root)
    folder = Path(model)
    if not folder.is_dir():
        return InProcessTranscriber(profile, ModelSettings(whisper_model=model), models_root)
    if (family := family_of(folder)) is not None:
        chosen = profile.model_copy(update={"engine": family.name})
        return InProcessTranscriber(chosen, ModelSettings(sherpa_models=(model,), allow_hub=False), NOWHERE)
    return InProcessTranscriber(profile, ModelSettings(whisper_model=model, allow_hub=False), NOWHERE)


def _loaded(client: SpeechClient, configuration: Json, close: Callable[[], None]) -> Loaded:
    info = client.describe()

    def answer(request: Json) -> Json:
        return _answer(client, Path(request["wav"]), request["language"], configuration["beam"]).as_json()

    return Loaded(answer, _about(info), close)


def _about(info: EngineInfo) -> Json:
    return {"engine": info.engine, "model": info.model, "device": info.device, "reason": info.reason}


def _answer(client: SpeechClient, wav: Path, language: str, beam: int) -> SpeechAnswer:
    # Imported here: the storage reads its settings when it is imported.
    from cluster.storage.folder import LocalStorage

    with PcmFile(wav) as sound:
        duration_ms = sound.duration_ms
    request = TranscribeRequest(
        file_id="bench",
        audio_key=f"{wav.parent.name}/{wav.name}",
        duration_ms=duration_ms,
        language=locale_of(language) if language else AUTO,
        beam_size=beam,
    )
    with tempfile.TemporaryDirectory(prefix="bench-") as work:
        attempt = Attempt("bench", 1, Path(work), "jobs/bench/1")
        try:
            *_, last = transcribe(request, attempt, client=client, storage=LocalStorage(wav.parent.parent))
        except StageFailed as failure:
            raise Unanswered(failure.reason) from failure
    assert isinstance(last, Result)
    assert isinstance(last.payload, TranscribeResult)
    words = tuple(
        SpokenWord(word.text, word.start_ms, word.end_ms, word.confidence)
        for line in last.payload.lines
        for word in line.words
    )
    return SpeechAnswer(words, last.payload.language.split("-")[0] if last.payload.language != AUTO else "")
