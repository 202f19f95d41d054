"""Reads the facts of a stranger's file: its streams, size and length, or a sentence saying why we cannot use it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from cluster.limited_process.process import LimitedProcess, ProcessFailed
from cluster.wording.message import Message
from pipelines.media.colour import Transfer, transfer_of
from pipelines.media.ffmpeg import FORMAT_WHITELIST, stage_failed
from pipelines.media.limits import (
    MAX_CHANNELS,
    MAX_DURATION_MS,
    MAX_PIXELS,
    MAX_SIDE_PX,
    PROBE_SIZE_BYTES,
    probe_limits,
)
from pipelines.media.sniff import Container, NotMedia, sniff
from pipelines.messages.attempt import StageFailed

STAGE = "probe"
FACTS_FORM = 2
"""Raise it when `probe` tells more or other things of a file: exports then probe it again."""
_CHILD = Path(__file__).with_name("probe_child.py")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}")
_TIMECODE = re.compile(r"\d\d:\d\d:\d\d[:;.]\d\d", re.ASCII)
SOUNDS_MAX = 16
"""Sound tracks that an export can keep: films have fewer, and hostile files have thousands."""
_RAW_CLOCK = frozenset({Container.MP4, Container.MATROSKA})
"""Browsers keep the late start of these containers: they show a first frame at 2 s at 2 s (seen in Chromium)."""

DAMAGED = Message(
    "pipelines.media.damaged",
    "This file is damaged or incomplete and cannot be read. Upload it again from the original.",
)
NO_STREAMS = Message(
    "pipelines.media.no_streams", "This file has neither sound nor picture. Upload a video or an audio file."
)
UNDECODABLE = Message(
    "pipelines.media.undecodable", "The video in this file cannot be decoded. Convert it to MP4 and upload it again."
)
TOO_LONG = Message(
    "pipelines.media.too_long",
    "This file is longer than {count} hours. Split it and upload the parts.",
    count=MAX_DURATION_MS // 3600000,
)
TOO_MANY_CHANNELS = Message(
    "pipelines.media.too_many_channels",
    "The sound of this file has more than {count} channels. Upload it with fewer.",
    count=MAX_CHANNELS,
)
TOO_LARGE = Message(
    "pipelines.media.too_large",
    "The picture of this video is larger than {count} pixels a side. Upload a smaller version.",
    count=MAX_SIDE_PX,
)


@dataclass(frozen=True, slots=True)
class VideoFacts:
    """`width` and `height` are those on screen, after rotation and pixel aspect."""

    index: int
    codec: str
    profile: str
    pixel_format: str
    width: int
    height: int
    fps: float
    rotation: int
    interlaced: bool
    most_fps: float = 0.0
    """The highest rate, where frames follow each other at varying distances."""
    time_base: tuple[int, int] = (1, 90_000)
    """The unit of frame times as a fraction of a second."""
    transfer: Transfer = Transfer.SDR
    timecode: str = ""
    """The number of the first frame as hours, minutes, seconds and frames, where the file has one."""


@dataclass(frozen=True, slots=True)
class AudioFacts:
    index: int
    codec: str
    channels: int
    rate: int
    language: str | None


@dataclass(frozen=True, slots=True)
class MediaFacts:
    """One file. All times are those its viewers see; their 0 is `clock_offset_ms` before ffmpeg's."""

    container: Container
    webm: bool
    duration_ms: int
    clock_offset_ms: int
    size_bytes: int
    bit_rate: int | None
    video: VideoFacts | None
    audio: AudioFacts | None
    cover_index: int | None
    """The picture inside an audio file."""
    sounds: tuple[AudioFacts, ...] = ()
    """Every sound track in order, `audio` among them; at most `SOUNDS_MAX`."""

    @property
    def kind(self) -> str:
        return "video" if self.video else "audio"

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "container": self.container.value, "form": FACTS_FORM}

    @classmethod
    def from_json(cls, value: Mapping[str, Any] | None, path: Path) -> MediaFacts | None:
        """What `as_json` told of the file at `path`; None where another version did, or the file is another one."""
        if value is None or value.get("form") != FACTS_FORM or value.get("size_bytes") != path.stat().st_size:
            return None
        try:
            return _facts_reader().validate_python(value)
        except ValidationError:
            return None


@lru_cache
def _facts_reader() -> TypeAdapter[MediaFacts]:
    return TypeAdapter(MediaFacts)


def probe(path: Path) -> MediaFacts:
    """The facts of the file at `path`. Raises `StageFailed`."""
    return facts_of(path, lambda: _child_facts(path))


