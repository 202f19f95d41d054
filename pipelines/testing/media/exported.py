"""Judges an exported file against its original, as somebody would who plays both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt

from pipelines.messages.export_form import ExportMode, FileForm
from pipelines.testing.media.films import Film

_TIME_S = 0.012
"""Milliseconds in Matroska, and half a sample of sound in MP4, move a frame by no more."""
_DELAY_S = 0.05
"""Coders of sound start up to 48 ms before the sound."""
_DURATION_S = 0.3
"""Coders of sound add frames of up to 64 ms at both ends, and AVI tells its length in whole frames."""
_CHANGED = 60
"""Luminance by which a pixel changes when a caption comes: more than compression, less than white on dark."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a file shows: frame times in seconds, the luminance of each frame as on screen, and its tracks."""

    times: list[float]
    pictures: list[npt.NDArray[np.uint8]]
    duration_s: float
    sounds: list[tuple[str, int]]
    subtitles: list[tuple[str, list[tuple[float, float]]]]
    """Language, and start and end of each caption."""

    @property
    def size(self) -> tuple[int, int]:
        return (self.pictures[0].shape[1], self.pictures[0].shape[0]) if self.pictures else (0, 0)

    @property
    def captioned(self) -> list[float]:
        """The times of the frames in which more is bright than in most of the first: a caption is on screen."""
        quiet = np.minimum.reduce(self.pictures).astype(np.int16) if self.pictures else np.zeros((1, 1), np.int16)
        return [
            time
            for time, picture in zip(self.times, self.pictures, strict=True)
            if ((picture.astype(np.int16) - quiet) > _CHANGED).sum() > 20
        ]

    def part(self, zero: float, length_s: float) -> Shown:
        """What a clip of it shows that begins at `zero`, in seconds of its own times."""
        within = [index for index, time in enumerate(self.times) if zero <= time < zero + length_s]
        times, pictures = [self.times[index] - zero for index in within], [self.pictures[index] for index in within]
        return replace(self, times=times, pictures=pictures, duration_s=min(length_s, self.duration_s))

    def is_white_at(self, across: float, down: float) -> bool:
        """Whether the first frame is white there; both are shares of the picture."""
        width, height = self.size
        return bool(self.pictures[0][int(down * height), int(across * width)] > 180)


def shown_by(path: Path) -> Shown:
    """Decode the whole file. Times count from 0 of the file, as players do."""
    times: list[float] = []
    pictures: list[npt.NDArray[np.uint8]] = []
    with av.open(str(path)) as opened:
        film = next((each for each in opened.streams.video if not _is_cover(each)), None)
        if film is not None:
            for frame in opened.decode(film):
                times.append(frame.time or 0.0)
                pictures.append(_upright(frame, film))
        sounds = [(each.language or "und", each.codec_context.channels) for each in opened.streams.audio]
    return Shown(times, pictures, _duration_s(path), sounds, _subtitles(path))


@dataclass(frozen=True, slots=True)
class Ordered:
    """What an export should be: `captions` are start and end in milliseconds, the same in each of `languages`.

    `from_keyframe`: the picture is copied from a keyframe before the first frame that should show.
    """

    mode: ExportMode
    file: FileForm
    captions: Sequence[tuple[int, int]]
    languages: Sequence[str]
    from_keyframe: bool = False


def faults(film: Film, original: Shown, exported: Shown, ordered: Ordered) -> list[str]:
    """Sentences about all that the export of a whole file has otherwise than its original."""
    has_run_up = film.has_run_up and ordered.mode is ExportMode.SOFT and ordered.file is not FileForm.MP4
    begins_early = has_run_up or ordered.from_keyframe
    wrong = [] if begins_early else _frames(original, exported)
    # Sound that begins before the picture moves all of an MKV later.
    moved_s = exported.times[0] - first_s(film, original) if original.times and exported.times else 0.0
    if ordered.file is FileForm.MP4 and not begins_early and abs(moved_s) > _TIME_S:
        wrong.append(f"the first frame moves by {moved_s:.3f} s")
    if exported.sounds != list(film.sounds):
        wrong.append(f"sounds {exported.sounds}, not {list(film.sounds)}")
    if film.width:
        wrong += _picture(film, exported)
    if ordered.mode is ExportMode.BURNED:
        return wrong + drawn_wrongly(exported, [(a / 1000 + moved_s, b / 1000 + moved_s) for a, b in ordered.captions])
    if [language for language, _ in exported.subtitles] != list(ordered.languages):
        return [*wrong, f"languages {exported.subtitles}"]
    # Without a picture nothing tells by how much the coder's delay moves sound and captions together.
    loose_ms = 1000 * (_TIME_S if original.times else _DELAY_S)
    for language, cues in exported.subtitles:
        times = [tuple(round((at - moved_s) * 1000) for at in cue) for cue in cues]
        flat = [
            abs(a - b)
            for found, due in zip(times, ordered.captions, strict=False)
            for a, b in zip(found, due, strict=True)
        ]
        if not begins_early and (len(times) != len(ordered.captions) or max(flat, default=0) > loose_ms):
            wrong.append(f"captions in {language} at {times}, not {list(ordered.captions)}")
    return wrong


