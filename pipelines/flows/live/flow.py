"""The flow of kind `live`: reads a recording from its journal while it is made, and keeps it as a file in the end."""

from __future__ import annotations

import time
import wave
from collections.abc import Generator, Mapping
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

from cluster.settings import get_cluster_settings
from cluster.storage.objects import Storage
from cluster.storage.opening import open_storage
from cluster.wording.message import Message
from pipelines.flows.ingest import ingest_file, store_file
from pipelines.flows.live.decoding import Decoding, LiveClientLike, RepeatedDecoding, StreamedDecoding
from pipelines.flows.live.speech import Before, LiveSpeech
from pipelines.flows.transcribe.aligned import aligned_speech
from pipelines.flows.transcribe.flow import unsupported
from pipelines.flows.transcribe.windows import SpeechClient, refused
from pipelines.language_choice import unavailable_reason
from pipelines.languages import whisper_code
from pipelines.media.sound.journal import PIECE_MS, Journal
from pipelines.media.sound.pcm import BYTES_PER_SAMPLE, SAMPLES_PER_MS
from pipelines.media.sound.utterances import DEFAULT_RULES, UtteranceCutter, UtteranceRules
from pipelines.messages.attempt import Attempt, Chunk, Interim, Progress, Result, StageFailed
from pipelines.messages.live import PASSAGE, WORDS, LiveRequest, LiveResult, LiveWords
from pipelines.messages.results import IngestResult, TranscribedWindow
from pipelines.messages.spoken_terms import terms_in
from serve.core.capability import engine_for
from serve.core.messages import EngineInfo, EngineRefused
from serve.tasks.transcription.messages import OFFLINE_ENGINE, SAMPLE_RATE, DecodeOptions

STAGE = PHASE = "live"
IDLE_S = 0.05
"""How long it waits where there is neither sound nor an answer."""
PROGRESS_EVERY_S = 2.0
SILENT_S = 1.0
"""Without a piece for so long, twice as long as one is, no more sound comes for now."""
NO_SOUND = Message("pipelines.flows.live_no_sound", "No sound arrived, so there is nothing to keep.")


def run(request: LiveRequest, attempt: Attempt) -> Generator[Progress | Chunk | Interim | Result]:
    """Follow a recording by the models of the cluster."""
    # Imported here because they import Ray.
    from serve.tasks.live.client import LiveClient
    from serve.tasks.transcription.client import TranscriberClient

    storage = open_storage(get_cluster_settings())
    with ExitStack() as opened:
        live = opened.enter_context(LiveClient())
        speech = opened.enter_context(aligned_speech(opened.enter_context(TranscriberClient())))
        yield from follow(request, attempt, storage=storage, live=live, live_info=described(live), speech=speech)


def described(live: Any) -> EngineInfo | None:
    """The engine for live speech; None where there is none."""
    with suppress(EngineRefused):
        info: EngineInfo = live.describe()
        return info
    return None


def _before(chunks: Mapping[str, dict[str, Any]]) -> Before:
    words = [LiveWords.from_json(chunks[key]) for key in sorted(chunks) if key.startswith(WORDS)]
    passages = [TranscribedWindow.from_json(chunks[key]) for key in sorted(chunks) if key.startswith(PASSAGE)]
    return Before(
        words=len(words),
        passages=len(passages),
        with_text=sum(bool(passage.segments) for passage in passages),
        final_until_ms=max((group.words[-1].end_ms for group in words), default=0),
        read_until_ms=max((passage.end_ms for passage in passages), default=0),
    )


def follow(
    request: LiveRequest,
    attempt: Attempt,
    *,
    storage: Storage,
    live: LiveClientLike,
    live_info: EngineInfo | None,
    speech: SpeechClient,
) -> Generator[Progress | Chunk | Interim | Result]:
    """Yield words as they become final, passages after each pause, then the recording.

    An attempt begins at the end of the last passage that an earlier one has handed over. Raises only `StageFailed`.
    """
    before = _before(attempt.chunks)
    yield Progress(PHASE, before.read_until_ms, 0, "audio_ms")
    try:
        info = speech.describe()
        decoding, options = _decoding(request, live, live_info, speech, info)
        followed = LiveSpeech(attempt.job_id, decoding, speech, options, before)
        cutter = UtteranceCutter(before.read_until_ms, _rules(request))
        path = attempt.work / "recording.wav"
        with closing(followed):
            yield from _listened(Journal(storage, request.journal, time.monotonic), followed, cutter, before, path)
    except EngineRefused as error:
        raise refused(STAGE, error) from error
    yield from _kept(path, attempt, storage, info, followed.with_text)


