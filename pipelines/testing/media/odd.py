"""Odd, hostile and broken media files, small on disk, made by name when a test asks for them."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

from pipelines.testing.media.mp4_boxes import box, edit_list, ftyp, movie, pcm_entry, png_entry, tables
from pipelines.testing.media.samples import H264, PICTURE, TONE, ffmpeg

SMALL = ("-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=1")
BEEP = ("-f", "lavfi", "-i", "sine=440:r=8000:d=1")


def _made(*arguments: str) -> Callable[[Path], None]:
    """A function that makes the file with ffmpeg."""
    return lambda path: ffmpeg(*arguments, path.name, cwd=path.parent)


def png(side: int) -> bytes:
    """A black picture of one bit per pixel: 12,000 by 12,000 pixels take 18 kB."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    rows = zlib.compress(bytes((1 + side // 8) * side), 9)
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def picture_bomb(path: Path, declared: int) -> None:
    """A video of one PNG of 12,000 by 12,000 pixels, in a track that claims `declared`."""
    picture = png(12_000)
    head = ftyp()
    sample = tables(samples=1, ticks=1000, size=len(picture), offset=len(head) + 8)
    moov = movie(*sample, entry=png_entry(declared, declared), kind="vide", duration=1000)
    path.write_bytes(head + box("mdat", picture) + moov)


def index_bomb(path: Path) -> None:
    """600 bytes that claim sixty million samples."""
    count = 60_000_000
    head = ftyp()
    moov = movie(
        struct.pack(">I4sIIII", 24, b"stts", 0, 1, count, 1),
        *tables(samples=count, ticks=1, size=1, offset=len(head) + 8)[1:],
        entry=box("mp4a", bytes(6), struct.pack(">H8xHHHHI", 1, 1, 16, 0, 0, 8000 << 16)),
        duration=count // 8000 * 1000,
    )
    path.write_bytes(head + box("mdat", bytes(64)) + moov)


def edit_bomb(path: Path) -> None:
    """One second of sound that an edit list of 200 kB repeats twenty thousand times."""
    head = ftyp()
    samples = tables(samples=8000, ticks=1, size=2, offset=len(head) + 8)
    moov = movie(*samples, entry=pcm_entry(), duration=8000, edits=edit_list(20_000, 8000))
    path.write_bytes(head + box("mdat", bytes(16_000)) + moov)


def lying_flac(path: Path) -> None:
    """A second of sound whose header claims almost four hours."""
    ffmpeg(*BEEP, "-c:a", "flac", path.name, cwd=path.parent)
    raw = bytearray(path.read_bytes())
    samples = 8000 * (4 * 3600 - 60)
    raw[21:26] = bytes([raw[21] & 0xF0 | samples >> 32, *struct.pack(">I", samples & 0xFFFFFFFF)])
    path.write_bytes(raw)


def short_flac(path: Path) -> None:
    """An hour and more of silence in less than a hundred kB whose header claims one second."""
    ffmpeg("-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono:d=4000", "-c:a", "flac", "-frame_size", "65535", path.name,
           cwd=path.parent)  # fmt: skip
    raw = bytearray(path.read_bytes())
    raw[21:26] = bytes([raw[21] & 0xF0, *struct.pack(">I", 8000)])
    path.write_bytes(raw)


def many_streams(path: Path) -> None:
    """Five hundred tracks of sound."""
    ffmpeg(*("-f", "lavfi", "-i", "sine=440:r=8000:d=0.1"), *(["-map", "0:a"] * 500), "-c:a", "pcm_u8", path.name,
           cwd=path.parent)  # fmt: skip


def channels(path: Path, number: int) -> None:
    """A second of sound in which only the last channel is not silent."""
    tone = (round(9000 * math.sin(2 * math.pi * 440 * index / 8000)) for index in range(8000))
    raw = b"".join(bytes(2 * (number - 1)) + struct.pack("<h", value) for value in tone)
    if path.suffix == ".wav":
        form = struct.pack("<HHIIHH", 1, number, 8000, 16000 * number, 2 * number, 16)
        body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(raw)) + raw
        path.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)
        return
    path.with_suffix(".raw").write_bytes(raw)
    ffmpeg("-f", "s16le", "-ar", "8000", "-ac", str(number), "-i", path.with_suffix(".raw").name, "-c", "copy",
           path.name, cwd=path.parent)  # fmt: skip


def _metadata(path: Path, text: str) -> None:
    (path.with_suffix(".meta")).write_text(";FFMETADATA1\n" + text, encoding="utf-8")
    ffmpeg(*SMALL, *BEEP, "-f", "ffmetadata", "-i", path.with_suffix(".meta").name, "-map", "0", "-map", "1",
           "-map_metadata", "2", "-map_chapters", "2", *H264, "-c:a", "aac", path.name, cwd=path.parent)  # fmt: skip


def many_chapters(path: Path) -> None:
    _metadata(path, "".join(f"[CHAPTER]\nTIMEBASE=1/100000\nSTART={n}\nEND={n + 1}\ntitle=c{n}\n" for n in range(5000)))


def huge_metadata(path: Path) -> None:
    _metadata(path, "title=" + "x" * 2_000_000 + "\n")


def latin_tags(path: Path) -> None:
    """Old programs wrote names in local encodings."""
    ffmpeg(*BEEP, "-metadata", "title=QQQQ", "-metadata", "language=QQQQ", path.name, cwd=path.parent)
    path.write_bytes(path.read_bytes().replace(b"QQQQ", "Þæði".encode("latin-1")))


