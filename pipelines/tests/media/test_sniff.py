"""Files are identified by their first bytes, whatever their name."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.media.sniff import (
    DOCUMENT,
    EMPTY,
    PICTURE,
    PLAYLIST,
    TEXT,
    UNKNOWN,
    Container,
    NotMedia,
    sniff,
    sniff_bytes,
)


@pytest.mark.parametrize(
    ("name", "container"),
    [
        ("plain.mp4", Container.MP4),
        ("rotated.mov", Container.MP4),
        ("tone.m4a", Container.MP4),
        ("screen.mkv", Container.MATROSKA),
        ("web.webm", Container.MATROSKA),
        ("old.avi", Container.AVI),
        ("stream.ts", Container.MPEG_TS),
        ("tone.mp3", Container.MP3),
        ("tone.flac", Container.FLAC),
        ("tone.ogg", Container.OGG),
        ("tone.wma", Container.ASF),
        ("speech.wav", Container.WAV),
    ],
)
def test_real_files(media: Path, name: str, container: Container) -> None:
    assert sniff(media / name) is container


@pytest.mark.parametrize(
    ("head", "container"),
    [
        (b"\xff\xfb\x90\x64" + bytes(60), Container.MP3),
        (b"\xff\xf1\x50\x80" + bytes(60), Container.AAC),
        (b"FORM\x00\x00\x10\x00AIFC" + bytes(60), Container.AIFF),
        (b"#!AMR-WB\n" + bytes(60), Container.AMR),
        (b"\x00\x00\x01\xba\x44" + bytes(60), Container.MPEG_PS),
        (b"RF64\xff\xff\xff\xffWAVE" + bytes(60), Container.WAV),
        (b"\x00\x00\x00\x08wide\x00\x00\x10\x00mdat", Container.MP4),
        (b"".join(b"\x00\x00\x00\x00\x47" + bytes(187) for _ in range(4)), Container.MPEG_TS),
    ],
)
def test_forms_made_by_hand(head: bytes, container: Container) -> None:
    assert sniff_bytes(head) is container


@pytest.mark.parametrize(
    ("head", "sentence"),
    [
        (b"", EMPTY),
        (bytes(4096), UNKNOWN),
        (b"#EXTM3U\n#EXTINF:1,\n/secret.mp4\n", PLAYLIST),
        (b"\xef\xbb\xbf\n#EXTM3U\n", PLAYLIST),
        (b"ffconcat version 1.0\nfile /secret.mp4\n", PLAYLIST),
        (b'<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash">', PLAYLIST),
        (b'<?xml version="1.0"?><svg onload="x()">', PICTURE),
        (b"\x89PNG\r\n\x1a\n" + bytes(20), PICTURE),
        (b"\x00\x00\x00\x18ftypheic" + bytes(20), PICTURE),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", PICTURE),
        (b"%PDF-1.7", DOCUMENT),
        (b"PK\x03\x04word/", DOCUMENT),
        ("Kæru öll, þetta er bréf. ".encode() * 200, TEXT),
        (b"\x01\x02\x03\x04\x05\x06\x07\x08\x00", UNKNOWN),
        # A byte order mark of UTF-16 is not a frame of MPEG audio.
        (b"\xff\xfe" + "Dear".encode("utf-16-le"), TEXT),
        (b"\xfe\xff" + "#EXTM3U\n".encode("utf-16-be"), PLAYLIST),
    ],
)
def test_what_is_refused(head: bytes, sentence: str) -> None:
    with pytest.raises(NotMedia) as refused:
        sniff_bytes(head)
    assert refused.value.sentence == sentence
