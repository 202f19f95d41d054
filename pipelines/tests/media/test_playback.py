"""The flow `encoding`: the copy plays in every browser and looks like the original."""

from __future__ import annotations

from pathlib import Path

import av
import pytest

from cluster.storage.folder import LocalStorage
from pipelines.media.playback import fit_size, plays_in_browser
from pipelines.media.probe import probe
from pipelines.testing.media.attempts import Attempted, result_of
from pipelines.testing.media.samples import TONE, ffmpeg


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("old.avi", (320, 180)),
        ("odd.mkv", (320, 180)),
        ("screen.mkv", (320, 180)),
        ("stream.ts", (320, 180)),
        ("rotated.mov", (180, 320)),
    ],
)
def test_video_becomes_mp4_that_starts_at_once(
    media: Path, attempt: Attempted, installation: LocalStorage, name: str, size: tuple[int, int]
) -> None:
    original = probe(media / name)
    result = result_of(attempt("encoding", media / name, kind="video", duration_ms=original.duration_ms))
    assert (result["width"], result["height"], result["mime"]) == (*size, "video/mp4")
    made = installation.open_path(result["playback_key"])
    facts = probe(made)
    assert plays_in_browser(facts)
    assert facts.video is not None
    assert facts.audio is not None
    assert (facts.video.width, facts.video.height) == size
    assert abs(facts.duration_ms - original.duration_ms) <= 100
    head = made.read_bytes()
    assert head.index(b"moov") < head.index(b"mdat")


def test_a_stream_that_plays_is_copied_bit_for_bit(media: Path, attempt: Attempted, installation: LocalStorage) -> None:
    result = result_of(attempt("encoding", media / "screen.mkv", kind="video", duration_ms=2000))
    with (
        av.open(str(media / "screen.mkv")) as before,
        av.open(str(installation.open_path(result["playback_key"]))) as after,
    ):
        wanted = [bytes(packet) for packet in before.demux(video=0) if packet.size]
        assert [bytes(packet) for packet in after.demux(video=0) if packet.size] == wanted


@pytest.mark.long
def test_sound_becomes_m4a(media: Path, attempt: Attempted, installation: LocalStorage) -> None:
    result = result_of(attempt("encoding", media / "tone.wma", kind="audio", duration_ms=2000))
    assert (result["width"], result["mime"]) == (None, "audio/mp4")
    facts = probe(installation.open_path(result["playback_key"]))
    assert plays_in_browser(facts)
    assert facts.video is None


@pytest.mark.long
def test_large_and_fast_pictures_are_brought_down(
    attempt: Attempted, installation: LocalStorage, tmp_path: Path
) -> None:
    ffmpeg("-f", "lavfi", "-i", "color=gray:s=2160x3840:r=120:d=0.05", "-c:v", "mpeg4", "big.avi", cwd=tmp_path)
    result = result_of(attempt("encoding", tmp_path / "big.avi", kind="video", duration_ms=50))
    assert (result["width"], result["height"]) == (1080, 1920)
    facts = probe(installation.open_path(result["playback_key"]))
    assert facts.video is not None
    assert facts.video.fps <= 60


@pytest.mark.long
def test_ten_bit_and_wide_pixels_become_plain(attempt: Attempted, installation: LocalStorage, tmp_path: Path) -> None:
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=180x144:r=5:d=1", *TONE, "-vf", "setsar=16/15", "-pix_fmt", "yuv420p10le",
           "-c:v", "libx264", "-c:a", "aac", "ten.mp4", cwd=tmp_path)  # fmt: skip
    original = probe(tmp_path / "ten.mp4")
    assert not plays_in_browser(original)
    assert original.video is not None
    assert original.video.width == 192
    result = result_of(attempt("encoding", tmp_path / "ten.mp4", kind="video", duration_ms=2000))
    facts = probe(installation.open_path(result["playback_key"]))
    assert facts.video is not None
    assert (facts.video.width, facts.video.height, facts.video.pixel_format) == (192, 144, "yuv420p")


@pytest.mark.long
def test_a_late_start_stays_late(media: Path, attempt: Attempted, installation: LocalStorage, tmp_path: Path) -> None:
    ffmpeg("-i", str(media / "late.mp4"), "-c:a", "copy", "-c:v", "mpeg4", "-copyts", "late.mkv", cwd=tmp_path)
    original = probe(tmp_path / "late.mkv")
    assert abs(original.duration_ms - 4000) < 100
    result = result_of(attempt("encoding", tmp_path / "late.mkv", kind="video", duration_ms=original.duration_ms))
    path = installation.open_path(result["playback_key"])
    assert abs(probe(path).duration_ms - 4000) < 100
    with av.open(str(path)) as made:
        (sound,) = made.streams.audio
        assert abs(float((sound.start_time or 0) * (sound.time_base or 0)) - 2) < 0.1


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ((1920, 1080), (1920, 1080)),
        ((3840, 2160), (1920, 1080)),
        ((2160, 3840), (1080, 1920)),
        ((321, 181), (320, 180)),
        ((2560, 1080), (1920, 810)),
        ((4000, 4000), (1080, 1080)),
        ((1, 1), (2, 2)),
        ((8192, 2), (1920, 2)),
    ],
)
def test_sizes(shape: tuple[int, int], expected: tuple[int, int]) -> None:
    assert fit_size(*shape, 1920, 1080) == expected
