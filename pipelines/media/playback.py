"""Decides whether browsers play an original as it is, and makes the playback copy where they do not."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from cluster.wording.message import Message
from pipelines.media.ffmpeg import mono_mix, render, source, threads
from pipelines.media.limits import MAX_OUTPUT_FPS, render_limits
from pipelines.media.probe import MediaFacts, VideoFacts
from pipelines.media.sniff import Container

STAGE = "encoding"
LONG_SIDE_PX = 1920
SHORT_SIDE_PX = 1080
FAILURE = Message(
    "pipelines.media.playback_failure",
    "This file could not be converted for playback. Convert it to MP4 and upload it again.",
)

WITHOUT_METADATA = ("-map_metadata", "-1", "-map_chapters", "-1", "-dn", "-max_muxing_queue_size", "4096")
"""Titles, comments and places of the original stay behind."""
_EIGHT_BIT = frozenset({"yuv420p", "yuvj420p"})
_WEBM_VIDEO = frozenset({"vp8", "vp9", "av1"})
_WEBM_AUDIO = frozenset({"opus", "vorbis"})
_MP4_AUDIO = frozenset({"aac", "mp3"})
TIMED = frozenset({Container.MP4, Container.MATROSKA, Container.MPEG_TS, Container.FLV})
_WAV_AUDIO = frozenset({"pcm_s16le", "pcm_u8", "pcm_s24le", "pcm_f32le"})


@dataclass(frozen=True, slots=True)
class Rendition:
    """The form of a new copy. `width` and `height` are None for sound."""

    width: int | None
    height: int | None
    mime: str


def plays_in_browser(facts: MediaFacts) -> bool:
    """Whether today's Chrome, Firefox and Safari all play it; a file that only some play is encoded."""
    video, audio = facts.video, facts.audio
    sound = audio.codec if audio else None
    if video is None:
        playable = {
            Container.MP3: {"mp3"},
            Container.MP4: _MP4_AUDIO,
            Container.WAV: _WAV_AUDIO,
            Container.OGG: _WEBM_AUDIO,
            Container.FLAC: {"flac"},
        }.get(facts.container, _WEBM_AUDIO if facts.webm else frozenset())
        return sound in playable
    if facts.container is Container.MP4:
        return _plain_h264(video) and (sound is None or sound in _MP4_AUDIO)
    return (
        facts.webm
        and video.codec in _WEBM_VIDEO
        and video.pixel_format in _EIGHT_BIT
        and (sound is None or sound in _WEBM_AUDIO)
    )


def mime_of(facts: MediaFacts) -> str:
    """The MIME type of an original that browsers play."""
    kind = facts.kind
    if facts.webm:
        return f"{kind}/webm"
    return {
        Container.MP4: f"{kind}/mp4",
        Container.MP3: "audio/mpeg",
        Container.WAV: "audio/wav",
        Container.OGG: f"{kind}/ogg",
        Container.FLAC: "audio/flac",
    }.get(facts.container, "application/octet-stream")


def make_playback(path: Path, facts: MediaFacts, target: Path, rendition: Rendition) -> Generator[int, None, None]:
    """Write the copy that every browser plays, yielding milliseconds written. Playable streams are copied."""
    arguments = source(path, offset_ms=facts.clock_offset_ms)
    if facts.video is not None:
        arguments += ["-map", f"0:{facts.video.index}", *_video(facts, facts.video, rendition)]
    if facts.audio is not None:
        arguments += ["-map", f"0:{facts.audio.index}", *sound(facts)]
    arguments += mp4_output(target)
    limits = render_limits(facts.duration_ms, facts.size_bytes)
    yield from render(STAGE, arguments, limits=limits, cwd=target.parent, failure=FAILURE)


def rendition_of(facts: MediaFacts) -> Rendition:
    """The size of the copy: as shown, at most 1080p either way up, even sides, never larger than the original."""
    if facts.video is None:
        return Rendition(None, None, "audio/mp4")
    if copies_video(facts):
        return Rendition(facts.video.width, facts.video.height, "video/mp4")
    width, height = fit_size(facts.video.width, facts.video.height, LONG_SIDE_PX, SHORT_SIDE_PX)
    return Rendition(width, height, "video/mp4")


def fit_size(width: int, height: int, long_side: int, short_side: int) -> tuple[int, int]:
    """Even sides of at least 2 inside a box that is turned like the picture; H.264 in 4:2:0 has no odd sides."""
    scale = min(1.0, long_side / max(width, height), short_side / min(width, height))
    return max(2, round(width * scale / 2) * 2), max(2, round(height * scale / 2) * 2)


def h264(*, crf: int, max_kbit: int) -> list[str]:
    """Constant quality with a ceiling, 8-bit 4:2:0: what every player decodes."""
    return [
        *("-c:v", "libx264", "-preset", "veryfast", "-crf", str(crf), "-pix_fmt", "yuv420p", "-threads", threads()),
        *("-maxrate", f"{max_kbit}k", "-bufsize", f"{2 * max_kbit}k", "-fpsmax", str(MAX_OUTPUT_FPS)),
    ]


def sound(facts: MediaFacts) -> list[str]:
    """Copy AAC; convert anything else to AAC with at most two channels."""
    assert facts.audio is not None
    if facts.audio.codec == "aac":
        return ["-c:a", "copy"]
    mix = mono_mix(facts.audio.channels)
    channels = 1 if mix else min(2, max(1, facts.audio.channels))
    return [*(("-af", mix.rstrip(",")) if mix else ()), "-c:a", "aac", "-b:a", "160k", "-ac", str(channels)]


def mp4_output(target: Path) -> list[str]:
    """Ends a command: an MP4 whose index comes first, so that playback starts before the last byte arrives."""
    return [*WITHOUT_METADATA, "-movflags", "+faststart", "-f", "mp4", target.name]


def display_filters(video: VideoFacts, width: int, height: int) -> str:
    """The filters that turn a picture into square pixels and whole frames of this size."""
    return f"{whole_frames(video)}scale={width}:{height},setsar=1"


def whole_frames(video: VideoFacts) -> str:
    """The filter, with its comma, that joins half frames; empty where there are none."""
    return "yadif=deint=interlaced," if video.interlaced else ""


def _video(facts: MediaFacts, video: VideoFacts, rendition: Rendition) -> list[str]:
    if copies_video(facts):
        return ["-c:v", "copy"]
    assert rendition.width is not None
    assert rendition.height is not None
    return ["-vf", display_filters(video, rendition.width, rendition.height), *h264(crf=23, max_kbit=5000)]


def copies_video(facts: MediaFacts) -> bool:
    """Whether only the container must change, which takes milliseconds: H.264 that browsers play.

    AVI is left out: it stores no presentation times, so B-frames cannot be copied.
    """
    video = facts.video
    return video is not None and _plain_h264(video) and not video.interlaced and facts.container in TIMED


def _plain_h264(video: VideoFacts) -> bool:
    return video.codec == "h264" and video.pixel_format in _EIGHT_BIT