def first_s(film: Film, original: Shown) -> float:
    """The time of the first frame for viewers, 0 for sound. Players of transport streams count from 0."""
    if not original.times:
        return 0.0
    counted = original.times[0]
    return counted if abs(counted - film.start_s) < _DURATION_S else film.start_s


def _picture(film: Film, exported: Shown) -> list[str]:
    width, height = exported.size
    # H.264 has even sides only.
    if abs(width - film.width) > 1 or abs(height - film.height) > 1:
        return [f"{width} by {height} pixels, not {film.width} by {film.height}"]
    return [] if exported.is_white_at(*film.corner) else ["the white corner is elsewhere"]


def _frames(original: Shown, exported: Shown) -> list[str]:
    wrong = []
    if original.times and len(original.times) != len(exported.times):
        wrong.append(f"{len(exported.times)} frames, not {len(original.times)}")
    elif original.times:
        moved = [
            abs((after - exported.times[0]) - (before - original.times[0]))
            for before, after in zip(original.times, exported.times, strict=True)
        ]
        if max(moved) > _TIME_S:
            wrong.append(f"frames move by up to {max(moved):.3f} s")
    if abs(original.duration_s - exported.duration_s) > _DURATION_S:
        wrong.append(f"{exported.duration_s:.2f} s long, not {original.duration_s:.2f}")
    return wrong


def drawn_wrongly(exported: Shown, captions: Sequence[tuple[float, float]]) -> list[str]:
    """Sentences about frames without a caption that should have one, and the other way round.

    `captions`: start and end in seconds. A frame within `_TIME_S` of either may show it or not.
    """
    drawn = set(exported.captioned)
    wrong = []
    for time in exported.times:
        inside = any(start + _TIME_S <= time < end - _TIME_S for start, end in captions)
        near = any(start - _TIME_S <= time <= end + _TIME_S for start, end in captions)
        if inside and time not in drawn:
            wrong.append(f"no caption at {time:.3f} s")
        if not near and time in drawn:
            wrong.append(f"a caption at {time:.3f} s")
    return wrong[:3]


def _is_cover(stream: Any) -> bool:
    return bool(stream.disposition & type(stream.disposition).attached_pic)


def _upright(frame: Any, stream: Any) -> npt.NDArray[np.uint8]:
    picture: npt.NDArray[np.uint8] = frame.to_ndarray(format="gray").astype(np.uint8)
    aspect = float(stream.sample_aspect_ratio or 1) or 1.0
    if abs(aspect - 1) > 0.01:
        across = (np.arange(round(picture.shape[1] * aspect)) / aspect).astype(int)
        picture = picture[:, across.clip(max=picture.shape[1] - 1)]
    # The rotation is counterclockwise, as numpy turns.
    return np.rot90(picture, round(frame.rotation / 90) % 4)


def _duration_s(path: Path) -> float:
    """From the first packet to the end of the last, since containers count from different moments."""
    with av.open(str(path)) as opened:
        spans = [
            (float(packet.pts * packet.time_base), float((packet.pts + (packet.duration or 0)) * packet.time_base))
            for packet in opened.demux(*opened.streams.video, *opened.streams.audio)
            if packet.pts is not None and packet.size and not packet.is_discard and not _is_cover(packet.stream)
        ]
    return max(end for _, end in spans) - min(start for start, _ in spans)


def _subtitles(path: Path) -> list[tuple[str, list[tuple[float, float]]]]:
    found = []
    with av.open(str(path)) as opened:
        tracks = list(opened.streams.subtitles)
        cues: dict[int, list[tuple[float, float]]] = {each.index: [] for each in tracks}
        for packet in opened.demux(tracks) if tracks else ():
            # Two bytes alone are MP4's way to show nothing.
            if packet.size > 2 and packet.pts is not None:
                start = float(packet.pts * packet.time_base)
                cues[packet.stream.index].append((start, start + float((packet.duration or 0) * packet.time_base)))
        found = [(each.language or "und", cues[each.index]) for each in tracks]
    return found
