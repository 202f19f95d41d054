"""Odd, hostile and broken files through every flow: each ends with a result or a sentence and leaves nothing."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import av
import pytest

from cluster.limited_process.process import Stopped
from cluster.storage.folder import LocalStorage
from pipelines.media import limits
from pipelines.media.ffmpeg import REASONS
from pipelines.media.limits import MAX_OUTPUT_FPS
from pipelines.media.probe import (
    DAMAGED,
    TOO_LARGE,
    TOO_LONG,
    TOO_MANY_CHANNELS,
    UNDECODABLE,
    probe,
)
from pipelines.media.sound.audio import UNDECODABLE as NO_SOUND
from pipelines.messages.attempt import Result
from pipelines.testing.media.attempts import Attempted, failure_of, nothing_is_left, result_of, samples
from pipelines.testing.media.odd import ODD, PIXELS

SRT = "1\n00:00:00,000 --> 00:00:00,900\nHello\n"


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Makes an odd file once."""
    folder = tmp_path_factory.mktemp("odd")

    def made(name: str) -> Path:
        if not (folder / name).exists():
            ODD[name](folder / name)
        return folder / name

    return made


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("too_long.mp4", TOO_LONG),
        ("picture_bomb.mov", TOO_LARGE),
        ("lying_picture_bomb.mov", TOO_LARGE),
        ("index_bomb.mp4", NO_SOUND),
        ("edit_bomb.mp4", REASONS[Stopped.FILE]),
        ("short.flac", REASONS[Stopped.FILE]),
        ("too_many_channels.wav", TOO_MANY_CHANNELS),
        ("no_frames.mp4", UNDECODABLE),
        ("picture_without_frames.mp4", UNDECODABLE),
        ("cover_alone.mp3", DAMAGED),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_reason(
    odd: Callable[[str], Path],
    attempt: Attempted,
    installation: LocalStorage,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    sentence: str,
) -> None:
    # Space for minutes instead of an hour of sound, so that two of them end sooner.
    monkeypatch.setattr(limits, "SPARE_BYTES", 5_000_000)
    failed = failure_of(attempt("upload", odd(name)))
    assert (failed.reason, failed.retryable) == (sentence, False)
    nothing_is_left(installation)


@pytest.mark.parametrize(
    "name",
    [
        "strange_language.mkv",
        "cut.mkv",
        "hdr.mp4",
        *(
            pytest.param(each, marks=pytest.mark.long)
            for each in (
                "many_streams.mkv",
                "many_chapters.mp4",
                "huge_metadata.mkv",
                "growing.ts",
                "one_pixel.mkv",
                "bits.avi",
                "monochrome.mov",
            )
        ),
        # The other forms of pixels reach ffmpeg by the same arguments.
        *(pytest.param(f"{form}.mkv", marks=[] if form == "yuva444p10le" else pytest.mark.long) for form in PIXELS),
    ],
)
def test_what_is_odd_and_whole_comes_through(
    odd: Callable[[str], Path], attempt: Attempted, installation: LocalStorage, name: str
) -> None:
    requests = {"upload": {}, "encoding": {}, "export": {"mode": "burned", "srt": SRT}}
    for flow, request in requests.items():
        streamed = attempt(flow, odd(name), **request)
        assert isinstance(streamed[-1], Result), (flow, streamed[-1])
        assert len(str(streamed[-1].payload.to_json())) < 2_000
        nothing_is_left(installation, kept=streamed[-1])
        installation.delete_prefix("jobs/job/1")


@pytest.mark.long
def test_names_of_tags_in_other_letters_are_no_damage(
    odd: Callable[[str], Path], attempt: Attempted, installation: LocalStorage
) -> None:
    result = result_of(attempt("upload", odd("latin_tags.avi")))
    assert result["has_audio"]
    # Its sound, MP3 at 8 kHz, cannot be copied into an MP4.
    assert result_of(attempt("export", odd("latin_tags.avi"), mode="soft", srt=SRT))["size_bytes"] > 1_000


def test_a_language_that_is_none_is_left_out(odd: Callable[[str], Path]) -> None:
    audio = probe(odd("strange_language.mkv")).audio
    assert audio is not None
    assert audio.language is None


@pytest.mark.long
@pytest.mark.parametrize("name", ["many_channels.mkv", "twelve_channels.mov", "telephone.wav"])
def test_no_channel_is_lost(
    odd: Callable[[str], Path], attempt: Attempted, installation: LocalStorage, name: str
) -> None:
    result = result_of(attempt("upload", odd(name)))
    sound = samples(installation, result["audio_key"])
    assert abs(len(sound) - 16_000) < 400
    assert abs(sound).max() > 100
    copy = result_of(attempt("encoding", odd(name)))["playback_key"]
    assert probe(installation.open_path(copy)).audio is not None


@pytest.mark.long
def test_a_cover_too_large_is_left_out(odd: Callable[[str], Path], attempt: Attempted) -> None:
    result = result_of(attempt("upload", odd("large_cover.mp3")))
    assert (result["kind"], result["poster_key"]) == ("audio", None)


@pytest.mark.long
def test_a_header_that_promises_hours_costs_seconds(
    odd: Callable[[str], Path], attempt: Attempted, installation: LocalStorage
) -> None:
    result = result_of(attempt("upload", odd("lying.flac")))
    assert result["duration_ms"] == 1_000
    exported = result_of(attempt("export", odd("lying.flac"), mode="burned", srt=SRT))
    # The header would require 144,000 empty pictures.
    assert probe(installation.open_path(exported["export_key"])).duration_ms < 5_000


@pytest.mark.long
def test_frames_hours_apart_are_not_filled(odd: Callable[[str], Path], attempt: Attempted) -> None:
    exported = result_of(attempt("export", odd("far_apart.mp4"), mode="burned", srt=SRT))
    assert exported["size_bytes"] < 10_000


@pytest.mark.long
def test_ten_thousand_frames_a_second_become_as_many_as_are_seen(
    odd: Callable[[str], Path], attempt: Attempted, installation: LocalStorage
) -> None:
    exported = result_of(attempt("export", odd("many_frames.mp4"), mode="burned", srt=SRT))
    with av.open(str(installation.open_path(exported["export_key"]))) as container:
        times = sorted(
            float((packet.pts or 0) * packet.time_base) for packet in container.demux(video=0) if packet.size
        )
    # Of a second, because the mean over a short file counts its last frame as a whole one.
    assert len(times) > 2
    assert min(later - earlier for earlier, later in itertools.pairwise(times)) > 1 / (MAX_OUTPUT_FPS + 1)
