"""Whisper and Parakeet in one installation: the file says which one wrote its captions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster.storage.folder import LocalStorage
from pipelines.flows.transcribe.flow import transcribe
from pipelines.messages.attempt import Attempt, Result, StageFailed
from pipelines.messages.requests import TranscribeRequest
from pipelines.messages.results import TranscribeResult
from pipelines.testing.in_process import InProcessClient
from pipelines.testing.voices import silence, write_wav
from serve.tasks.transcription.by_language import ByLanguageEngine
from serve.tasks.transcription.sherpa.engine import SherpaEngine
from serve.tasks.transcription.sherpa.families.parakeet import Parakeet
from serve.tasks.transcription.whisper.engine import WhisperEngine
from serve.testing.speech import SpokenClip
from serve.testing.tiny_parakeet.archive import parakeet_folder


@pytest.fixture(scope="module")
def parakeet(tmp_path_factory: pytest.TempPathFactory) -> SherpaEngine:
    folder = parakeet_folder(tmp_path_factory.mktemp("parakeet"))
    return SherpaEngine(Parakeet(), folder, name="transducer", reason="Test.")


@pytest.fixture(scope="module")
def client(parakeet: SherpaEngine, whisper: WhisperEngine) -> Iterator[InProcessClient]:
    made = InProcessClient(ByLanguageEngine(whisper, dict.fromkeys(parakeet.info.languages, parakeet)))
    yield made
    made.stop()


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory, clips: list[SpokenClip]) -> LocalStorage:
    folder = tmp_path_factory.mktemp("spoken")
    kept = LocalStorage(folder / "objects")
    for name in ("es4-m", "is1-m"):
        pcm = next(clip.pcm for clip in clips if clip.id == name)
        kept.put(write_wav(folder / f"{name}.wav", silence(0.5), pcm, silence(0.5)), f"files/{name}")
    return kept


def done(storage: LocalStorage, client: InProcessClient, work: Path, key: str, language: str) -> TranscribeResult:
    request = TranscribeRequest(
        file_id="one", audio_key=f"files/{key}", duration_ms=storage.size(f"files/{key}") // 32, language=language
    )
    *_, last = transcribe(request, Attempt("job", 1, work, "files/one/work", {}), client=client, storage=storage)
    assert isinstance(last, Result)
    assert isinstance(last.payload, TranscribeResult)
    return last.payload


@pytest.mark.parametrize(
    ("key", "language", "engine", "locale"),
    [
        ("es4-m", "es", "parakeet", "es"),
        # Whisper detects the language, and Parakeet takes it from there.
        ("es4-m", "auto", "parakeet", "es"),
        ("is1-m", "auto", "whisper", "is-IS"),
    ],
)
def test_the_language_chooses_the_engine_and_the_result_names_it(
    storage: LocalStorage,
    client: InProcessClient,
    clips: list[SpokenClip],
    tmp_path: Path,
    key: str,
    language: str,
    engine: str,
    locale: str,
) -> None:
    result = done(storage, client, tmp_path, key, language)
    assert " ".join(line.text for line in result.lines) == next(clip.text for clip in clips if clip.id == key)
    assert (result.engine.engine, result.language.split("-")[0]) == (engine, locale.split("-")[0])
    assert result.record()["engine"]["engine"] == engine


def test_parakeet_alone_asks_for_the_language_of_a_file(
    storage: LocalStorage, parakeet: SherpaEngine, tmp_path: Path
) -> None:
    alone = InProcessClient(parakeet)
    with pytest.raises(StageFailed, match="cannot detect the language") as failure:
        done(storage, alone, tmp_path, "es4-m", "auto")
    assert failure.value.code == "language_unsupported"
    alone.stop()
