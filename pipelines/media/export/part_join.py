"""Joins encoded parts and the sound into the finished file."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Sequence
from pathlib import Path

from cluster.limited_process.process import LimitedProcess, ProcessFailed
from pipelines.media.export.burn_in import FAILURE, STAGE
from pipelines.media.export.file_output import file_output
from pipelines.media.export.frame_index import Division
from pipelines.media.export.sound_tracks import chosen_sounds, is_copied, sound_arguments, sound_tags
from pipelines.media.export.timecode import timecode_tags
from pipelines.media.ffmpeg import own_file, render, source, stage_failed
from pipelines.media.limits import max_output_bytes, preprocess_limits, render_limits
from pipelines.media.probe import MediaFacts
from pipelines.messages.export_form import ExportForm, FileForm

_CHILD = Path(__file__).with_name("part_join_child.py")
_MISMATCH = 4
_PLAN, _VIDEO = "parts.json", "joined.mp4"
SOUND = "sound.mp4"


class PartsDiffer(Exception):
    """A part has other frames than the original's, as in damaged files: the file must be encoded in one pass."""


def join_video(division: Division, paths: Sequence[Path], work: Path, facts: MediaFacts) -> Path:
    """One MP4 with the frames of all parts and without sound. Raises `PartsDiffer` or `StageFailed`."""
    parts = [
        {"path": str(path.absolute()), "start": part.start, "frames": part.frames}
        for part, path in zip(division.parts, paths, strict=True)
    ]
    plan = {"time_base": [division.time_base.numerator, division.time_base.denominator], "parts": parts}
    (work / _PLAN).write_text(json.dumps(plan))
    limits = preprocess_limits(facts.duration_ms)
    names = [str((work / name).absolute()) for name in (_PLAN, _VIDEO)]
    command = [sys.executable, "-I", str(_CHILD), *names, str(_MISMATCH)]
    try:
        with LimitedProcess(command, limits, cwd=work) as process:
            for _ in process.output():
                pass
    except ProcessFailed as failed:
        if failed.returncode == _MISMATCH:
            raise PartsDiffer(failed.errors) from failed
        raise stage_failed(STAGE, failed, FAILURE) from failed
    return work / _VIDEO


def needs_encoded_sound(facts: MediaFacts, form: ExportForm) -> bool:
    return not all(is_copied(track, form.file) for track in chosen_sounds(facts, form.sounds))


def encode_sound(path: Path, facts: MediaFacts, form: ExportForm, work: Path) -> Generator[int, None, None]:
    """Write every chosen track into `work / SOUND`, with the original's times. Yields the milliseconds written."""
    tracks = chosen_sounds(facts, form.sounds)
    arguments = ["-copyts", *source(path), "-vn", "-sn", *sound_arguments(tracks, form.file)]
    limits = render_limits(facts.duration_ms, facts.size_bytes)
    muxer = ["-map_metadata", "-1", "-f", "matroska" if form.file is FileForm.MKV else "mp4", SOUND]
    yield from render(STAGE, [*arguments, *muxer], limits=limits, cwd=work, failure=FAILURE)


def finish(
    path: Path, facts: MediaFacts, form: ExportForm, target: Path, *, sound: str | None
) -> Generator[int, None, None]:
    """Put the joined video and the sound into `target`: from `sound`, a file in the same folder, or the original."""
    tracks = chosen_sounds(facts, form.sounds)
    arguments = ["-copyts", *own_file(_VIDEO, "mov")]
    if tracks:
        demuxer = "matroska" if form.file is FileForm.MKV else "mov"
        arguments += own_file(sound, demuxer) if sound is not None else source(path)
    arguments += ["-map", "0:v", "-c:v", "copy"]
    arguments += sound_arguments(tracks, form.file, stream=1, kept=sound is not None)
    limits = render_limits(facts.duration_ms, max_output_bytes(facts.duration_ms, facts.size_bytes))
    tags = [*sound_tags(tracks), *timecode_tags(facts.video, form.file, form.clip)]
    output = file_output(target, form.file, tags=tags)
    yield from render(STAGE, [*arguments, *output], limits=limits, cwd=target.parent, failure=FAILURE)
