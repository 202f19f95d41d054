"""Each limit on a job, exceeded by a real file: the sentence names it, and nothing is left behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cluster.limited_process.limits import ProcessLimits
from cluster.limited_process.process import Stopped
from cluster.storage.folder import LocalStorage
from pipelines.media import ffmpeg as ffmpeg_module
from pipelines.media import limits, playback, probe
from pipelines.media.export import burn_in
from pipelines.media.ffmpeg import REASONS, find_ffmpeg
from pipelines.media.limits import preprocess_limits, probe_limits, render_limits
from pipelines.media.sound import audio
from pipelines.testing.media.attempts import Attempted, failure_of, nothing_is_left
from pipelines.testing.media.samples import H264, ffmpeg

SRT = "1\n00:00:00,000 --> 00:00:00,900\nHello\n"


@pytest.fixture(scope="module")
def heavy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three seconds of noise: large pictures that take long and do not become smaller."""
    folder = tmp_path_factory.mktemp("heavy")
    ffmpeg("-f", "lavfi", "-i", "color=gray:s=1280x720:r=30:d=0.3", "-vf", "noise=alls=100:allf=t", "-c:v", "mpeg4",
           "-q:v", "2", "part.mkv", cwd=folder)  # fmt: skip
    ffmpeg("-stream_loop", "9", "-i", "part.mkv", "-c", "copy", "heavy.mkv", cwd=folder)
    return folder / "heavy.mkv"


def narrowed(kind: Callable[..., ProcessLimits], **changes: int) -> Callable[..., ProcessLimits]:
    """The limits of a job, some reduced so that a small file exceeds them."""
    return lambda *arguments: replace(kind(*arguments), **changes)


def test_the_figures() -> None:
    assert limits.MAX_DURATION_MS == 4 * 3600 * 1000
    assert limits.MAX_SIDE_PX == 8192
    assert limits.MAX_OUTPUT_FPS == 60
    hour = preprocess_limits(3_600_000)
    assert (hour.cpu_s, hour.memory_bytes) == (20 + 4 * 3600, 2 * 1024**3)
    render = render_limits(0, 1_000_000)
    assert (render.file_bytes, render.memory_bytes) == (4 * 1_000_000 + 100_000_000, 2 * 1024**3)
    # However few bytes a file has, an hour of it may become an hour of sound.
    assert render_limits(3_600_000, 0).file_bytes == 100_000_000 + 3600 * 40_000


@pytest.mark.long
def test_computing_time_of_the_preparation(
    attempt: Attempted, installation: LocalStorage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Half an hour of silence at a studio's rate."""
    ffmpeg("-f", "lavfi", "-i", "anullsrc=r=192000:cl=stereo:d=20", "-c:a", "flac", "p.flac", cwd=tmp_path)
    ffmpeg("-stream_loop", "90", "-i", "p.flac", "-c", "copy", "long.flac", cwd=tmp_path)
    monkeypatch.setattr(audio, "preprocess_limits", narrowed(preprocess_limits, cpu_s=1))
    failed = failure_of(attempt("upload", tmp_path / "long.flac"))
    assert (failed.stage, failed.reason, failed.retryable) == (audio.STAGE, REASONS[Stopped.CPU], False)
    nothing_is_left(installation)


@pytest.mark.long
def test_computing_time_of_a_copy(
    heavy: Path, attempt: Attempted, installation: LocalStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playback, "render_limits", narrowed(render_limits, cpu_s=1))
    failed = failure_of(attempt("encoding", heavy))
    assert (failed.reason, failed.retryable) == (REASONS[Stopped.CPU], False)
    nothing_is_left(installation)


@pytest.mark.long
def test_computing_time_of_a_look_at_the_file(
    attempt: Attempted, installation: LocalStorage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A recording without a stated length is read to its end: a hundred thousand tiny packets and more."""
    ffmpeg("-f", "lavfi", "-i", "color=s=2x2:r=10000:d=1", *H264, "part.mkv", cwd=tmp_path)
    ffmpeg("-stream_loop", "30", "-i", "part.mkv", "-c", "copy", "-live", "1", "long.mkv", cwd=tmp_path)
    monkeypatch.setattr(probe, "probe_limits", narrowed(probe_limits, cpu_s=1))
    failed = failure_of(attempt("upload", tmp_path / "long.mkv"))
    assert (failed.stage, failed.reason) == (probe.STAGE, REASONS[Stopped.CPU])
    nothing_is_left(installation)


@pytest.mark.long
def test_memory(heavy: Path, attempt: Attempted, installation: LocalStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(burn_in, "render_limits", narrowed(render_limits, memory_bytes=60_000_000))
    failed = failure_of(attempt("export", heavy, mode="burned", srt=SRT))
    assert (failed.reason, failed.retryable) == (REASONS[Stopped.MEMORY], False)
    nothing_is_left(installation)


@pytest.mark.long
def test_size_of_the_result(
    heavy: Path, attempt: Attempted, installation: LocalStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playback, "render_limits", narrowed(render_limits, file_bytes=300_000))
    failed = failure_of(attempt("encoding", heavy))
    assert (failed.reason, failed.retryable) == (REASONS[Stopped.FILE], False)
    nothing_is_left(installation)


@pytest.mark.long
def test_time_on_the_clock(
    heavy: Path, attempt: Attempted, installation: LocalStorage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A program that hangs uses no CPU time; it is killed all the same."""
    hanging = tmp_path / "ffmpeg"
    hanging.write_text(f'#!/bin/sh\ncase "$*" in *{burn_in.SCRIPT}*) kill -STOP $$;; esac\nexec {find_ffmpeg()} "$@"\n')
    hanging.chmod(0o755)
    monkeypatch.setattr(ffmpeg_module, "find_ffmpeg", lambda: str(hanging))
    monkeypatch.setattr(burn_in, "render_limits", narrowed(render_limits, wall_s=1))
    failed = failure_of(attempt("export", heavy, mode="burned", srt=SRT))
    assert (failed.reason, failed.retryable) == (REASONS[Stopped.WALL], True)
    nothing_is_left(installation)