def facts_of(path: Path, read: Callable[[], dict[str, Any]]) -> MediaFacts:
    """The facts of the file at `path`, with what `read` finds by libav. Raises `StageFailed`, and as `read`."""
    try:
        container = sniff(path)
    except NotMedia as refused:
        raise StageFailed(STAGE, refused.sentence, retryable=False) from refused
    found = read()
    streams: list[dict[str, Any]] = found["streams"]
    pictures = [entry for entry in streams if entry["type"] == "video" and entry["codec"]]
    video = next((entry for entry in pictures if not entry["attached"]), None)
    audios = [entry for entry in streams if entry["type"] == "audio" and entry["codec"] and entry["rate"]]
    audio = _spoken(audios)
    if video is None and audio is None:
        raise StageFailed(STAGE, NO_STREAMS, retryable=False)
    if video is not None and not video["decodes"]:
        too_large = max(video["width"], video["height"]) > MAX_SIDE_PX
        raise StageFailed(STAGE, TOO_LARGE if too_large else UNDECODABLE, retryable=False)
    offset_ms = max(0, found["start_ms"]) if container in _RAW_CLOCK else 0
    facts = MediaFacts(
        container=container,
        webm=container is Container.MATROSKA and _is_webm(path),
        duration_ms=(found["end_ms"] or 0) - found["start_ms"] + offset_ms,
        clock_offset_ms=offset_ms,
        size_bytes=path.stat().st_size,
        bit_rate=found["bit_rate"],
        video=_video(video, streams) if video else None,
        audio=_audio(audio) if audio else None,
        cover_index=next((entry["index"] for entry in pictures if entry["attached"]), None),
        sounds=tuple(_audio(entry) for entry in _usable(audios, audio)),
    )
    _check(facts)
    return facts


def _child_facts(path: Path) -> dict[str, Any]:
    figures = [str(PROBE_SIZE_BYTES), str(MAX_PIXELS)]
    command = [sys.executable, "-I", str(_CHILD), str(path.absolute()), FORMAT_WHITELIST, *figures]
    try:
        with LimitedProcess(command, probe_limits()) as process:
            answer = b"".join(process.output())
    except ProcessFailed as failed:
        problem = stage_failed(STAGE, failed, DAMAGED)
        # A crash inside a demuxer is due to the file: it would crash again.
        raise StageFailed(problem.stage, problem.reason, retryable=False) from failed
    facts: dict[str, Any] = json.loads(answer)
    return facts


def _check(facts: MediaFacts) -> None:
    if facts.duration_ms <= 0:
        raise StageFailed(STAGE, DAMAGED, retryable=False)
    if facts.duration_ms > MAX_DURATION_MS:
        raise StageFailed(STAGE, TOO_LONG, retryable=False)
    if facts.video is not None and max(facts.video.width, facts.video.height) > MAX_SIDE_PX:
        raise StageFailed(STAGE, TOO_LARGE, retryable=False)
    if facts.audio is not None and facts.audio.channels > MAX_CHANNELS:
        raise StageFailed(STAGE, TOO_MANY_CHANNELS, retryable=False)


def _spoken(audio: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The track people hear: the one marked default, else the first."""
    return next((entry for entry in audio if entry["default"]), audio[0] if audio else None)


def _usable(audios: list[dict[str, Any]], spoken: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The first tracks with a number of channels that can be mixed, and the spoken one."""
    usable = [entry for entry in audios if entry is spoken or entry["channels"] <= MAX_CHANNELS]
    first = usable[:SOUNDS_MAX]
    return first if spoken is None or spoken in first else [spoken, *first[:-1]]


def _video(entry: dict[str, Any], streams: list[dict[str, Any]]) -> VideoFacts:
    timecodes = [entry["timecode"], *(other["timecode"] for other in streams if other["type"] == "data")]
    width, height = max(1, round(entry["width"] * entry["pixel_aspect"])), entry["height"]
    if entry["rotation"] % 180 == 90:
        width, height = height, width
    return VideoFacts(
        index=entry["index"],
        codec=entry["codec"],
        profile=entry["profile"] or "",
        pixel_format=entry["pixel_format"] or "",
        width=width,
        height=height,
        fps=entry["fps"] or 0.0,
        rotation=entry["rotation"] % 360,
        interlaced=entry["interlaced"],
        most_fps=max(entry["fps"] or 0.0, entry["most_fps"] or 0.0),
        time_base=(entry["time_base"][0], entry["time_base"][1]),
        transfer=transfer_of(entry["transfer"]),
        timecode=next((value for value in timecodes if _TIMECODE.fullmatch(value)), ""),
    )


def _audio(entry: dict[str, Any]) -> AudioFacts:
    language = entry["language"] or ""
    return AudioFacts(
        index=entry["index"],
        codec=entry["codec"],
        channels=entry["channels"],
        rate=entry["rate"],
        # Matroska allows any text here.
        language=language if _LANGUAGE.fullmatch(language) and language != "und" else None,
    )


def _is_webm(path: Path) -> bool:
    """Whether the document type, in the first bytes of every Matroska file, is WebM."""
    with path.open("rb") as opened:
        return b"webm" in opened.read(64)
