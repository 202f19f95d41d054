"""The choices of an export: what is written, in which file form, and how its picture looks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ExportMode(StrEnum):
    """Captions drawn into the picture, captions as tracks, or the sound without picture and captions."""

    BURNED = "burned"
    SOFT = "soft"
    AUDIO = "audio"


class FileForm(StrEnum):
    """The kind of file. The value is its suffix."""

    MP4 = "mp4"
    MKV = "mkv"
    WEBM = "webm"
    M4A = "m4a"
    MP3 = "mp3"
    WAV = "wav"
    FLAC = "flac"


class Aspect(StrEnum):
    ORIGINAL = "original"
    WIDE = "16:9"
    TALL = "9:16"
    SQUARE = "1:1"


class Fit(StrEnum):
    """How a picture gets another aspect: black bars, a blurred copy of itself behind it, or a part of it."""

    PAD = "pad"
    BLUR = "blur"
    CROP = "crop"


class Quality(StrEnum):
    SMALL = "small"
    STANDARD = "standard"
    HIGH = "high"


FORMS_OF_MODE: dict[ExportMode, tuple[FileForm, ...]] = {
    ExportMode.BURNED: (FileForm.MP4, FileForm.MKV),
    ExportMode.SOFT: (FileForm.MP4, FileForm.MKV, FileForm.WEBM),
    ExportMode.AUDIO: (FileForm.M4A, FileForm.MP3, FileForm.WAV, FileForm.FLAC),
}
"""The first is the usual one."""

MIME: dict[FileForm, str] = {
    FileForm.MP4: "video/mp4",
    FileForm.MKV: "video/x-matroska",
    FileForm.WEBM: "video/webm",
    FileForm.M4A: "audio/mp4",
    FileForm.MP3: "audio/mpeg",
    FileForm.WAV: "audio/wav",
    FileForm.FLAC: "audio/flac",
}

SHORT_SIDES = (2160, 1440, 1080, 720, 480, 360)
"""Sizes people may choose: the short side of the picture, in pixels."""


@dataclass(frozen=True, slots=True)
class Clip:
    """The part of the file that is exported."""

    start_ms: int
    end_ms: int

    @property
    def duration_ms(self) -> int:
        return self.end_ms - self.start_ms


@dataclass(frozen=True, slots=True)
class PictureForm:
    """How a new picture looks. `short_side` in pixels, None for that of the original; never larger than it.

    `crop_x` and `crop_y` place the cropped part: 0 is the left or upper edge, 1 the right or lower one.
    """

    aspect: Aspect = Aspect.ORIGINAL
    fit: Fit = Fit.PAD
    short_side: int | None = None
    quality: Quality = Quality.STANDARD
    crop_x: float = 0.5
    crop_y: float = 0.5


@dataclass(frozen=True, slots=True)
class ExportForm:
    """`sounds` are stream indexes of the original, None for every sound track; `clip` is None for the whole file."""

    file: FileForm = FileForm.MP4
    picture: PictureForm = PictureForm()
    sounds: tuple[int, ...] | None = None
    clip: Clip | None = None
