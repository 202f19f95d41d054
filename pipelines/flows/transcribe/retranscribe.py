"""The flow of kind `retranscribe`: send only some parts of a file, window by window, through the `Transcriber`."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing

from cluster.settings import get_cluster_settings
from cluster.storage.objects import Storage
from cluster.storage.opening import open_storage
from pipelines.captions.edits.rerun import SPAN_MARGIN_MS, Span
from pipelines.captions.line_builder import words_of
from pipelines.flows.transcribe.aligned import aligned_speech
from pipelines.flows.transcribe.flow import GPU_IN_FLIGHT, NO_AUDIO, PHASE, in_flight_of, require_language, unsupported
from pipelines.flows.transcribe.windows import SpeechClient, finished_windows, refused
from pipelines.languages import whisper_code
from pipelines.media.sound.pcm import NotTranscribable, PcmFile
from pipelines.media.sound.speech import DEFAULT_CUT, SpeechWindow, speech_windows
from pipelines.messages.attempt import Attempt, Chunk, Progress, Result, StageFailed
from pipelines.messages.requests import RetranscribeRequest
from pipelines.messages.results import RetranscribeResult, TranscribedWindow
from pipelines.messages.spoken_terms import terms_in
from serve.core.capability import engine_for
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.tasks.transcription.messages import DecodeOptions

STAGE = "retranscribe"


def run(request: RetranscribeRequest, attempt: Attempt) -> Generator[Progress | Chunk | Result]:
    """Transcribe parts of the stored audio of a file."""
    # Imported here because it imports Ray, which callers with another client do not need.
    from serve.tasks.transcription.client import TranscriberClient

    storage = open_storage(get_cluster_settings())
    with closing(TranscriberClient(in_flight=GPU_IN_FLIGHT)) as speech, aligned_speech(speech) as client:
        yield from retranscribe(request, attempt, client=client, storage=storage)


def retranscribe(
    request: RetranscribeRequest, attempt: Attempt, *, client: SpeechClient, storage: Storage
) -> Generator[Progress | Chunk | Result]:
    """Yield a `Chunk` for each window as it finishes, progress in audio time, then the words. Raises `StageFailed`."""
    yield Progress(PHASE, 0, request.duration_ms, "audio_ms")
    try:
        info = client.describe()
        code = whisper_code(request.language)
        require_language(request.language, engine_for(info, code, request.engine) if request.engine else info)
        with storage.local_copy(request.audio_key, attempt.work) as path, PcmFile(path) as audio:
            yield from _through(request, attempt, audio, client, info)
    except EngineRefused as error:
        if error.problem is EngineProblem.UNKNOWN_LANGUAGE:
            raise unsupported(request.language, info) from error
        raise refused(STAGE, error) from error
    except (FileNotFoundError, NotTranscribable) as error:
        raise StageFailed(STAGE, NO_AUDIO, retryable=False) from error


def _through(
    request: RetranscribeRequest, attempt: Attempt, audio: PcmFile, client: SpeechClient, info: EngineInfo
) -> Generator[Progress | Chunk | Result]:
    windows = span_windows(request.spans, audio.duration_ms) if request.spans else speech_windows(audio)
    code = whisper_code(request.language)
    engine = engine_for(info, code, request.engine)
    terms = terms_in(request.terms, code, engine)
    options = DecodeOptions(language=code, beam_size=request.beam_size, terms=terms, engine=request.engine)
    total_ms, done_ms = request.duration_ms, 0
    transcribed: list[TranscribedWindow] = []
    finished = finished_windows(windows, audio, attempt, client, options, in_flight=in_flight_of(info))
    with closing(finished):
        for done in finished:
            if done is not None:
                done_ms += done.window.end_ms - done.window.start_ms
                transcribed.append(done.window)
                if done.is_new:
                    yield Chunk(done.key, done.window)
            # Yield even when nothing finished: the reader can stop this attempt only between two values.
            yield Progress(PHASE, min(done_ms, total_ms), total_ms, "audio_ms")
    ordered = sorted(transcribed, key=lambda window: window.index)
    words = [word for window in ordered for segment in window.segments for word in words_of(segment)]
    yield Result(RetranscribeResult(engine=engine, words=tuple(words)))


def span_windows(spans: Sequence[Span], duration_ms: int) -> Iterator[SpeechWindow]:
    """Windows over these parts in order, each with a margin; a part too long for one window is cut into equal ones."""
    index = 0
    last = 0
    for start, end in spans:
        start, end = max(last, start - SPAN_MARGIN_MS), min(duration_ms, end + SPAN_MARGIN_MS)
        if end <= start:
            continue
        pieces = -(-(end - start) // DEFAULT_CUT.longest_ms)
        for piece in range(pieces):
            first = start + (end - start) * piece // pieces
            last = start + (end - start) * (piece + 1) // pieces
            yield SpeechWindow(index, first, last, ((first, last),), cut_in_speech=pieces > 1)
            index += 1
