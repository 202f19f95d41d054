"""The timecode of a film survives every kind of export."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import av
import pytest

from cluster.storage.folder import LocalStorage
from pipelines.captions.json_form import line_to_json
from pipelines.media.export.timecode import timecode_tags
from pipelines.media.probe import VideoFacts, probe
from pipelines.messages.export_form import Clip, ExportForm, FileForm
from pipelines.messages.lines import CaptionLine
from pipelines.messages.requests import ExportTrack
from pipelines.testing.media.attempts import Attempted, result_of
from pipelines.testing.media.samples import H264, PICTURE, ffmpeg

CAPTIONS = (ExportTrack(language="en-US", lines=[line_to_json(CaptionLine("1", 500, 1_500, "Hello"))]),)
START = "10:00:00:00"


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("film")
    # Long enough for an export in parts.
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=13", "-f", "lavfi", "-i", "sine=d=13", *H264, "-g", "50",
           "-c:a", "aac", "-timecode", START, "film.mov", cwd=folder)  # fmt: skip
    return folder / "film.mov"


@pytest.mark.long
@pytest.mark.parametrize(
    ("mode", "form", "wanted"),
    [
        ("burned", ExportForm(), START),
        ("burned", ExportForm(FileForm.MKV), START),
        ("burned", ExportForm(clip=Clip(1_000, 1_800)), "10:00:01:00"),
        ("soft", ExportForm(), START),
        ("soft", ExportForm(clip=Clip(2_000, 2_800)), "10:00:02:00"),
    ],
)
def test_an_export_has_the_timecode_of_its_first_frame(
    film: Path, attempt: Attempted, installation: LocalStorage, mode: str, form: ExportForm, wanted: str
) -> None:
    result = result_of(attempt("export", film, mode=mode, tracks=CAPTIONS, form=form))
    with av.open(str(installation.open_path(result["export_key"]))) as made:
        tags = {name.lower(): value for name, value in made.streams.video[0].metadata.items()}
        assert tags["timecode"] == wanted
        assert [stream.type for stream in made.streams][:2] == ["video", "audio"]


@pytest.mark.parametrize(
    ("start", "fps", "into_ms", "wanted"),
    [
        ("01:00:00:00", 25.0, 40, "01:00:00:01"),
        ("01:00:00:00", 23.976, 1_001, "01:00:01:00"),
        ("00:00:59;28", 29.97, 67, "00:01:00;02"),
        ("00:09:59;28", 29.97, 67, "00:10:00;00"),
        ("00:00:00;00", 29.97, 3_600_000, "01:00:00;00"),
        ("00:00:59;58", 59.94, 33, "00:01:00;04"),
        ("23:59:59:24", 25.0, 40, "00:00:00:00"),
    ],
)
def test_a_clip_counts_on_with_and_without_dropped_numbers(start: str, fps: float, into_ms: int, wanted: str) -> None:
    video = replace(_video(), fps=fps, most_fps=fps, timecode=start)
    assert timecode_tags(video, FileForm.MP4, None)[-1] == f"timecode={start}"
    assert timecode_tags(video, FileForm.MP4, Clip(into_ms, into_ms + 1_000))[-1] == f"timecode={wanted}"


@pytest.mark.parametrize(
    ("timecode", "fps", "form"),
    [
        ("", 25.0, FileForm.MP4),
        ("01:00:00:25", 25.0, FileForm.MP4),
        ("01:00:00:00", 12.5, FileForm.MP4),
        ("01:00:00:00", 26.3, FileForm.MP4),
        ("01:00:00:00\n-y", 25.0, FileForm.MP4),
        ("01:00:00:00", 25.0, FileForm.WEBM),
    ],
)
def test_what_cannot_be_written_is_left_out(timecode: str, fps: float, form: FileForm) -> None:
    assert timecode_tags(replace(_video(), fps=fps, most_fps=fps, timecode=timecode), form, None) == []


def test_a_timecode_in_other_words_is_none(tmp_path: Path) -> None:
    ffmpeg(*PICTURE, *H264, "-metadata:s:v:0", "timecode=ten o'clock", "odd.mkv", cwd=tmp_path)
    video = probe(tmp_path / "odd.mkv").video
    assert video is not None
    assert video.timecode == ""


def _video() -> VideoFacts:
    return VideoFacts(
        index=0,
        codec="h264",
        profile="",
        pixel_format="yuv420p",
        width=320,
        height=180,
        fps=25.0,
        rotation=0,
        interlaced=False,
        most_fps=25.0,
    )
