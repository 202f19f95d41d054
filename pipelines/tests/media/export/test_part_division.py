"""Where an export is divided into parts, which captions belong to each, and the seal that a part carries."""

from __future__ import annotations

import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from pipelines.captions.picture.ass_document import write_ass
from pipelines.media.export import frame_index
from pipelines.media.export.burn_in import drawn_picture
from pipelines.media.export.encoders import Encoder
from pipelines.media.export.frame_index import divide
from pipelines.media.export.part_encoding import part_digests, spans
from pipelines.media.export.part_seal import is_sealed, seal
from pipelines.media.probe import probe
from pipelines.messages.caption_style import DEFAULT_STYLE
from pipelines.messages.export_form import PictureForm
from pipelines.messages.lines import CaptionLine
from pipelines.testing.media.divided_film import frame_times, sound_digest
from pipelines.testing.media.samples import ffmpeg


@pytest.mark.parametrize("form", ["mp4", "matroska"])
def test_a_seal_tells_name_and_content_and_readers_skip_it(film: Path, tmp_path: Path, form: str) -> None:
    part, name = tmp_path / "part.mp4", "a" * 40
    ffmpeg("-i", str(film / "film.mkv"), "-c", "copy", "-strict", "-2", "-f", form, str(part), cwd=tmp_path)
    plain, times, sound = part.read_bytes(), frame_times(part), sound_digest(part)
    assert not is_sealed(part, name)
    seal(part, name)
    assert is_sealed(part, name)
    assert not is_sealed(part, "b" * 40)
    read = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-i", str(part), "-c", "copy", "-f", "null", "-"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert read.stderr == ""
    assert (frame_times(part), sound_digest(part)) == (times, sound)
    for broken in (b"", plain, part.read_bytes()[:-1], part.read_bytes()[1:], plain + b"x" + part.read_bytes()[-96:]):
        part.write_bytes(broken)
        assert not is_sealed(part, name)


def test_where_parts_begin(film: Path) -> None:
    facts = probe(film / "film.mkv")
    division = divide(film / "film.mkv", facts, part_ms=2_000)
    assert division is not None
    assert sum(part.frames for part in division.parts) == len(frame_times(film / "film.mkv"))
    starts = [float(part.start * division.time_base) for part in division.parts]
    assert starts[0] == 0
    assert min(b - a for a, b in pairwise(starts)) >= 2
    assert divide(film / "film.mkv", facts, part_ms=frame_index.PART_MS) is None, "too short to divide"


def test_a_caption_that_begins_with_a_part_belongs_to_no_other(film: Path) -> None:
    """As captions do that stand at a cut, where encoders put keyframes."""
    facts = probe(film / "film.mkv")
    division = divide(film / "film.mkv", facts, part_ms=1_000)
    assert division is not None
    assert facts.video is not None
    picture = drawn_picture(facts.video, PictureForm(), Encoder.X264)
    start_ms = int(division.parts[2].start * division.time_base * 100) * 10

    def names(text: str) -> tuple[str, ...]:
        script = write_ass([CaptionLine("1", start_ms, start_ms + 500, text)], DEFAULT_STYLE, 320, 180)
        return part_digests(division, picture, script, original="a", stream=0, tools=["b"])

    assert [one == other for one, other in zip(names("One"), names("Other"), strict=True)] == [
        part.number != 2 for part in division.parts
    ]


def test_spans_are_neighbours_of_similar_length(film: Path) -> None:
    division = divide(film / "film.mkv", probe(film / "film.mkv"), part_ms=1_000)
    assert division is not None
    assert [len(span) for span in spans(division.parts, 1)] == [len(division.parts)]
    with_gap = [part for part in division.parts if part.number != 2]
    assert [part.number for part in spans(with_gap, 1)[0]] == [0, 1]
    halves = spans(division.parts, 2)
    assert len(halves) == 2
    assert [part for span in halves for part in span] == list(division.parts)
