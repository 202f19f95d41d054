"""The flow as it runs in production: a Ray task, the Transcriber deployment, the tiny Whisper, exact words."""

from __future__ import annotations

import os
import signal
import time
import uuid
from pathlib import Path
from typing import Any

import pytest
import ray
from ray.exceptions import RayError

from cluster.resources import WAITING_TASK_CPUS
from cluster.storage.folder import LocalStorage
from cluster.testing.patience import PATIENCE_S
from pipelines.flows.tasks import Failed, run_attempt
from pipelines.messages.attempt import Chunk, Progress, Result
from pipelines.messages.requests import TRANSCRIBE, TranscribeRequest
from pipelines.messages.results import TranscribeResult
from pipelines.messages.speakers import SPEAKERS, SpeakersRequest, SpeakersResult
from pipelines.messages.translate import TRANSLATE, TranslateRequest, TranslateResult
from pipelines.testing.four_tasks.run import run_talks
from pipelines.testing.four_tasks.strikes import Strike
from pipelines.testing.four_tasks.talks import talks
from pipelines.testing.voices import store_spoken, write_wav
from pipelines.testing.wordwise import source_lines
from serve.tasks.diarization.messages import DIARIZATION
from serve.tasks.translation.messages import TRANSLATION
from serve.testing.speaker_errors import diarization_errors
from serve.testing.speech import SpokenClip
from serve.testing.tiny_models.phrases import phrases_between
from serve.testing.tiny_speakers.dialogue import talk


def start(request: TranscribeRequest, chunks: dict[str, dict[str, Any]] | None = None) -> Any:
    task = run_attempt.options(num_cpus=WAITING_TASK_CPUS, name=f"transcribe {request.file_id}")
    return task.remote(TRANSCRIBE, request, request.file_id, 1, chunks)


def texts(result: Result) -> list[str]:
    return [line.text.replace("\n", " ") for line in transcribed(result).lines]


def transcribed(result: Result) -> TranscribeResult:
    assert isinstance(result.payload, TranscribeResult)
    return result.payload


def of_language(clips: list[SpokenClip], language: str, count: int) -> list[SpokenClip]:
    return [clip for clip in clips if clip.lang == language][:count]


def test_files_of_several_languages_at_once_give_their_exact_words(
    storage: LocalStorage, clips: list[SpokenClip], tmp_path: Path
) -> None:
    files = {language: of_language(clips, language, 3) for language in ("en", "is")}
    streams = {language: start(store_spoken(storage, tmp_path, language, spoken)) for language, spoken in files.items()}
    for language, stream in streams.items():
        values = [ray.get(reference) for reference in stream]
        assert not isinstance(values[-1], Failed), values[-1]
        result = values[-1]
        assert isinstance(result, Result)
        assert texts(result) == [clip.text for clip in files[language]]
        assert transcribed(result).language == {"en": "en-US", "is": "is-IS"}[language]
        assert len([value for value in values if isinstance(value, Chunk)]) == 3
        assert any(isinstance(value, Progress) for value in values)


@pytest.mark.long
def test_a_later_attempt_resumes_where_the_first_one_stopped(
    storage: LocalStorage, clips: list[SpokenClip], tmp_path: Path
) -> None:
    spoken = of_language(clips, "en", 4)
    request = store_spoken(storage, tmp_path, "resumed", spoken)
    stream = start(request)
    first = next(value for value in (ray.get(reference) for reference in stream) if isinstance(value, Chunk))
    ray.cancel(stream)
    marked = first.payload.model_copy(update={"language": "en"}).to_json()
    values = [ray.get(reference) for reference in start(request, {first.key: marked})]
    assert texts(values[-1]) == [clip.text for clip in spoken]
    assert first.key not in {value.key for value in values if isinstance(value, Chunk)}


def test_after_kill_9_of_its_worker_only_unfinished_windows_are_transcribed_again(
    storage: LocalStorage, clips: list[SpokenClip], tmp_path: Path
) -> None:
    # Many windows, so that most are unfinished when the worker is killed, even if this test gets little processor time.
    spoken = of_language(clips, "en", 8) * 5
    # No other worker of this machine has that title.
    request = store_spoken(storage, tmp_path, f"killed-{uuid.uuid4().hex}", spoken)
    request = request.model_copy(update={"language": "en-US"})
    kept: dict[str, Any] = {}

    def keep(stream: Any, least: int) -> None:
        for reference in stream:
            if isinstance(value := ray.get(reference), Chunk):
                kept[value.key] = value.payload.to_json()
            if len(kept) == least:
                return

    stream = start(request)
    worker = worker_titled(f"ray::transcribe {request.file_id}")
    keep(stream, 3)
    os.kill(worker, signal.SIGKILL)
    with pytest.raises(RayError):
        keep(stream, len(spoken))
    values = [ray.get(reference) for reference in start(request, kept)]
    assert texts(values[-1]) == [clip.text for clip in spoken]
    again = {value.key for value in values if isinstance(value, Chunk)}
    assert not again & kept.keys()
    assert len(again) + len(kept) == len(spoken)


