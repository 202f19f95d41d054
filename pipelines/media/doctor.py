"""The part of `doctor` about media on this machine."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass

from cluster.wording.message import Message, Wording
from pipelines.captions.fonts.font_files import FONTS_DIR
from pipelines.media.export.encoders import best_encoder
from pipelines.media.ffmpeg import find_ffmpeg, list_of
from pipelines.messages.attempt import StageFailed
from pipelines.messages.caption_style import DEFAULT_FAMILY

DOES_NOT_RUN = Wording("ffmpeg.does_not_run", "The ffmpeg program does not run: {failure}.")
PART = Wording("ffmpeg.part", "{part} ({purpose})")
# What a part is for.
CAPTIONS = Message("ffmpeg.captions", "captions drawn into the picture")
POSTERS = Message("ffmpeg.posters", "posters")
SOUND = Message("ffmpeg.sound", "the sound for transcription")
HDR = Message("ffmpeg.hdr", "exports of HDR videos")
COPIES = Message("ffmpeg.copies", "playback copies and exports")
SUBTITLES = Message("ffmpeg.subtitles", "subtitle tracks")

_NEEDED: tuple[tuple[str, str, Message], ...] = (
    ("-filters", "ass", CAPTIONS),
    ("-filters", "thumbnail", POSTERS),
    ("-filters", "aresample", SOUND),
    ("-filters", "zscale", HDR),
    ("-filters", "tonemap", HDR),
    ("-encoders", "libx264", COPIES),
    ("-encoders", "aac", COPIES),
    ("-encoders", "mov_text", SUBTITLES),
    ("-encoders", "mjpeg", POSTERS),
)


@dataclass(frozen=True, slots=True)
class FfmpegReport:
    """`missing` names each missing part and what needs it; `problem` is a sentence when nothing works."""

    program: str | None
    version: str | None
    missing: tuple[str, ...]
    fonts: tuple[str, ...]
    problem: str | None
    encoder: str = ""
    """What exports are encoded with on this machine."""

    @property
    def ok(self) -> bool:
        return self.problem is None and not self.missing


def check_ffmpeg() -> FfmpegReport:
    """Find the program and list what it supports. Raises nothing."""
    fonts = tuple(sorted(font.stem for font in FONTS_DIR.glob("*.[ot]tf")))
    program: str | None = None
    try:
        program = find_ffmpeg()
        version = re.search(r"version (\S+)", list_of(program, "-version"))
        listed = {option: list_of(program, option) for option in {needed[0] for needed in _NEEDED}}
    except StageFailed as failed:
        return FfmpegReport(None, None, (), fonts, failed.reason)
    except (OSError, subprocess.SubprocessError) as error:
        return FfmpegReport(program, None, (), fonts, DOES_NOT_RUN(failure=str(error)))
    missing = [
        PART(part=part, purpose=purpose)
        for option, part, purpose in _NEEDED
        if not re.search(rf"^\s*\S+\s+{part}\s", listed[option], re.MULTILINE)
    ]
    if not fonts:
        missing.append(PART(part=DEFAULT_FAMILY, purpose=CAPTIONS))
    return FfmpegReport(program, version.group(1) if version else None, tuple(missing), fonts, None, best_encoder())