def _decoding(
    request: LiveRequest, live: LiveClientLike, live_info: EngineInfo | None, speech: SpeechClient, info: EngineInfo
) -> tuple[Decoding, DecodeOptions]:
    """A better model that reads again and again comes before the built-in engine that follows speech."""
    code = whisper_code(request.language)
    is_there = unavailable_reason(info, request.language) is None
    follower = None
    if live_info is not None and unavailable_reason(live_info, request.language) is None:
        follower = engine_for(live_info, code)
    options = DecodeOptions(language=code, terms=terms_in(request.terms, code, info))
    is_built_in = engine_for(info, code).engine == OFFLINE_ENGINE
    if follower is not None and (follower.engine != OFFLINE_ENGINE or is_built_in):
        return StreamedDecoding(live, options), options
    if not is_there:
        raise unsupported(request.language, info)
    return RepeatedDecoding(speech, options), options


def _rules(request: LiveRequest) -> UtteranceRules:
    return DEFAULT_RULES if request.detection is None else UtteranceRules.of(request.detection)


def _listened(
    journal: Journal, followed: LiveSpeech, cutter: UtteranceCutter, before: Before, path: Path
) -> Generator[Progress | Chunk | Interim]:
    """Follow the journal to its end, and write the recording."""
    reported = arrived = time.monotonic()
    with _recording(path) as recording:
        while True:
            piece = None if followed.is_behind else journal.next()
            if piece is not None:
                arrived = time.monotonic()
                recording.writeframes(piece)
                followed.add(cutter.add(_from(piece, journal.read - 1, before.read_until_ms)))
            yield from followed.step()
            if cutter.quiet_until_ms is not None:
                yield from followed.settle(cutter.quiet_until_ms, is_last=time.monotonic() - arrived >= SILENT_S)
            if time.monotonic() - reported >= PROGRESS_EVERY_S:
                reported = time.monotonic()
                yield Progress(PHASE, journal.read * PIECE_MS, 0, "audio_ms")
            if piece is None:
                if journal.is_read:
                    break
                _rest(followed)
        followed.add(cutter.finish())
        while not followed.is_idle:
            yield from followed.step()
            _rest(followed)


def _rest(followed: LiveSpeech) -> None:
    waiting = [future for future in followed.waits_for if not future.done()]
    if waiting:
        wait(waiting, timeout=IDLE_S, return_when=FIRST_COMPLETED)
    else:
        time.sleep(IDLE_S)


def _recording(path: Path) -> wave.Wave_write:
    recording = wave.open(str(path), "wb")  # noqa: SIM115 - closed by the caller's context
    recording.setnchannels(1)
    recording.setsampwidth(BYTES_PER_SAMPLE)
    recording.setframerate(SAMPLE_RATE)
    return recording


def _from(piece: bytes, number: int, start_ms: int) -> bytes:
    """The part of a piece from a time of the recording on."""
    before_ms = max(0, start_ms - number * PIECE_MS)
    return piece[before_ms * SAMPLES_PER_MS * BYTES_PER_SAMPLE :]


def _kept(
    path: Path, attempt: Attempt, storage: Storage, info: EngineInfo, passages: int
) -> Generator[Progress | Result]:
    with wave.open(str(path), "rb") as recording:
        if recording.getnframes() == 0:
            raise StageFailed(STAGE, NO_SOUND, retryable=False)
    prepared: IngestResult | None = None
    for value in ingest_file(path, attempt, storage):
        if isinstance(value, Result):
            assert isinstance(value.payload, IngestResult)
            prepared = value.payload
        else:
            yield value
    assert prepared is not None
    size = path.stat().st_size
    key = store_file(storage, attempt, path)
    yield Result(LiveResult(recording=prepared, original_key=key, size_bytes=size, engine=info, passages=passages))