def strange_language(path: Path) -> None:
    """A track whose language is a thousand letters instead of a code."""
    ffmpeg(*BEEP, "-metadata:s:a", "language=" + "</script>" * 100, "-c:a", "pcm_u8", path.name, cwd=path.parent)


def no_frames(path: Path) -> None:
    """A picture track without a picture, beside a second of sound."""
    head = ftyp()
    empty = tables(samples=0, ticks=0, size=0, offset=len(head) + 8)
    path.write_bytes(head + box("mdat", bytes(8)) + movie(*empty, entry=png_entry(64, 36), kind="vide", duration=1000))


def cover_alone(path: Path) -> None:
    """The tag of a song with its cover, without the song."""
    large_cover(path, png(64))
    raw = path.read_bytes()
    sizes = [value & 0x7F for value in raw[6:10]]
    path.write_bytes(raw[: 10 + (sizes[0] << 21 | sizes[1] << 14 | sizes[2] << 7 | sizes[3])])


def large_cover(path: Path, cover: bytes | None = None) -> None:
    """A song whose cover is a picture bomb."""
    path.with_name("bomb.png").write_bytes(cover or png(12_000))
    ffmpeg(*BEEP, "-i", "bomb.png", "-map", "0", "-map", "1", "-c:a", "libmp3lame", "-c:v", "copy",
           "-disposition:v", "attached_pic", path.name, cwd=path.parent)  # fmt: skip


def growing(path: Path) -> None:
    """A transport stream whose picture grows halfway through."""
    for name, size in (("a.ts", "64x36"), ("b.ts", "1280x720")):
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=s={size}:r=5:d=1", *H264, name, cwd=path.parent)
    path.write_bytes(path.with_name("a.ts").read_bytes() + path.with_name("b.ts").read_bytes())


def cut(path: Path) -> None:
    """Matroska that ends inside a frame."""
    ffmpeg(*PICTURE, *TONE, *H264, "-c:a", "aac", path.name, cwd=path.parent)
    raw = path.read_bytes()
    path.write_bytes(raw[: len(raw) * 2 // 3])


def far_apart(path: Path, seconds: int) -> None:
    """Two frames, this far apart."""
    ffmpeg("-f", "lavfi", "-i", "color=s=16x16:r=1:d=2", "-vf", f"setpts=N*{seconds}/TB", "-vsync", "vfr", *H264,
           path.name, cwd=path.parent)  # fmt: skip


def picture_without_frames(path: Path) -> None:
    """A second of sound beside a picture track that has no frames."""
    head = ftyp()
    empty = tables(samples=0, ticks=0, size=0, offset=len(head) + 8)
    sound = tables(samples=8000, ticks=1, size=2, offset=len(head) + 8)
    silent = movie(*sound, entry=pcm_entry(), duration=1000, timescale=8000)
    blank = movie(*empty, entry=png_entry(64, 36), kind="vide", duration=1000)
    # The second movie's track goes into the first one.
    track = blank[blank.index(b"trak") - 4 :]
    whole = box("moov", silent[8:], track)
    path.write_bytes(head + box("mdat", bytes(16_000)) + whole)


PIXELS = ("gbrp16le", "yuva444p10le", "gray16le", "yuv410p", "bgra")

ODD: dict[str, Callable[[Path], None]] = {
    "too_long.mp4": lambda path: far_apart(path, 14_401),
    "far_apart.mp4": lambda path: far_apart(path, 14_000),
    "picture_bomb.mov": lambda path: picture_bomb(path, 12_000),
    "lying_picture_bomb.mov": lambda path: picture_bomb(path, 320),
    "index_bomb.mp4": index_bomb,
    "edit_bomb.mp4": edit_bomb,
    "lying.flac": lying_flac,
    "short.flac": short_flac,
    "many_frames.mp4": _made("-f", "lavfi", "-i", "color=s=2x2:r=10000:d=1", *H264),
    "many_streams.mkv": many_streams,
    "many_chapters.mp4": many_chapters,
    "huge_metadata.mkv": huge_metadata,
    "latin_tags.avi": latin_tags,
    "strange_language.mkv": strange_language,
    "no_frames.mp4": no_frames,
    "picture_without_frames.mp4": picture_without_frames,
    "cover_alone.mp3": cover_alone,
    "large_cover.mp3": large_cover,
    "growing.ts": growing,
    "cut.mkv": cut,
    "many_channels.mkv": lambda path: channels(path, 64),
    "twelve_channels.mov": lambda path: channels(path, 12),
    "too_many_channels.wav": lambda path: channels(path, 100),
    "telephone.wav": _made(*BEEP, "-c:a", "pcm_mulaw"),
    "hdr.mp4": _made(*SMALL, "-c:v", "libx264", "-pix_fmt", "yuv420p10le", "-color_primaries", "bt2020", "-color_trc",
                     "smpte2084", "-colorspace", "bt2020nc"),
    "one_pixel.mkv": _made("-f", "lavfi", "-i", "color=s=2x2:r=5:d=1,format=bgr0,crop=1:1", "-c:v", "ffv1"),
    "bits.avi": _made(*SMALL, "-pix_fmt", "rgb555le", "-c:v", "rawvideo"),
    "monochrome.mov": _made(*SMALL, "-pix_fmt", "monob", "-c:v", "png"),
    **{f"{form}.mkv": _made(*SMALL, "-pix_fmt", form, "-c:v", "ffv1") for form in PIXELS},
}  # fmt: skip
