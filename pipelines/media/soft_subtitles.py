"""Adds captions to a video as a track that players switch on and off."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path

from pipelines.captions.lines import CaptionLine
from pipelines.languages import iso_639_2
from pipelines.media.ass import track_script
from pipelines.media.ffmpeg import own_text, render, source
from pipelines.media.limits import render_limits
from pipelines.media.playback import TIMED, display_filters, fit_size, h264, mp4_output, sound
from pipelines.media.probe import AudioFacts, MediaFacts

STAGE = "export"
FAILURE = "The captions could not be added to this file as a track. Convert it to MP4 and upload it again."

_SCRIPT = "captions.ass"
_COPIED_VIDEO = frozenset({"h264", "hevc", "av1", "vp9", "mpeg4"})
_COPIED_AUDIO = frozenset({"aac", "mp3", "ac3", "eac3", "alac", "opus"})
_LEAST_MP3_RATE = 16_000
"""Slower MP3, as telephones record it, does not fit into an MP4."""


def add_track(
    path: Path, facts: MediaFacts, lines: Sequence[CaptionLine], target: Path, *, language: str
) -> Generator[int, None, None]:
    """Write an MP4 with the original's streams and a subtitle track of `language` (a locale code such as `is-IS`).

    Streams that an MP4 can hold are copied. Yields the milliseconds written.
    """
    (target.parent / _SCRIPT).write_text(track_script(lines), encoding="utf-8")
    arguments = [*source(path, offset_ms=facts.clock_offset_ms), *own_text(_SCRIPT, "ass")]
    if facts.video is not None:
        arguments += ["-map", f"0:{facts.video.index}", *_video(facts)]
    if facts.audio is not None:
        arguments += ["-map", f"0:{facts.audio.index}", *_audio(facts, facts.audio)]
    arguments += ["-map", "1:0", "-c:s", "mov_text", "-disposition:s:0", "default"]
    output = mp4_output(target)
    # After the general `-map_metadata -1` of the output, which would remove the tag.
    tag = ["-metadata:s:s:0", f"language={iso_639_2(language)}"]
    limits = render_limits(facts.duration_ms, facts.size_bytes)
    arguments += [*output[:-1], *tag, output[-1]]
    yield from render(STAGE, arguments, limits=limits, cwd=target.parent, failure=FAILURE)


def _video(facts: MediaFacts) -> list[str]:
    video = facts.video
    assert video is not None
    if video.codec in _COPIED_VIDEO and facts.container in TIMED:
        # Apple's players recognise HEVC in MP4 by this tag only.
        return ["-c:v", "copy", *(("-tag:v", "hvc1") if video.codec == "hevc" else ())]
    width, height = fit_size(video.width, video.height, 3840, 2160)
    return ["-vf", display_filters(video, width, height), *h264(crf=20, max_kbit=8000)]


def _audio(facts: MediaFacts, audio: AudioFacts) -> list[str]:
    fits = audio.codec in _COPIED_AUDIO and not (audio.codec == "mp3" and audio.rate < _LEAST_MP3_RATE)
    return ["-c:a", "copy"] if fits else sound(facts)
