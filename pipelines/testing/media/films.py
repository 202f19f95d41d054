"""Originals as cameras, phones and programs make them: what each looks like to its viewers, and how ffmpeg makes it.

All are dark with a white corner, so that a caption is the only thing that changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pipelines.testing.media.samples import ffmpeg

SECONDS = 2
_H264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p"
_B_FRAMES = "-c:v libx264 -preset veryfast -bf 2 -g 10 -pix_fmt yuv420p"
_AAC = "-c:a aac"


@dataclass(frozen=True, slots=True)
class Film:
    """`commands` are arguments of ffmpeg, without spaces of their own; the last one writes the file.

    `width` and `height` are pixels on screen, 0 for sound alone. `corner` is where the white corner is on screen, as
    shares of the picture. `start_s` is the first frame's time for viewers. `sounds` are languages and channels.
    `has_run_up`: frames that its players skip lie before its first one.
    """

    name: str
    commands: tuple[str, ...]
    width: int = 320
    height: int = 180
    corner: tuple[float, float] = (0.05, 0.05)
    start_s: float = 0.0
    sounds: tuple[tuple[str, int], ...] = (("und", 1),)
    has_run_up: bool = False

    @property
    def captions(self) -> list[tuple[int, int]]:
        """Start and end in milliseconds of a caption in its middle."""
        start_ms = round(self.start_s * 1000)
        return [(start_ms + 500, start_ms + 1500)]

    def make(self, folder: Path) -> Path:
        """The file, made once in `folder`."""
        path = folder / self.name
        if not path.exists():
            *before, last = self.commands
            for command in (*before, f"{last} {self.name}"):
                ffmpeg(*command.split(), cwd=folder)
        return path


def _picture(size: str = "320x180", seconds: float = SECONDS, rate: int = 10, after: str = "") -> str:
    box = "drawbox=x=0:y=0:w=iw/8:h=ih/8:color=white:t=fill"
    return f"-f lavfi -i color=0x101010:s={size}:r={rate}:d={seconds},{box}{after}"


def _tone(seconds: float = SECONDS, pitch: int = 440) -> str:
    return f"-f lavfi -i sine={pitch}:r=48000:d={seconds}"


_BOTH = f"{_picture()} {_tone()}"
_SIX = "[1:a]aformat=channel_layouts=mono,pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0[six]"
_COVER = "-f lavfi -i color=red:s=64x64:r=1:d=1"
_FEWER = "-vf select='lt(t,1)+not(mod(n,4))' -fps_mode passthrough"
_HALVES = "-c:v mpeg2video -flags +ildct+ilme -b:v 2M -c:a mp2"
_TEN_BITS = "-c:v libx265 -x265-params log-level=error -pix_fmt yuv420p10le -c:a flac"
_LANGUAGES = "-metadata:s:a:0 language=isl -metadata:s:a:1 language=eng"

_EVERY = (
    Film("plain.mp4", (f"{_BOTH} {_B_FRAMES} {_AAC}",)),
    Film(
        "portrait.mov",
        (f"{_BOTH} {_H264} {_AAC} lying.mov", "-i lying.mov -c copy -metadata:s:v rotate=90"),
        width=180, height=320, corner=(0.05, 0.95),
    ),
    # Long enough to be drawn in parts, with sound that must be coded for MP4.
    Film("long.mkv", (f"{_picture(seconds=14)} {_tone(14)} {_B_FRAMES} -c:a flac",)),
    Film("silent.mp4", (f"{_picture()} {_H264}",), sounds=()),
    Film(
        "cover.mp3",
        (f"{_tone()} {_COVER} -map 0 -map 1 -c:a libmp3lame -c:v mjpeg -disposition:v attached_pic",),
        width=0, height=0,
    ),
    Film("tone.m4a", (f"{_tone()} {_AAC}",), width=0, height=0),
    Film(
        "odd.mp4",
        (f"{_picture(after=',format=rgb24,scale=853:481,setsar=1')} {_tone()} -c:v libx264 -pix_fmt yuv444p {_AAC}",),
        width=853, height=481,
    ),
    Film("varying.mp4", (f"{_picture(rate=20)} {_tone()} {_FEWER} {_B_FRAMES} {_AAC}",)),
    Film("ten_bit.mkv", (f"{_BOTH} {_TEN_BITS}",)),
    Film("interlaced.ts", (f"{_picture(rate=50, after=',interlace')} {_tone()} {_HALVES}",), start_s=0.01),
    Film(
        "anamorphic.mp4",
        (f"{_picture('240x180', after=',setsar=4/3')} {_tone()} {_H264} {_AAC}",),
    ),
    Film("late.mp4", (f"{_BOTH} {_B_FRAMES} {_AAC} early.mp4", "-itsoffset 3 -i early.mp4 -c copy"), start_s=3),
    Film("late.mkv", (f"{_BOTH} {_B_FRAMES} -c:a ac3 early.mkv", "-itsoffset 3 -i early.mkv -c copy"), start_s=3),
    Film(
        "two_sounds.mkv",
        (f"{_BOTH} {_tone(pitch=880)} -map 0 -map 1 -map 2 {_H264} -c:a:0 aac -c:a:1 pcm_s16le {_LANGUAGES}",),
        sounds=(("isl", 1), ("eng", 1)),
    ),
    Film("long_sound.mp4", (f"{_picture()} {_tone(4)} {_H264} {_AAC}",)),
    Film("long_picture.mp4", (f"{_picture()} {_tone(1)} {_H264} {_AAC}",)),
    Film("timecode.mov", (f"{_BOTH} {_H264} -c:a pcm_s16le -timecode 10:00:00:00",)),
    Film(
        "cover.mp4",
        (f"{_BOTH} {_COVER} -map 0 -map 1 -map 2 {_H264} {_AAC} -c:v:1 mjpeg -disposition:v:1 attached_pic",),
    ),
    Film(
        "surround.mkv",
        (f"{_BOTH} -filter_complex {_SIX} -map 0 -map [six] {_H264} -c:a ac3",),
        sounds=(("und", 6),),
    ),
    Film("screen.webm", (f"{_BOTH} -c:v libvpx-vp9 -deadline realtime -c:a libopus",)),
    Film("old.avi", (f"{_BOTH} -c:v mpeg4 -bf 2 -c:a libmp3lame",)),
    Film(
        "trimmed.mp4",
        (f"{_picture(seconds=4)} {_tone(4)} {_B_FRAMES} {_AAC} whole.mp4", "-ss 1.5 -i whole.mp4 -t 2 -c copy"),
        has_run_up=True,
    ),
)  # fmt: skip
FILMS = {film.name: film for film in _EVERY}