def worker_titled(title: str) -> int:
    """The process that Ray names after its task, as soon as it runs."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit() and command_line(folder).startswith(title):
                return int(folder.name)
        time.sleep(0.01)
    raise AssertionError(f"No worker is named {title}.")


def command_line(folder: Path) -> str:
    try:
        return (folder / "cmdline").read_text()
    except OSError:
        return ""


@pytest.mark.long
def test_speakers_of_several_files_at_once(storage: LocalStorage, tmp_path: Path) -> None:
    talks = {"two": talk(("rms", "slt"), 8, seed=11), "three": talk(("awb", "rms", "slt"), 10, seed=12)}
    streams = {}
    for name, dialogue in talks.items():
        key = f"files/{name}/audio.wav"
        storage.put(write_wav(tmp_path / f"{name}.wav", dialogue.samples.tobytes()), key)
        request = SpeakersRequest(file_id=name, audio_key=key, duration_ms=dialogue.duration_ms)
        task = run_attempt.options(num_cpus=WAITING_TASK_CPUS, name=f"speakers {name}")
        streams[name] = task.remote(SPEAKERS, request, name, 1, None)
    for name, dialogue in talks.items():
        values = [ray.get(reference) for reference in streams[name]]
        result = values[-1]
        assert isinstance(result, Result), result
        assert isinstance(result.payload, SpeakersResult)
        assert diarization_errors(dialogue.utterances, result.payload.turns, collar_ms=250).rate < 0.05
        assert len({turn.speaker for turn in result.payload.turns}) == len(dialogue.tracks)
        assert any(isinstance(value, Chunk) for value in values)


@pytest.mark.long
def test_tracks_are_translated_into_two_languages_at_once(storage: LocalStorage) -> None:
    streams = {}
    for language in ("is", "es"):
        phrases = phrases_between("en", language)[:12]
        lines = source_lines(*(phrase.source for phrase in phrases), ms=4_000)
        request = TranslateRequest(
            file_id="one", track_id="two", source_language="en-US", target_language=language, lines=lines
        )
        task = run_attempt.options(num_cpus=WAITING_TASK_CPUS, name=f"translate {language}")
        streams[language] = (phrases, task.remote(TRANSLATE, request, f"translate-{language}", 1, None))
    for phrases, stream in streams.values():
        values = [ray.get(reference) for reference in stream]
        result = values[-1]
        assert isinstance(result, Result), result
        assert isinstance(result.payload, TranslateResult)
        assert [line.text.replace("\n", " ") for line in result.payload.lines] == [each.target for each in phrases]
        assert {value.key for value in values if isinstance(value, Chunk)} == {f"group-{n:06}" for n in range(12)}


def test_an_unsupported_language_fails_with_its_sentence(
    storage: LocalStorage, clips: list[SpokenClip], tmp_path: Path
) -> None:
    request = store_spoken(storage, tmp_path, "unknown", of_language(clips, "en", 1)).model_copy(
        update={"language": "ga"}
    )
    failed = [ray.get(reference) for reference in start(request)][-1]
    assert isinstance(failed, Failed)
    assert failed.retryable is False
    assert failed.reason.endswith(".")


@pytest.mark.long
def test_files_of_several_users_go_through_all_four_tasks_at_once(
    storage: LocalStorage, clips: list[SpokenClip], tmp_path: Path
) -> None:
    """`python -m benchmarks.soak tasks` sends 32 files of 8 users."""
    assert run_talks(talks(clips, 5, 3, "quiet-"), storage, tmp_path) == []


@pytest.mark.long
def test_files_survive_the_death_of_the_translation_and_the_speaker_model(
    storage: LocalStorage, clips: list[SpokenClip], tmp_path: Path
) -> None:
    """`python -m benchmarks.soak tasks` also freezes them, which takes Serve half a minute to notice."""
    strikes = [Strike(task, signal.SIGKILL) for task in (DIARIZATION, TRANSLATION)]
    assert run_talks(talks(clips, 4, 2, "struck-"), storage, tmp_path, strikes) == []
