"""Encodes neighbouring parts of a video in one run of ffmpeg, each into a file of its own."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Generator, Sequence
from dataclasses import astuple, replace
from pathlib import Path

from pipelines.media.export.burn_in import FAILURE, STAGE, DrawnPicture
from pipelines.media.export.encoders import Encoder
from pipelines.media.export.frame_index import Division, Part
from pipelines.media.ffmpeg import render, source
from pipelines.media.limits import render_limits
from pipelines.media.probe import VideoFacts

_FORM = 2
"""Raise it when parts of an earlier version can no longer be joined with ours, or were named by something else."""
_LIST = "parts.csv"
_NAME = "part{:05}.mp4"
_DIALOGUE = re.compile(r"Dialogue: \d+,(\d+):(\d\d):(\d\d)\.(\d\d),(\d+):(\d\d):(\d\d)\.(\d\d),")
_ROUNDED_S = 0.002
"""libass counts in whole milliseconds. More would make a caption that begins with a part cost the part before too."""


def part_digests(
    division: Division, picture: DrawnPicture, script: str, *, original: str, stream: int, tools: Sequence[str]
) -> tuple[str, ...]:
    """A name for each part that changes with anything that its frames show: the original's content, the stream of it,
    the picture's form, the tools (program and fonts), and the captions on screen during it."""
    head: list[str] = []
    rows: list[tuple[float, float, str]] = []
    for row in script.splitlines():
        found = _DIALOGUE.match(row)
        if found:
            rows.append((_seconds(found.groups()[:4]), _seconds(found.groups()[4:]), row))
        else:
            head.append(row)
    clock = [division.time_base.numerator, division.time_base.denominator, division.clock_us]
    same = [_FORM, original, stream, *tools, picture.filters, picture.encoding, clock, head]
    names = []
    for part in division.parts:
        first_s, last_s = part.after_s - _ROUNDED_S, part.before_s + _ROUNDED_S
        shown = [row for start_s, end_s, row in rows if start_s < last_s and end_s > first_s]
        # Where a part stands in the list changes nothing in it.
        placed = astuple(replace(part, number=0, first_frame=0))
        whole = json.dumps([*same, placed, shown], ensure_ascii=False)
        names.append(hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:40])
    return tuple(names)


def spans(parts: Sequence[Part], workers: int) -> list[list[Part]]:
    """Neighbouring parts together, in runs of similar length: one for each worker, or more where parts are missing."""
    runs: list[list[Part]] = []
    for part in parts:
        if runs and runs[-1][-1].number == part.number - 1:
            runs[-1].append(part)
        else:
            runs.append([part])
    goal = -(-sum(part.frames for part in parts) // max(1, workers))
    cut: list[list[Part]] = []
    for run in runs:
        frames = 0
        cut.append([])
        for part in run:
            if frames >= goal:
                cut.append([])
                frames = 0
            cut[-1].append(part)
            frames += part.frames
    return cut


def encode_span(
    path: Path,
    video: VideoFacts,
    division: Division,
    span: Sequence[Part],
    picture: DrawnPicture,
    work: Path,
    *,
    size_bytes: int,
) -> Generator[int, None, None]:
    """Write the parts of `span` into `work`, where the script is; `finished_parts` says which are whole.

    Yields the milliseconds written. Frames keep the times of the original.
    """
    first, last = span[0], span[-1]
    seek = None if first.number == 0 else first.start_us - division.clock_us
    window = f"trim=start={first.after_s:.6f}:end={last.before_s:.6f}"
    arguments = ["-copyts", *source(path, seek_us=seek), "-map", f"0:{video.index}", "-an", "-sn"]
    arguments += ["-vf", f"{window},{picture.filters}", *picture.encoding, "-forced-idr", "1"]
    if len(span) > 1:
        cuts = ",".join(f"{part.after_s:.6f}" for part in span[1:])
        frames = ",".join(str(part.first_frame - first.first_frame) for part in span[1:])
        arguments += ["-force_key_frames", cuts, "-segment_frames", frames]
    else:
        arguments += ["-segment_time", "1000000"]
    arguments += ["-map_metadata", "-1", "-f", "segment", "-segment_format", "mp4"]
    arguments += ["-reset_timestamps", "1", "-segment_list", _LIST]
    arguments += ["-segment_list_type", "csv", "-segment_start_number", str(first.number), "part%05d.mp4"]
    duration_ms = round((last.before_s - first.after_s) * 1000)
    limits = render_limits(duration_ms, size_bytes)
    if Encoder.NVENC in picture.encoding:
        # CUDA reserves more address space than any machine has.
        limits = replace(limits, address_space_bytes=0)
    start_ms = round(first.after_s * 1000)
    for written_ms in render(STAGE, arguments, limits=limits, cwd=work, failure=FAILURE):
        yield min(duration_ms, max(0, written_ms - start_ms))


def finished_parts(work: Path) -> list[str]:
    """The names of the files in `work` that are whole."""
    try:
        rows = (work / _LIST).read_text().splitlines()
    except FileNotFoundError:
        return []
    return [name for row in rows if (name := row.partition(",")[0])]


def part_file(part: Part) -> str:
    return _NAME.format(part.number)


def _seconds(fields: Sequence[str]) -> float:
    hours, minutes, seconds, hundredths = (int(field) for field in fields)
    return 3600 * hours + 60 * minutes + seconds + hundredths / 100
