"""The flow of a live recording, with the built-in engines on real speech: nothing is lost, whatever goes wrong."""

from __future__ import annotations

import wave
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cluster.storage.folder import LocalStorage
from cluster.testing.patience import PATIENCE_S
from pipelines.flows.live import flow
from pipelines.media.sound.journal import PIECE_BYTES, write_end, write_piece
from pipelines.messages.attempt import Attempt, Chunk, Interim, StageFailed
from pipelines.messages.live import PASSAGE, WORDS, LiveOutlook, LiveRequest, LiveResult
from pipelines.testing.in_process import InProcessClient
from pipelines.testing.voices import FOX, SUIT, silence, spoken, write_wav
from serve.core.in_process import InProcessModel
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.core.settings import ModelSettings
from serve.tasks.live.engine import StreamingEngine
from serve.tasks.live.load import load_live
from serve.tasks.live.messages import LiveSound, LiveText
from serve.tasks.live.profile import LiveProfile
from serve.tasks.live.task import LIVE_TASK
from serve.tasks.transcription.engine import WindowOutcome
from serve.tasks.transcription.messages import AudioWindow
from serve.tasks.transcription.pocketsphinx.engine import PocketSphinxEngine

REQUEST = LiveRequest(file_id="one", journal="live/one", language="en-US")
LiveModel = InProcessModel[LiveSound, LiveText, StreamingEngine[Any]]


class Prompt:
    """A client whose answer is there before the next piece is read, so that each run reads the same pieces."""

    def __init__(self, live: LiveModel) -> None:
        self._live = live

    def describe(self) -> EngineInfo:
        return self._live.describe()

    def submit(self, sound: LiveSound) -> Future[LiveText]:
        answer = self._live.submit(sound)
        answer.exception(PATIENCE_S)
        return answer


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("live")
    fox, suit = spoken(FOX, "slt", folder), spoken(SUIT, "rms", folder)
    with wave.open(str(write_wav(folder / "s.wav", silence(1), fox, silence(1.5), suit, silence(1))), "rb") as opened:
        return opened.readframes(opened.getnframes())


@pytest.fixture
def storage(tmp_path: Path, sound: bytes) -> LocalStorage:
    """With a journal that has ended."""
    kept = LocalStorage(tmp_path / "objects")
    pieces = [sound[at : at + PIECE_BYTES] for at in range(0, len(sound), PIECE_BYTES)]
    for number, piece in enumerate(pieces):
        write_piece(kept, REQUEST.journal, number, piece, tmp_path / "piece")
    write_end(kept, REQUEST.journal, len(pieces), tmp_path / "end")
    return kept


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prompt]:
    profile, empty = LiveProfile(), tmp_path_factory.mktemp("models")
    with closing(InProcessModel(LIVE_TASK, profile, lambda: load_live(profile, ModelSettings(), empty))) as model:
        yield Prompt(model)


@pytest.fixture(scope="module")
def engine() -> Iterator[PocketSphinxEngine]:
    with closing(PocketSphinxEngine(reason="test", parallel=2)) as made:
        yield made


@pytest.fixture
def speech(engine: PocketSphinxEngine) -> Iterator[InProcessClient]:
    client = InProcessClient(engine)
    yield client
    client.stop()


def attempt(folder: Path, chunks: dict[str, dict[str, Any]] | None = None) -> Attempt:
    work = folder / "work"
    work.mkdir(exist_ok=True)
    return Attempt("job", 1, work, "jobs/job/1", chunks or {})


def followed(tmp_path: Path, storage: LocalStorage, live: Any, speech: Any, chunks: Any = None) -> list[Any]:
    info = live.describe() if hasattr(live, "describe") else None
    values = flow.follow(REQUEST, attempt(tmp_path, chunks), storage=storage, live=live, live_info=info, speech=speech)
    return list(values)


def payloads(values: Sequence[Any], kind: str) -> list[Any]:
    """The groups of final words (`WORDS`) or the passages (`PASSAGE`)."""
    return [value.payload for value in values if isinstance(value, Chunk) and value.key.startswith(kind)]


