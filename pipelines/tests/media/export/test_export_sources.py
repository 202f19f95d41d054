"""Originals as cameras, phones and programs make them: no frame, no language and no turn is lost in an export."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from cluster.storage.folder import LocalStorage
from pipelines.captions.json_form import line_to_json
from pipelines.media.export.card import CARD_SIZE
from pipelines.messages.export_form import Aspect, ExportForm, ExportMode, FileForm, PictureForm
from pipelines.messages.lines import CaptionLine
from pipelines.messages.requests import ExportTrack
from pipelines.testing.media.attempts import Attempted, result_of
from pipelines.testing.media.exported import Ordered, faults, shown_by
from pipelines.testing.media.films import FILMS
from pipelines.testing.media.odd import ODD


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("films")


@pytest.mark.long
# Each source once, in the way in which it is hardest; `benchmarks.soak exports` tries all of them in every way.
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


@pytest.mark.long
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


@pytest.mark.long
@pytest.mark.parametrize(
    ("aspect", "size", "side"),
    [(Aspect.ORIGINAL, CARD_SIZE, 720), (Aspect.TALL, (720, 1280), 720), (Aspect.SQUARE, (720, 720), 720)],
)
def test_the_cover_of_sound_is_its_picture(
    folder: Path, attempt: Attempted, installation: LocalStorage, aspect: Aspect, size: tuple[int, int], side: int
) -> None:
    path = FILMS["cover.mp3"].make(folder)
    form = ExportForm(FileForm.MP4, PictureForm(aspect))
    result = result_of(attempt("export", path, mode="burned", form=form, tracks=(_track((500, 1500)),)))
    with av.open(str(installation.open_path(result["export_key"]))) as opened:
        frames = [frame.to_ndarray(format="rgb24") for frame in opened.decode(video=0)]
    width, height = size
    assert {(frame.shape[1], frame.shape[0]) for frame in frames} == {size}
    for frame in (frames[0], frames[10], frames[-1]):
        edges = [frame[height // 2, (width - side) // 2 + 3], frame[height // 2, (width + side) // 2 - 4]]
        assert all(red > 200 and green < 60 for red, green, _ in edges)
        beside = frame[3, 3]
        assert (max(beside) < 60) == (width != height)
    # Captions stand below the middle, as on a film.
    changed = np.abs(frames[10].astype(int) - frames[0].astype(int)).max(axis=2) > 60
    assert changed.sum() > 20
    assert np.argwhere(changed)[:, 0].min() > height / 2


@pytest.mark.long
def test_sound_whose_cover_cannot_be_read_has_the_dark_card(
    tmp_path: Path, attempt: Attempted, installation: LocalStorage
) -> None:
    path = tmp_path / "large_cover.mp3"
    ODD[path.name](path)
    result = result_of(attempt("export", path, mode="burned", tracks=(_track((500, 1500)),)))
    assert shown_by(installation.open_path(result["export_key"])).size == CARD_SIZE


def _track(*lines: tuple[int, int]) -> ExportTrack:
    every = [CaptionLine(str(number), *times, "Hello MMM") for number, times in enumerate(lines)]
    return ExportTrack(language="is-IS", lines=[line_to_json(line) for line in every])
