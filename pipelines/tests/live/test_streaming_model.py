"""The flow with a model made for streams: words are final at once, each once, whatever happens on the way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cluster.storage.folder import LocalStorage
from pipelines.flows.live import flow
from pipelines.media.sound.journal import PIECE_BYTES, write_end, write_piece
from pipelines.messages.attempt import Attempt, Chunk, Interim
from pipelines.messages.live import WORDS, LiveOutlook, LiveRequest, LiveWords
from pipelines.testing.in_process import InProcessClient
from pipelines.testing.voices import silence
from pipelines.tests.live.test_live import Forgetful, LiveModel, Prompt, payloads
from serve.core.in_process import InProcessModel
from serve.core.settings import ModelSettings
from serve.tasks.live.load import load_live
from serve.tasks.live.profile import LiveProfile
from serve.tasks.live.task import LIVE_TASK
from serve.tasks.transcription.pocketsphinx.engine import PocketSphinxEngine
from serve.testing.tiny_speller.spoken import speak
from serve.testing.tiny_streamer.folders import streaming_models

SENTENCES = (
    "the browser shows the text and the editor keeps each word",
    "every caption may have another time",
)
"""Of words that the tiny model knows."""
REQUEST = LiveRequest(file_id="one", journal="live/one", language="en-US")


@pytest.fixture(scope="module")
def streamer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prompt]:
    folder = streaming_models(tmp_path_factory.mktemp("models"))["zipformer_streaming"]
    profile, settings = LiveProfile(workers=1), ModelSettings(live_models=(str(folder),))
    model: LiveModel
    with closing(InProcessModel(LIVE_TASK, profile, lambda: load_live(profile, settings, folder))) as model:
        yield Prompt(model)


@pytest.fixture(scope="module")
def speech() -> Iterator[InProcessClient]:
    with closing(PocketSphinxEngine(reason="test", parallel=2)) as engine:
        client = InProcessClient(engine)
        yield client
        client.stop()


@pytest.fixture
def storage(tmp_path: Path) -> LocalStorage:
    """With a journal that has ended."""
    parts = [silence(1)]
    for sentence in SENTENCES:
        spoken = speak(sentence.split(), tmp_path, voice="rms")
        parts += [(spoken.samples * 32767).astype("<i2").tobytes(), silence(1.5)]
    pcm = b"".join(parts)
    kept = LocalStorage(tmp_path / "objects")
    pieces = [pcm[at : at + PIECE_BYTES] for at in range(0, len(pcm), PIECE_BYTES)]
    for number, piece in enumerate(pieces):
        write_piece(kept, REQUEST.journal, number, piece, tmp_path / "piece")
    write_end(kept, REQUEST.journal, len(pieces), tmp_path / "end")
    return kept


def followed(tmp_path: Path, storage: LocalStorage, live: Any, speech: Any, chunks: Any = None) -> list[Any]:
    work = tmp_path / "work"
    work.mkdir(exist_ok=True)
    attempt = Attempt("job", 1, work, "jobs/job/1", chunks or {})
    info = live.describe()
    return list(flow.follow(REQUEST, attempt, storage=storage, live=live, live_info=info, speech=speech))


def said(values: list[Any]) -> list[str]:
    return [word.text for group in payloads(values, WORDS) for word in group.words]


def test_words_are_final_as_they_come_and_none_that_was_shown_changes(
    tmp_path: Path, storage: LocalStorage, streamer: Prompt, speech: InProcessClient
) -> None:
    values = followed(tmp_path, storage, streamer, speech)
    words = said(values)
    assert {"browser", "editor", "caption", "time"} <= set(words), words
    shown: list[str] = []
    final = 0
    for value in values:
        if isinstance(value, Chunk) and isinstance(value.payload, LiveWords):
            final += len(value.payload.words)
        elif isinstance(value, Interim) and isinstance(value.payload, LiveOutlook):
            shown = [*words[:final], *value.payload.text.split()]
            assert shown == words[: len(shown)]


@pytest.mark.long
def test_neither_a_lost_replica_nor_another_attempt_says_a_word_twice_or_loses_one(
    tmp_path: Path, storage: LocalStorage, streamer: Prompt, speech: InProcessClient
) -> None:
    whole = followed(tmp_path, storage, streamer, speech)
    forgetful = Forgetful(streamer, every=5)
    assert said(followed(tmp_path, storage, forgetful, speech)) == said(whole)
    assert forgetful.lost >= 2
    chunks = [value for value in whole if isinstance(value, Chunk)]
    for kept in (1, len(chunks) // 2, len(chunks) - 1):
        before = {value.key: value.payload.to_json() for value in chunks[:kept]}
        after = [v for v in followed(tmp_path, storage, streamer, speech, before) if isinstance(v, Chunk)]
        assert said([*chunks[:kept], *after]) == said(whole), kept
