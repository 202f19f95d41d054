"""Where the picture of real videos cuts."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.flows.shots import NO_PICTURE
from pipelines.testing.media.attempts import Attempted, failure_of, result_of
from pipelines.testing.media.samples import ffmpeg

RED_TEST_BLUE = (
    *("-f", "lavfi", "-i", "color=red:s=320x180:r=25:d=2", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=3"),
    *("-f", "lavfi", "-i", "color=blue:s=320x180:r=25:d=2.5", "-filter_complex", "[0][1][2]concat=n=3"),
)


def test_cuts_are_found_to_the_frame(attempt: Attempted, tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    ffmpeg(*RED_TEST_BLUE, film.name, cwd=tmp_path)
    assert result_of(attempt("shots", film))["shots_ms"] == [2_000, 5_000]


@pytest.mark.long
def test_cuts_count_from_the_start_of_the_file(attempt: Attempted, tmp_path: Path) -> None:
    late = tmp_path / "late.ts"
    ffmpeg(*RED_TEST_BLUE, "-output_ts_offset", "30", late.name, cwd=tmp_path)
    found = result_of(attempt("shots", late))["shots_ms"]
    assert found == pytest.approx([2_000, 5_000], abs=45)


def test_cuts_after_hours_are_found_to_the_millisecond(attempt: Attempted, tmp_path: Path) -> None:
    two = ("-f", "lavfi", "-i", "color=red:s=64x36:r=25:d=2", "-f", "lavfi", "-i", "color=blue:s=64x36:r=25:d=2")
    graph = "[0][1]concat=n=2,setpts='PTS+gte(N,50)*10799.037/TB'"
    ffmpeg(
        *two, "-filter_complex", graph, "-vsync", "passthrough", "-enc_time_base", "1/1000", "long.mkv", cwd=tmp_path
    )
    assert result_of(attempt("shots", tmp_path / "long.mkv"))["shots_ms"] == [10_801_037]


def test_cuts_at_frames_between_milliseconds_are_rounded_down(attempt: Attempted, tmp_path: Path) -> None:
    two = ("-f", "lavfi", "-i", "color=red:s=64x36:r=30000/1001:d=2", "-f", "lavfi", "-i",
           "color=blue:s=64x36:r=30000/1001:d=2")  # fmt: skip
    ffmpeg(*two, "-filter_complex", "[0][1]concat=n=2", "ntsc.mp4", cwd=tmp_path)
    (cut,) = result_of(attempt("shots", tmp_path / "ntsc.mp4"))["shots_ms"]
    assert cut == 60 * 1001 // 30


def test_a_sound_has_no_shots(attempt: Attempted, tmp_path: Path) -> None:
    sound = tmp_path / "sound.wav"
    ffmpeg("-f", "lavfi", "-i", "sine=d=1", sound.name, cwd=tmp_path)
    assert failure_of(attempt("shots", sound)).reason == NO_PICTURE
