"""The flow of kind `transcribe`: send a file's speech, window by window, through the `Transcriber` deployment."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing

from cluster.settings import get_cluster_settings
from cluster.storage.objects import Storage
from cluster.storage.opening import open_storage
from cluster.wording.message import Message
from pipelines.captions.line_builder import lines_from_segments
from pipelines.flows.transcribe.aligned import aligned_speech
from pipelines.flows.transcribe.language import Choice, choose_language
from pipelines.flows.transcribe.windows import SpeechClient, finished_windows, refused
from pipelines.language_choice import refusal, unavailable_reason
from pipelines.languages import AUTO, locale_of
from pipelines.media.sound.pcm import NotTranscribable, PcmFile
from pipelines.media.sound.speech import DEFAULT_CUT, CutRules, cut_by
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED, Attempt, Chunk, Progress, Result, StageFailed
from pipelines.messages.caption_rules import DEFAULT_RULES, CaptionRules, rules_for
from pipelines.messages.requests import TranscribeRequest, VoiceDetection
from pipelines.messages.results import TranscribedWindow, TranscribeResult
from pipelines.messages.spoken_terms import terms_in
from serve.core.capability import engine_for
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.tasks.transcription.messages import DecodeOptions

STAGE = "transcribe"
PHASE = "transcribing"
GPU_IN_FLIGHT = 32
CPU_IN_FLIGHT = 8
"""Four for each of two workers. Together, base decodes 110 tokens of four windows in 390 ms each, of two in 530 ms."""
NO_AUDIO = Message(
    "pipelines.flows.flow_no_audio",
    "The sound of this file is gone from storage. Upload the file again to transcribe it.",
)


def run(request: TranscribeRequest, attempt: Attempt) -> Generator[Progress | Chunk | Result]:
    """Transcribe the stored audio of a file."""
    # Imported here because it imports Ray, which callers of `transcribe` with another client do not need.
    from serve.tasks.transcription.client import TranscriberClient

    storage = open_storage(get_cluster_settings())
    with closing(TranscriberClient(in_flight=GPU_IN_FLIGHT)) as speech, aligned_speech(speech) as client:
        yield from transcribe(request, attempt, client=client, storage=storage)


def transcribe(
    request: TranscribeRequest, attempt: Attempt, *, client: SpeechClient, storage: Storage
) -> Generator[Progress | Chunk | Result]:
    """Yield a `Chunk` for each window as it finishes, in any order, progress in audio time, then the ordered result.

    Windows that an earlier attempt finished are skipped. Closing the generator cancels what is in flight.
    Raises only `StageFailed`.
    """
    duration_ms = request.duration_ms
    yield Progress(PHASE, 0, duration_ms, "audio_ms")
    try:
        info = client.describe()
        if request.audio_key is None:
            yield _result(request, info, Choice(None, 0.0), [])
            return
        require_language(request.language, info)
        with storage.local_copy(request.audio_key, attempt.work) as path, PcmFile(path) as audio:
            yield from _through(request, attempt, audio, client, info)
    except EngineRefused as error:
        if error.problem is EngineProblem.UNKNOWN_LANGUAGE:
            # The model was replaced after the check.
            raise unsupported(request.language, info) from error
        raise refused(STAGE, error) from error
    except (FileNotFoundError, NotTranscribable) as error:
        raise StageFailed(STAGE, NO_AUDIO, retryable=False) from error


def require_language(locale: str, info: EngineInfo) -> None:
    """Raise `StageFailed` before any work when the loaded model does not support the language.

    `auto` passes with every engine: an engine with a single language uses that one.
    """
    if locale != AUTO and unavailable_reason(info, locale) is not None:
        raise unsupported(locale, info)


def unsupported(locale: str, info: EngineInfo) -> StageFailed:
    """The end of an attempt in a language that the loaded model does not know."""
    return StageFailed(STAGE, refusal(info, locale), retryable=False, code=LANGUAGE_UNSUPPORTED)


def _through(
    request: TranscribeRequest, attempt: Attempt, audio: PcmFile, client: SpeechClient, info: EngineInfo
) -> Generator[Progress | Chunk | Result]:
    windows, choice = choose_language(request.language, audio, attempt, client, _cut(request.voice))
    terms = terms_in(request.terms, choice.code, engine_for(info, choice.code))
    options = DecodeOptions(
        language=choice.code, beam_size=request.beam_size, terms=terms, temperature=request.temperature
    )
    finished = finished_windows(windows, audio, attempt, client, options, in_flight=in_flight_of(info))
    total_ms, done_ms = request.duration_ms, 0
    transcribed: list[TranscribedWindow] = []
    with closing(finished):
        for done in finished:
            if done is not None:
                done_ms += done.covered_ms
                transcribed.append(done.window)
                if done.is_new:
                    yield Chunk(done.key, done.window)
            # Yield even when nothing finished: the reader can stop this attempt only between two values.
            yield Progress(PHASE, min(done_ms, total_ms), total_ms, "audio_ms")
    yield Progress(PHASE, total_ms, total_ms, "audio_ms")
    yield _result(request, info, choice, transcribed)


def _cut(voice: VoiceDetection | None) -> CutRules:
    return DEFAULT_CUT if voice is None else cut_by(voice.threshold, voice.silence_ms, voice.padding_ms)


def in_flight_of(info: EngineInfo) -> int:
    """How many windows of one file wait at the model: enough for a GPU batch, few enough to leave room for others."""
    return GPU_IN_FLIGHT if info.device.startswith("cuda") else CPU_IN_FLIGHT


def _result(
    request: TranscribeRequest, info: EngineInfo, choice: Choice, transcribed: list[TranscribedWindow]
) -> Result:
    ordered = sorted(transcribed, key=lambda window: window.index)
    segments = [segment for window in ordered for segment in window.segments]
    language = request.language
    if language == AUTO and choice.code is not None:
        language = locale_of(choice.code)
    return Result(
        TranscribeResult(
            language=language,
            language_probability=choice.probability,
            engine=engine_for(info, choice.code),
            # Build the lines here, outside the transaction that stores them: hours of speech take seconds.
            lines=tuple(lines_from_segments(segments, rules_of(request, language), language)),
        )
    )


def rules_of(request: TranscribeRequest, language: str) -> CaptionRules:
    """The rules frozen with the job. The usual ones give way to those of a script that is read at another speed."""
    return rules_for(language) if request.caption_rules == DEFAULT_RULES else request.caption_rules