def said(values: Sequence[Any], kind: str) -> list[str]:
    """Their words."""
    if kind == WORDS:
        return [word.text for group in payloads(values, kind) for word in group.words]
    return [text for each in payloads(values, kind) for segment in each.segments for text in segment.text.split()]


def test_a_recording_gives_words_then_passages_then_a_file(
    tmp_path: Path, storage: LocalStorage, live: Prompt, speech: InProcessClient, sound: bytes
) -> None:
    values = followed(tmp_path, storage, live, speech)
    passages = payloads(values, PASSAGE)
    assert len(passages) == 2
    assert {"brown", "dog", "suit", "year"} <= set(said(values, PASSAGE))
    assert {"brown", "dog"} <= set(said(values, WORDS))
    assert passages[0].end_ms <= passages[1].start_ms
    outlooks = [v.payload for v in values if isinstance(v, Interim)]
    assert any(isinstance(each, LiveOutlook) and each.text for each in outlooks)
    assert outlooks[-1] == LiveOutlook(
        text="", final=len([v for v in values if getattr(v, "key", "").startswith(WORDS)])
    )
    result = values[-1].payload
    assert isinstance(result, LiveResult)
    assert result.passages == 2
    with wave.open(str(storage.open_path(result.original_key)), "rb") as kept:
        assert kept.readframes(kept.getnframes())[: len(sound)] == sound, "every sample is in the file"
    assert result.recording.audio_key is not None
    assert result.recording.peaks_key is not None


@pytest.mark.long
@pytest.mark.parametrize("where", ["passage", "word", "end"])
def test_another_attempt_goes_on_after_the_last_passage_and_says_no_final_word_twice(
    tmp_path: Path, storage: LocalStorage, live: Prompt, speech: InProcessClient, where: str
) -> None:
    whole = followed(tmp_path, storage, live, speech)
    chunks = [value for value in whole if isinstance(value, Chunk)]
    first_passage = next(at for at, value in enumerate(chunks) if value.key.startswith(PASSAGE))
    kept = {"word": 1, "passage": first_passage + 1, "end": len(chunks) - 1}[where]
    before = {value.key: value.payload.to_json() for value in chunks[:kept]}
    after = followed(tmp_path, storage, live, speech, before)
    keys = [value.key for value in after if isinstance(value, Chunk)]
    assert not set(keys) & set(before), "nothing is handed over twice"
    both = chunks[:kept] + [value for value in after if isinstance(value, Chunk)]
    ends = [word.end_ms for group in payloads(both, WORDS) for word in group.words]
    assert ends == sorted(ends)
    assert said(both, WORDS) == said(whole, WORDS)
    assert len(payloads(both, PASSAGE)) == 2


class Forgetful:
    """A client whose replica is replaced after each piece: it has lost what came before."""

    def __init__(self, live: Prompt, every: int) -> None:
        self._live = live
        self._every = every
        self.lost = 0
        self._count = 0

    def describe(self) -> EngineInfo:
        return self._live.describe()

    def submit(self, sound: LiveSound) -> Future[LiveText]:
        self._count += 1
        if sound.offset and self._count % self._every == 0:
            self.lost += 1
            refused: Future[LiveText] = Future()
            refused.set_exception(EngineRefused(EngineProblem.LOST_STATE, "It is gone."))
            return refused
        return self._live.submit(sound)


@pytest.mark.long
def test_a_replica_that_is_replaced_costs_no_word(
    tmp_path: Path, storage: LocalStorage, live: Prompt, speech: InProcessClient
) -> None:
    client = Forgetful(live, every=5)
    values = followed(tmp_path, storage, client, speech)
    assert client.lost >= 2
    assert said(values, PASSAGE) == said(followed(tmp_path, storage, live, speech), PASSAGE)
    assert {"brown", "dog"} <= set(said(values, WORDS))


class Broken:
    """A client whose engine always fails."""

    def __init__(self, live: Prompt) -> None:
        self._live = live

    def describe(self) -> EngineInfo:
        return self._live.describe()

    def submit(self, sound: LiveSound) -> Future[LiveText]:
        refused: Future[LiveText] = Future()
        refused.set_exception(EngineRefused(EngineProblem.MODEL_FAILED, "It is broken.", 0.01))
        return refused


