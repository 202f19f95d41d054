"""Captions that share the screen, and forced ones, in the tracks of an exported film."""

from __future__ import annotations

from pathlib import Path

import av
import pytest
from av.stream import Disposition

from pipelines.captions.imports.subtitles import parse_subtitles
from pipelines.media.export.soft_subtitles import SubtitleTrack, add_tracks
from pipelines.media.probe import probe
from pipelines.messages.export_form import ExportForm, FileForm
from pipelines.messages.lines import CaptionLine, LinePlace
from pipelines.testing.media.samples import H264, PICTURE, ffmpeg

LINES = [
    CaptionLine("1", 200, 1_800, "CLOSED", place=LinePlace(8), forced=True),
    CaptionLine("2", 500, 1_000, "Somebody speaks."),
    CaptionLine("3", 1_200, 1_600, "And again."),
]


@pytest.fixture
def film(tmp_path: Path) -> Path:
    ffmpeg(*PICTURE, *H264, "film.mp4", cwd=tmp_path)
    return tmp_path / "film.mp4"


def exported(film: Path, form: FileForm) -> Path:
    target = film.with_name(f"export.{form.value}")
    for _ in add_tracks(film, probe(film), [SubtitleTrack("en-US", LINES)], target, ExportForm(form)):
        pass
    return target


def tracks(path: Path) -> list[tuple[bool, bool]]:
    """Whether each subtitle track shows by default, and whether it is forced."""
    with av.open(str(path)) as film:
        shown = [one.disposition for one in film.streams.subtitles]
    return [(Disposition.default in each, Disposition.forced in each) for each in shown]


def captions(path: Path, number: int = 0) -> list[tuple[int, int, str]]:
    ffmpeg("-i", path.name, "-map", f"0:s:{number}", "out.srt", cwd=path.parent)
    found = parse_subtitles((path.parent / "out.srt").read_bytes()).lines
    return [(line.start_ms, line.end_ms, line.text) for line in found]


def test_mkv_has_both_at_once_and_a_track_of_the_forced_ones(film: Path) -> None:
    path = exported(film, FileForm.MKV)
    assert tracks(path) == [(True, False), (False, True)]
    assert captions(path) == [(200, 1_800, "CLOSED"), (500, 1_000, "Somebody speaks."), (1_200, 1_600, "And again.")]
    assert captions(path, 1) == [(200, 1_800, "CLOSED")]


@pytest.mark.long
def test_mp4_shows_one_at_a_time_so_what_is_on_screen_together_is_one(film: Path) -> None:
    path = exported(film, FileForm.MP4)
    assert tracks(path) == [(True, False)]
    assert captions(path) == [
        (200, 500, "CLOSED"),
        (500, 1_000, "CLOSED\nSomebody speaks."),
        (1_000, 1_200, "CLOSED"),
        (1_200, 1_600, "CLOSED\nAnd again."),
        (1_600, 1_800, "CLOSED"),
    ]
