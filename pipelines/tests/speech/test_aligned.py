"""A speech model without times of words: the alignment model gives them, and nothing is lost where it cannot."""

from __future__ import annotations

import wave
from collections.abc import Generator, Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from cluster.storage.folder import LocalStorage
from pipelines.captions.texts.word_times import spread
from pipelines.flows.transcribe.aligned import AlignedSpeech, AlignmentClient
from pipelines.flows.transcribe.flow import transcribe
from pipelines.flows.transcribe.measure import SpokenWords, measure, measured
from pipelines.media.sound.stored_sound import stored_sound
from pipelines.messages.attempt import Attempt, Result, StageFailed
from pipelines.messages.lines import CaptionWord, Origin
from pipelines.messages.measure import MeasuredLine, MeasureRequest, MeasureResult
from pipelines.messages.requests import TranscribeRequest
from pipelines.messages.results import TranscribeResult
from pipelines.testing.in_process import InProcessClient
from pipelines.testing.voices import silence, write_wav
from serve.core.messages import EngineProblem, EngineRefused, WordTimes
from serve.core.models.model_files import ModelMissing
from serve.core.settings import ModelSettings
from serve.tasks.alignment.in_process import InProcessAligner
from serve.tasks.alignment.messages import AlignedText, AlignedWord, TextWindow
from serve.tasks.alignment.profile import AlignmentProfile
from serve.tasks.transcription.messages import AudioWindow
from serve.tasks.transcription.remote.engine import RemoteSpeechEngine
from serve.tasks.transcription.remote.settings import SpeechEndpoint
from serve.testing.speech_endpoint import MODEL, StandInSpeech, speech_endpoint
from serve.testing.tiny_speller.folders import omnilingual_speller
from serve.testing.tiny_speller.spoken import Spoken, speak

WORDS = ["the", "speech", "model", "hears", "every", "word", "of", "a", "long", "recording"]
LEAD_S = 0.5


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Spoken:
    return speak(WORDS, tmp_path_factory.mktemp("spoken"))


@pytest.fixture(scope="module")
def endpoint() -> Iterator[StandInSpeech]:
    with speech_endpoint(lambda _call: {"text": "The speech model hears every word of a long recording."}) as running:
        running.faults.refuses_verbose = True
        yield running


@pytest.fixture(scope="module")
def speech(endpoint: StandInSpeech) -> Iterator[InProcessClient]:
    engine = RemoteSpeechEngine(SpeechEndpoint(endpoint.url, MODEL, None), reason="Test.")
    client = InProcessClient(engine)
    yield client
    client.stop()
    engine.close()


@pytest.fixture(scope="module")
def aligner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessAligner]:
    models = omnilingual_speller(tmp_path_factory.mktemp("aligner")).parent
    with closing(InProcessAligner(AlignmentProfile(), ModelSettings(), models)) as loaded:
        yield loaded


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory, spoken: Spoken) -> LocalStorage:
    folder = tmp_path_factory.mktemp("stored")
    kept = LocalStorage(folder / "objects")
    pcm = (np.clip(spoken.samples, -1, 1) * 32767).astype("<i2").tobytes()
    kept.put(write_wav(folder / "spoken.wav", silence(LEAD_S), pcm, silence(0.5)), "files/spoken")
    return kept


def result(client: AlignedSpeech | InProcessClient, storage: LocalStorage, work: Path) -> TranscribeResult:
    duration_ms = storage.size("files/spoken") // 32
    request = TranscribeRequest(file_id="one", audio_key="files/spoken", duration_ms=duration_ms, language="en-US")
    *_, last = transcribe(request, Attempt("job", 1, work, "files/one/work", {}), client=client, storage=storage)
    assert isinstance(last, Result)
    assert isinstance(last.payload, TranscribeResult)
    return last.payload


def starts(made: TranscribeResult) -> list[int]:
    return [word.start_ms for line in made.lines for word in line.words]


def errors(made: TranscribeResult, spoken: Spoken) -> list[int]:
    assert spoken.words is not None
    return [
        abs(start - round(LEAD_S * 1000) - word.start_ms)
        for start, word in zip(starts(made), spoken.words, strict=True)
    ]


def test_words_get_the_times_at_which_they_are_spoken(
    speech: InProcessClient, aligner: InProcessAligner, storage: LocalStorage, spoken: Spoken, tmp_path: Path
) -> None:
    guessed = result(speech, storage, tmp_path)
    timed = result(AlignedSpeech(speech, aligner), storage, tmp_path)
    assert [line.text for line in timed.lines] == [line.text for line in guessed.lines]
    assert max(errors(timed, spoken)) <= 120
    assert sum(errors(timed, spoken)) < sum(errors(guessed, spoken)) / 2
    assert (guessed.engine.word_times, timed.engine.word_times) == (WordTimes.NONE, WordTimes.ALIGNER)


class Failing:
    """An alignment model that is refused."""

    def submit(self, item: TextWindow) -> Future[AlignedText]:
        failed: Future[AlignedText] = Future()
        failed.set_exception(EngineRefused(EngineProblem.MODEL_FAILED, "The alignment model failed."))
        return failed


class Broken:
    """An alignment model that cannot even be asked, as one that could not be loaded."""

    def submit(self, item: TextWindow) -> Future[AlignedText]:
        raise ModelMissing("There is no alignment model on this machine.")


class Confused:
    """An alignment model that answers for another text."""

    def submit(self, item: TextWindow) -> Future[AlignedText]:
        answered: Future[AlignedText] = Future()
        answered.set_result(AlignedText(item.window.index, (AlignedWord(0, 100, 0.9),)))
        return answered


