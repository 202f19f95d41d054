"""Originals as cameras, phones and programs make them: no frame, no language and no turn is lost in an export."""

from __future__ import annotations

from pathlib import Path

import pytest

from cluster.storage import LocalStorage
from pipelines.captions.json_form import line_to_json
from pipelines.captions.lines import CaptionLine
from pipelines.flows.requests import ExportTrack
from pipelines.media.burn_in import CARD_SIZE
from pipelines.media.export_form import ExportForm, ExportMode, FileForm
from pipelines.testing.media.attempts import Attempted, result_of
from pipelines.testing.media.exported import Ordered, faults, shown_by
from pipelines.testing.media.films import FILMS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("films")


# Each source once, in the way in which it is hardest; `python -m soak exports` tries all of them in every way.
@pytest.mark.parametrize(
    ("name", "mode", "file"),
    [
        ("portrait.mov", ExportMode.SOFT, FileForm.MKV),
        ("portrait.mov", ExportMode.BURNED, FileForm.MP4),
        ("odd.mp4", ExportMode.BURNED, FileForm.MP4),
        ("interlaced.ts", ExportMode.BURNED, FileForm.MP4),
        ("anamorphic.mp4", ExportMode.BURNED, FileForm.MP4),
        ("late.mkv", ExportMode.SOFT, FileForm.MP4),
        ("long_sound.mp4", ExportMode.BURNED, FileForm.MP4),
        ("timecode.mov", ExportMode.SOFT, FileForm.MP4),
        ("cover.mp4", ExportMode.SOFT, FileForm.MKV),
        ("old.avi", ExportMode.SOFT, FileForm.MP4),
        ("trimmed.mp4", ExportMode.SOFT, FileForm.MP4),
    ],
)
def test_nothing_is_lost(
    folder: Path, attempt: Attempted, installation: LocalStorage, name: str, mode: ExportMode, file: FileForm
) -> None:
    film = FILMS[name]
    lines = film.captions
    request = {"mode": mode, "form": ExportForm(file), "tracks": (_track(*lines),)}
    result = result_of(attempt("export", film.make(folder), **request))
    exported = shown_by(installation.open_path(result["export_key"]))
    assert faults(film, shown_by(folder / name), exported, Ordered(mode, file, lines, ("isl",))) == []


@pytest.mark.parametrize("mode", [ExportMode.SOFT, ExportMode.BURNED])
def test_captions_end_with_the_file(
    folder: Path, attempt: Attempted, installation: LocalStorage, mode: ExportMode
) -> None:
    """ffmpeg would make an MKV as long as its last caption, and show that one early in an MP4."""
    film = FILMS["plain.mp4"]
    track = _track((500, 500), (500, 1500), (1600, 60_000), (3_600_000, 3_601_000))
    for file in (FileForm.MKV, FileForm.MP4):
        result = result_of(attempt("export", film.make(folder), mode=mode, form=ExportForm(file), tracks=(track,)))
        exported = shown_by(installation.open_path(result["export_key"]))
        ordered = Ordered(mode, file, [(500, 1500), (1600, 2000)], ("isl",))
        assert faults(film, shown_by(folder / film.name), exported, ordered) == []


def test_the_length_of_sound_is_what_ingest_decoded(
    folder: Path, attempt: Attempted, installation: LocalStorage
) -> None:
    path = FILMS["cover.mp3"].make(folder)
    result = result_of(attempt("export", path, mode="burned", tracks=(_track((500, 1500)),), duration_ms=1_700))
    exported = shown_by(installation.open_path(result["export_key"]))
    assert (exported.size, len(exported.times)) == (CARD_SIZE, 17)


def _track(*lines: tuple[int, int]) -> ExportTrack:
    every = [CaptionLine(str(number), *times, "Hello MMM") for number, times in enumerate(lines)]
    return ExportTrack(language="is-IS", lines=[line_to_json(line) for line in every])
