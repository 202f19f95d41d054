"""The flow `transcribe` on real speech, with the bundled engine."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cluster.storage.folder import LocalStorage
from cluster.testing.patience import PATIENCE_S
from pipelines.flows.transcribe import windows
from pipelines.flows.transcribe.flow import NO_AUDIO, transcribe
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED, Attempt, Chunk, Progress, Result, StageFailed
from pipelines.messages.requests import TranscribeRequest
from pipelines.messages.results import TranscribedWindow, TranscribeResult
from pipelines.testing.in_process import InProcessClient
from pipelines.testing.voices import FOX, SUIT, silence, spoken, write_wav
from serve.core.messages import EngineProblem, EngineRefused
from serve.tasks.transcription.engine import WindowOutcome
from serve.tasks.transcription.messages import AudioWindow, LanguageGuess, Segment, WindowResult, Word
from serve.tasks.transcription.pocketsphinx.engine import PocketSphinxEngine

AUDIO_KEY = "files/one/audio.wav"


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> LocalStorage:
    """Three sentences in three windows, separated by 4 s of silence."""
    folder = tmp_path_factory.mktemp("audio")
    fox, suit = spoken(FOX, "slt", folder), spoken(SUIT, "rms", folder)
    kept = LocalStorage(folder / "objects")
    kept.put(write_wav(folder / "speech.wav", fox, silence(4), suit, silence(4), fox, silence(3)), AUDIO_KEY)
    kept.put(write_wav(folder / "silent.wav", silence(6)), "files/two/audio.wav")
    return kept


class Remembering(PocketSphinxEngine):
    """The real engine, which decodes each window once: it takes a second, and its results repeat."""

    def __init__(self) -> None:
        super().__init__(reason="test", parallel=2)
        self._known: dict[AudioWindow, WindowOutcome] = {}

    def run(self, batch: Sequence[AudioWindow]) -> list[WindowOutcome]:
        for window in batch:
            if window not in self._known:
                (self._known[window],) = super().run([window])
        return [self._known[window] for window in batch]


class Sharing(PocketSphinxEngine):
    """An engine that decodes by the one that remembers."""

    def __init__(self, engine: Remembering) -> None:
        super().__init__(reason="test", parallel=2)
        self._engine = engine

    def run(self, batch: Sequence[AudioWindow]) -> list[WindowOutcome]:
        return self._engine.run(batch)


@pytest.fixture(scope="module")
def engine() -> Iterator[Remembering]:
    made = Remembering()
    yield made
    made.close()


@pytest.fixture
def client(engine: Remembering) -> Iterator[InProcessClient]:
    made = InProcessClient(engine)
    yield made
    made.stop()


def attempt(tmp_path: Path, chunks: dict[str, dict[str, Any]] | None = None) -> Attempt:
    return Attempt("job", 1, tmp_path, "files/one/work", chunks or {})


def request(storage: LocalStorage, *, key: str | None = AUDIO_KEY, language: str = "en-US") -> TranscribeRequest:
    duration_ms = 0 if key is None or not storage.exists(key) else storage.size(key) // 32
    return TranscribeRequest(file_id="one", audio_key=key, duration_ms=duration_ms, language=language)


def parts(values: list[Any]) -> tuple[list[Progress], list[Chunk], TranscribeResult]:
    assert isinstance(values[-1], Result)
    assert isinstance(values[-1].payload, TranscribeResult)
    progress = [value for value in values if isinstance(value, Progress)]
    chunks = [value for value in values if isinstance(value, Chunk)]
    assert len(progress) + len(chunks) + 1 == len(values)
    return progress, chunks, values[-1].payload


def texts_of(result: TranscribeResult) -> list[str]:
    return [line.text.replace("\n", " ") for line in result.lines]


def segments_of(chunks: list[Chunk]) -> list[Segment]:
    windows = [chunk.payload for chunk in chunks if isinstance(chunk.payload, TranscribedWindow)]
    return [segment for window in sorted(windows, key=lambda window: window.index) for segment in window.segments]


def test_speech_is_transcribed_in_order_with_true_progress(
    tmp_path: Path, storage: LocalStorage, client: InProcessClient
) -> None:
    wanted = request(storage)
    progress, chunks, result = parts(list(transcribe(wanted, attempt(tmp_path), client=client, storage=storage)))
    assert len(texts_of(result)) == 3
    assert "quick brown fox" in texts_of(result)[0]
    assert "she had your dark suit" in texts_of(result)[1]
    assert texts_of(result)[2] == texts_of(result)[0]
    segments = segments_of(chunks)
    assert segments == sorted(segments, key=lambda segment: segment.start_ms)
    assert segments[0].start_ms < 1_000
    assert segments[-1].end_ms < wanted.duration_ms - 2_500
    assert {chunk.key for chunk in chunks} == {"window-000000", "window-000001", "window-000002"}
    dones = [each.done for each in progress]
    assert dones == sorted(dones)
    assert (dones[0], dones[-1]) == (0, wanted.duration_ms)
    assert {(each.phase, each.total, each.unit) for each in progress} == {
        ("transcribing", wanted.duration_ms, "audio_ms")
    }
    assert result.language == "en-US"
    assert result.engine.engine == "pocketsphinx"
    # What the database keeps is plain JSON, and small where the captions have it.
    assert json.loads(json.dumps(result.record()))["lines"] == 3
    kept = [json.loads(json.dumps(chunk.payload.to_json())) for chunk in chunks]
    assert [TranscribedWindow.from_json(each) for each in kept] == [chunk.payload for chunk in chunks]


def test_a_second_attempt_does_only_the_remaining_windows(
    tmp_path: Path, storage: LocalStorage, client: InProcessClient
) -> None:
    wanted = request(storage)
    _, chunks, whole = parts(list(transcribe(wanted, attempt(tmp_path), client=client, storage=storage)))
    kept = {chunk.key: chunk.payload.to_json() for chunk in chunks if chunk.key != "window-000001"}
    client.windows.clear()
    _, again, result = parts(list(transcribe(wanted, attempt(tmp_path, kept), client=client, storage=storage)))
    assert [window.index for window in client.windows] == [1]
    assert [chunk.key for chunk in again] == ["window-000001"]
    assert texts_of(result) == texts_of(whole)


def test_a_chunk_of_other_times_is_transcribed_again(
    tmp_path: Path, storage: LocalStorage, client: InProcessClient
) -> None:
    stale = {"index": 0, "start_ms": 0, "end_ms": 5, "language": "en", "language_probability": 1.0, "segments": []}
    values = transcribe(request(storage), attempt(tmp_path, {"window-000000": stale}), client=client, storage=storage)
    _, chunks, result = parts(list(values))
    assert len(chunks) == 3
    assert "quick brown fox" in texts_of(result)[0]


@pytest.mark.parametrize("key", ["files/two/audio.wav", None])
def test_a_file_without_speech_has_no_segments(
    tmp_path: Path, storage: LocalStorage, client: InProcessClient, key: str | None
) -> None:
    wanted = request(storage, key=key, language="auto")
    _, chunks, result = parts(list(transcribe(wanted, attempt(tmp_path), client=client, storage=storage)))
    assert chunks == []
    assert result.lines == ()
    assert client.windows == []


def test_an_unsupported_language_ends_the_job_with_its_sentence(
    tmp_path: Path, storage: LocalStorage, client: InProcessClient
) -> None:
    with pytest.raises(StageFailed, match="supports only English and cannot transcribe Icelandic") as failed:
        list(transcribe(request(storage, language="is-IS"), attempt(tmp_path), client=client, storage=storage))
    assert (failed.value.retryable, failed.value.code) == (False, LANGUAGE_UNSUPPORTED)
    assert client.windows == []


def test_missing_audio_ends_the_job_with_a_sentence(
    tmp_path: Path, storage: LocalStorage, client: InProcessClient
) -> None:
    with pytest.raises(StageFailed) as failed:
        list(transcribe(request(storage, key="files/gone/a.wav"), attempt(tmp_path), client=client, storage=storage))
    assert (failed.value.reason, failed.value.retryable) == (NO_AUDIO, False)


def test_a_failing_model_ends_the_attempt_so_that_another_may_follow(
    tmp_path: Path, storage: LocalStorage, client: InProcessClient
) -> None:
    finished_two = threading.Event()

    def fail_last(window: AudioWindow) -> None:
        if window.index == 2:
            finished_two.wait(PATIENCE_S)
            raise EngineRefused(EngineProblem.MODEL_FAILED, "The model stopped.")

    client.before = fail_last
    kept: list[str] = []

    def follow() -> None:
        for value in transcribe(request(storage), attempt(tmp_path), client=client, storage=storage):
            kept.extend([value.key] if isinstance(value, Chunk) else [])
            if len(kept) == 2:
                finished_two.set()

    with pytest.raises(StageFailed, match=r"The model stopped\.") as failed:
        follow()
    # Earlier results are kept for it.
    assert sorted(kept) == ["window-000000", "window-000001"]
    assert failed.value.retryable


def test_windows_in_flight_are_bounded_and_closing_cancels_them(
    tmp_path: Path, storage: LocalStorage, client: InProcessClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.flows.transcribe.flow.in_flight_of", lambda info: 2)
    monkeypatch.setattr(windows, "_YIELD_EVERY_S", 0.05)
    held = threading.Event()

    def hold(_window: AudioWindow) -> None:
        held.wait(PATIENCE_S)

    client.before = hold
    flow = transcribe(request(storage), attempt(tmp_path), client=client, storage=storage)
    told = [next(flow) for _ in range(4)]
    assert all(isinstance(each, Progress) and each.done == 0 for each in told)
    assert client.most_at_once == 2
    flow.close()
    held.set()
    assert len(client.windows) == 2


class Bilingual(Sharing):
    """The real engine with a language detector that PocketSphinx lacks: the test gives each window's guess."""

    guesses: tuple[tuple[tuple[str, float], ...], ...] = ()

    def detect(self, window: AudioWindow) -> LanguageGuess:
        return LanguageGuess(self.guesses[window.index])


