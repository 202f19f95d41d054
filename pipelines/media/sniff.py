"""Identifies a file by its first bytes: the names and types that strangers send are not trusted."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

from cluster.wording.message import Message


class Container(StrEnum):
    """Each value is the name of the ffmpeg demuxer that reads it."""

    MP4 = "mov"
    MATROSKA = "matroska"
    MP3 = "mp3"
    WAV = "wav"
    W64 = "w64"
    FLAC = "flac"
    OGG = "ogg"
    AAC = "aac"
    AVI = "avi"
    MPEG_TS = "mpegts"
    MPEG_PS = "mpeg"
    ASF = "asf"
    FLV = "flv"
    AIFF = "aiff"
    CAF = "caf"
    AMR = "amr"


DEMUXERS = tuple(sorted(container.value for container in Container))

EMPTY = Message("pipelines.media.empty", "This file is empty. Check it on your device and upload it again.")
PLAYLIST = Message(
    "pipelines.media.playlist",
    "This is a playlist, which only names other files. Upload the video or audio file itself.",
)
PICTURE = Message("pipelines.media.picture", "This is a picture. Upload a video or an audio file.")
DOCUMENT = Message("pipelines.media.document", "This is a document or an archive. Upload a video or an audio file.")
TEXT = Message("pipelines.media.text", "This is a text file. Upload a video or an audio file.")
UNKNOWN = Message(
    "pipelines.media.unknown",
    "This is not a video or audio file that we can read. Upload for example MP4, MOV, WebM, MP3, WAV or M4A.",
)

_HEAD_BYTES = 4096
_MP4_BOXES = frozenset({b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot", b"styp"})
_HEIF_BRANDS = frozenset({b"heic", b"heix", b"heif", b"mif1", b"msf1", b"avif", b"avis", b"crx "})
_STARTS: tuple[tuple[bytes, Container], ...] = (
    (b"\x1a\x45\xdf\xa3", Container.MATROSKA),
    (b"fLaC", Container.FLAC),
    (b"OggS", Container.OGG),
    (b"\x00\x00\x01\xba", Container.MPEG_PS),
    (b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", Container.ASF),
    (b"FLV\x01", Container.FLV),
    (b"caff", Container.CAF),
    (b"#!AMR", Container.AMR),
    (b"riff\x2e\x91\xcf\x11", Container.W64),
    (b"ID3", Container.MP3),
)
_REFUSED: tuple[tuple[bytes, str], ...] = (
    (b"#EXTM3U", PLAYLIST),
    (b"ffconcat", PLAYLIST),
    (b"[playlist]", PLAYLIST),
    (b"\x89PNG", PICTURE),
    (b"\xff\xd8\xff", PICTURE),
    (b"GIF8", PICTURE),
    (b"II*\x00", PICTURE),
    (b"MM\x00*", PICTURE),
    (b"%PDF", DOCUMENT),
    (b"PK\x03\x04", DOCUMENT),
    (b"Rar!", DOCUMENT),
    (b"\x1f\x8b", DOCUMENT),
    (b"7z\xbc\xaf", DOCUMENT),
    (b"\xd0\xcf\x11\xe0", DOCUMENT),
)


class NotMedia(Exception):
    """The bytes are neither video nor audio; `sentence` says what they are."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def sniff(path: Path) -> Container:
    """The container of a file. Raises `NotMedia`."""
    with path.open("rb") as opened:
        head = opened.read(_HEAD_BYTES)
    return sniff_bytes(head)


def sniff_bytes(head: bytes) -> Container:
    """The container, from a file's first 4096 bytes, or all of them when it is shorter. Raises `NotMedia`."""
    if not head.strip(b"\x00"):
        raise NotMedia(UNKNOWN if head else EMPTY)
    found = _container_of(head)
    if found is not None:
        return found
    raise NotMedia(_what_else(head))


def _container_of(head: bytes) -> Container | None:
    for start, container in _STARTS:
        if head.startswith(start):
            return container
    if head[:4] in (b"RIFF", b"RF64") and head[8:12] in (b"WAVE", b"AVI "):
        return Container.WAV if head[8:12] == b"WAVE" else Container.AVI
    if head[:4] == b"FORM" and head[8:12] in (b"AIFF", b"AIFC"):
        return Container.AIFF
    if head[4:8] in _MP4_BOXES:
        return None if head[4:8] == b"ftyp" and head[8:12] in _HEIF_BRANDS else Container.MP4
    for packet, first in ((188, 0), (192, 4), (204, 0)):
        offsets = range(first, min(len(head), first + 5 * packet), packet)
        if len(offsets) >= 3 and all(head[offset] == 0x47 for offset in offsets):
            return Container.MPEG_TS
    if len(head) > 6 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0:
        return _frame_sync(head[1], head[2])
    return None


def _frame_sync(second: int, third: int) -> Container | None:
    """MPEG audio and ADTS share their sync bits: layer 0 is ADTS; a real MPEG header has a valid rate."""
    layer = second >> 1 & 3
    if layer == 0:
        return Container.AAC if second & 0xF0 == 0xF0 else None
    if layer == 3:
        return None  # Layer I is extinct, and UTF-16's byte order mark looks like it.
    valid = second >> 3 & 3 != 1 and third >> 4 != 15 and third >> 2 & 3 != 3
    return Container.MP3 if valid else None


def _what_else(head: bytes) -> str:
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if head.startswith(mark):
            head = head[2:].decode(encoding, "replace").encode()
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if head[4:8] == b"ftyp" or (head[:4] == b"RIFF" and head[8:12] == b"WEBP"):
        return PICTURE
    for start, sentence in _REFUSED:
        if text.startswith(start):
            return sentence
    lowered = text[:1024].lower()
    if re.search(rb"<mpd[\s>]|<smil[\s>]|<asx[\s>]", lowered):
        return PLAYLIST
    if b"<svg" in lowered:
        return PICTURE
    return TEXT if _is_text(head) else UNKNOWN


def _is_text(head: bytes) -> bool:
    if b"\x00" in head:
        return False
    try:
        # The last character may be cut in two.
        head[: len(head) - 3 or None].decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