class Cancelled:
    """An alignment model whose work was cancelled."""

    def submit(self, item: TextWindow) -> Future[AlignedText]:
        cancelled: Future[AlignedText] = Future()
        cancelled.cancel()
        cancelled.set_running_or_notify_cancel()
        return cancelled


@pytest.mark.parametrize("model", [Failing, Broken, Confused, Cancelled])
def test_without_the_alignment_model_the_words_stay(
    speech: InProcessClient, storage: LocalStorage, tmp_path: Path, model: type[AlignmentClient]
) -> None:
    assert starts(result(AlignedSpeech(speech, model()), storage, tmp_path)) == starts(
        result(speech, storage, tmp_path)
    )


def test_a_text_that_is_not_spoken_keeps_its_guess(
    endpoint: StandInSpeech, speech: InProcessClient, aligner: InProcessAligner
) -> None:
    noise = np.random.default_rng(0).normal(0, 3000, 3 * 16_000).astype("<i2").tobytes()
    window = AudioWindow("film", 0, 0, noise)
    assert AlignedSpeech(speech, aligner).submit(window).result() == speech.submit(window).result()


def test_a_window_that_is_cancelled_or_refused_ends_so(aligner: InProcessAligner) -> None:
    away = RemoteSpeechEngine(SpeechEndpoint("http://127.0.0.1:9/v1", MODEL, None), reason="Test.")

    def fail(_window: AudioWindow) -> None:
        raise EngineRefused(EngineProblem.OVERLOADED, "Busy.", 1.0)

    client = InProcessClient(away, before=fail)
    with pytest.raises(EngineRefused, match="Busy"):
        AlignedSpeech(client, aligner).submit(AudioWindow("film", 0, 0, b"\x10\x27" * 16_000)).result()
    client.stop()
    away.close()


def test_words_that_were_changed_are_measured_and_the_others_stay(
    aligner: InProcessAligner, storage: LocalStorage, spoken: Spoken
) -> None:
    lead_ms = round(LEAD_S * 1000)
    truth = [CaptionWord(w.start_ms + lead_ms, w.end_ms + lead_ms, w.text, confidence=0.9) for w in spoken.words or ()]
    first, last = truth[3], truth[6]
    estimates = spread([word.text for word in truth[3:7]], first.start_ms, last.end_ms, Origin.HUMAN)
    words = [*truth[:3], *estimates, *truth[7:]]
    with stored_sound(storage, "files/spoken") as audio:

        def times(words: list[CaptionWord], model: AlignmentClient) -> tuple[CaptionWord, ...]:
            [timed] = measured([SpokenWords(tuple(words), 0, audio.duration_ms)], audio, model)
            return timed

        timed = times(words, aligner)
        for without in (Failing(), Broken()):
            assert times(words, without) == tuple(words)
        nonsense = [*truth[:3], *spread(["wizards", "juggle"], first.start_ms, last.end_ms, Origin.HUMAN), *truth[7:]]
        assert times(nonsense, aligner) == tuple(nonsense)
    assert [timed[at] for at in (0, 1, 2, 7, 8, 9)] == [truth[at] for at in (0, 1, 2, 7, 8, 9)]
    off = [abs(one.start_ms - other.start_ms) for one, other in zip(timed[3:7], truth[3:7], strict=True)]
    assert max(off) <= 120
    assert all(word.confidence == 1.0 for word in timed[3:7])


class Remote(LocalStorage):
    """Objects on another machine: they have no path here. It counts the bytes that it hands over."""

    fetched = 0

    def local_path(self, key: str) -> None:  # type: ignore[override]
        return None

    def read(self, key: str, start: int = 0, stop: int | None = None) -> Generator[bytes]:
        for piece in super().read(key, start, stop):
            self.fetched += len(piece)
            yield piece


def test_lines_are_measured_from_storage_elsewhere_by_the_seconds_they_need(
    aligner: InProcessAligner, storage: LocalStorage, spoken: Spoken, tmp_path: Path
) -> None:
    lead_ms = round(LEAD_S * 1000)
    truth = [CaptionWord(w.start_ms + lead_ms, w.end_ms + lead_ms, w.text, confidence=0.9) for w in spoken.words or ()]
    remote = Remote(tmp_path / "far")
    with wave.open(str(storage.open_path("files/spoken"))) as short:
        pcm = short.readframes(short.getnframes())
    remote.put(write_wav(tmp_path / "long.wav", pcm, silence(600)), "files/long")
    heard = MeasuredLine(id="a", start_ms=truth[0].start_ms, end_ms=truth[3].end_ms, words=tuple(truth[:4]))
    texts = [word.text for word in truth[4:8]]
    estimates = spread(texts, truth[4].start_ms, truth[7].end_ms, Origin.HUMAN)
    changed = MeasuredLine(id="b", start_ms=truth[4].start_ms, end_ms=truth[7].end_ms, words=tuple(estimates))
    request = MeasureRequest(file_id="f", track_id="t", audio_key="files/long", since=3, lines=(heard, changed))
    *_, last = measure(request, aligner=aligner, storage=remote)
    assert isinstance(last, Result)
    assert isinstance(last.payload, MeasureResult)
    [line] = last.payload.lines
    assert (line.id, [word.text for word in line.words]) == ("b", texts)
    assert max(abs(a.start_ms - b.start_ms) for a, b in zip(line.words, truth[4:8], strict=True)) <= 120
    assert remote.fetched < 500_000 < remote.size("files/long")
    gone = request.model_copy(update={"audio_key": "files/gone"})
    with pytest.raises(StageFailed):
        list(measure(gone, aligner=aligner, storage=remote))