def test_language_is_chosen_by_the_votes_of_the_first_windows(
    tmp_path: Path, storage: LocalStorage, engine: Remembering
) -> None:
    bilingual = Bilingual(engine)
    bilingual.guesses = ((("is", 0.6), ("en", 0.4)), (("en", 0.9), ("is", 0.1)), (("en", 0.9), ("is", 0.1)))
    client = InProcessClient(bilingual)
    try:
        wanted = request(storage, language="auto")
        _, chunks, result = parts(list(transcribe(wanted, attempt(tmp_path), client=client, storage=storage)))
        assert result.language == "en-US"
        assert 0.6 < result.language_probability < 0.9
        assert {window.options.language for window in client.windows} == {"en"}
        assert "quick brown fox" in texts_of(result)[0]
        bilingual.guesses = ((("is", 1.0),),) * 3
        kept = {chunk.key: chunk.payload.to_json() for chunk in chunks[:1]}
        _, _, again = parts(list(transcribe(wanted, attempt(tmp_path, kept), client=client, storage=storage)))
        assert again.language == "en-US"
    finally:
        client.stop()


class Inventing(Sharing):
    """The real engine that also writes text nobody said, as speech models do."""

    def run(self, batch: Any) -> list[WindowOutcome]:
        return [
            replace(outcome, segments=self._more(outcome, window)) if isinstance(outcome, WindowResult) else outcome
            for outcome, window in zip(super().run(batch), batch, strict=True)
        ]

    def _more(self, result: WindowResult, window: AudioWindow) -> tuple[Segment, ...]:
        end = window.start_ms + window.duration_ms

        def segment(start: int, text: str, *doubts: str) -> Segment:
            return Segment(start, start + 300, text, (Word(start, start + 300, text, 0.5),), "en", doubts)

        return (
            *result.segments,
            segment(window.start_ms + 300, "echo", "loop", "unlikely"),
            segment(window.start_ms + 600, "hum", "outside_speech"),
            segment(window.start_ms + 900, "doubtful", "unlikely"),
            segment(end + 500, "subscribe"),
        )


def test_text_nobody_said_is_dropped_and_doubtful_text_stays_marked(
    tmp_path: Path, storage: LocalStorage, engine: Remembering
) -> None:
    client = InProcessClient(Inventing(engine))
    try:
        _, chunks, _ = parts(list(transcribe(request(storage), attempt(tmp_path), client=client, storage=storage)))
    finally:
        client.stop()
    segments = segments_of(chunks)
    texts = [segment.text for segment in segments]
    assert texts.count("doubtful") == 3
    assert not {"echo", "hum", "subscribe"} & set(texts)
    assert [segment.doubts for segment in segments if segment.text == "doubtful"] == [("unlikely",)] * 3