@pytest.mark.long
def test_without_the_live_engine_words_come_with_their_passages(
    tmp_path: Path, storage: LocalStorage, live: Prompt, speech: InProcessClient
) -> None:
    values = followed(tmp_path, storage, Broken(live), speech)
    assert {"brown", "dog", "suit", "year"} <= set(said(values, PASSAGE))
    assert said(values, WORDS) == said(values, PASSAGE)


@pytest.mark.long
def test_without_the_final_reading_what_was_heard_live_becomes_the_passage(
    tmp_path: Path, storage: LocalStorage, live: Prompt, engine: PocketSphinxEngine
) -> None:
    speech = speech_that_fails(engine)
    values = followed(tmp_path, storage, live, speech)
    assert said(values, PASSAGE) == said(values, WORDS)
    with pytest.raises(StageFailed, match="broken"):
        followed(tmp_path, storage, Broken(live), speech)
    speech.stop()


def speech_that_fails(engine: PocketSphinxEngine) -> InProcessClient:
    def fail(_window: AudioWindow) -> None:
        raise EngineRefused(EngineProblem.MODEL_FAILED, "It is broken.")

    return InProcessClient(engine, before=fail)


class Better(PocketSphinxEngine):
    """Stands for a better speech model of many languages, by its record alone."""

    def __init__(self) -> None:
        super().__init__(reason="test", parallel=2)
        object.__setattr__(self.info, "engine", "whisper")

    def run(self, batch: Sequence[AudioWindow]) -> list[WindowOutcome]:
        return super().run(batch)


@pytest.mark.long
def test_a_better_model_reads_each_utterance_again_while_it_is_spoken(
    tmp_path: Path, storage: LocalStorage, live: Prompt
) -> None:
    with closing(Better()) as better:
        speech = InProcessClient(better)
        values = followed(tmp_path, storage, live, speech)
        speech.stop()
    sizes = [len(window.pcm) for window in speech.windows if window.index == 0]
    assert len(sizes) > 2
    assert sizes == sorted(sizes), "each reading has all sound so far"
    assert {"brown", "dog"} <= set(said(values, WORDS))


def test_a_language_that_nothing_here_follows_is_refused(
    tmp_path: Path, storage: LocalStorage, live: Prompt, speech: InProcessClient
) -> None:
    request = REQUEST.model_copy(update={"language": "is-IS"})
    with pytest.raises(StageFailed, match="Icelandic"):
        list(
            flow.follow(
                request, attempt(tmp_path), storage=storage, live=live, live_info=live.describe(), speech=speech
            )
        )


def test_a_recording_without_any_sound_is_nothing_to_keep(
    tmp_path: Path, live: Prompt, speech: InProcessClient
) -> None:
    storage = LocalStorage(tmp_path / "empty")
    write_end(storage, REQUEST.journal, 0, tmp_path / "end")
    with pytest.raises(StageFailed) as failed:
        followed(tmp_path, storage, live, speech)
    assert failed.value.reason == flow.NO_SOUND


@pytest.mark.long
def test_a_silence_is_handed_over_as_read_and_another_attempt_begins_behind_it(
    tmp_path: Path, live: Prompt, speech: InProcessClient
) -> None:
    storage = LocalStorage(tmp_path / "objects")
    for number in range(24):
        write_piece(storage, REQUEST.journal, number, bytes(PIECE_BYTES), tmp_path / "piece")
    write_end(storage, REQUEST.journal, 24, tmp_path / "end")
    values = followed(tmp_path, storage, live, speech)
    silences = payloads(values, PASSAGE)
    assert [each.start_ms for each in silences] == [0, *(each.end_ms for each in silences[:-1])]
    assert not any(each.segments for each in silences)
    assert 10_000 <= silences[-1].end_ms < 12_000
    assert values[-1].payload.passages == 0, "nothing was said"
    before = {value.key: value.payload.to_json() for value in values if isinstance(value, Chunk)}
    assert not payloads(followed(tmp_path, storage, live, speech, before), PASSAGE)
