"""MP4 files written box by box, as no honest program would write them."""

from __future__ import annotations

import struct

MATRIX = struct.pack(">9i", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
TIMESCALE = 1000


def box(name: str, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack(">I4s", 8 + len(body), name.encode()) + body


def full(name: str, *parts: bytes, flags: int = 0) -> bytes:
    return box(name, struct.pack(">I", flags), *parts)


def ftyp() -> bytes:
    return box("ftyp", b"isom\x00\x00\x02\x00isommp41")


def pcm_entry(channels: int = 1, rate: int = 8000, data_reference: int = 1) -> bytes:
    """The description of 16-bit sound."""
    return box("sowt", bytes(6), struct.pack(">H8xHHHHI", data_reference, channels, 16, 0, 0, rate << 16))


def png_entry(width: int, height: int, data_reference: int = 1) -> bytes:
    return box(
        "png ",
        bytes(6),
        struct.pack(">H16xHHIIIH32xHh", data_reference, width, height, 72 << 16, 72 << 16, 0, 1, 24, -1),
    )


def movie(
    *tables: bytes,
    entry: bytes,
    kind: str = "soun",
    duration: int,
    timescale: int = TIMESCALE,
    references: bytes | None = None,
    edits: bytes = b"",
) -> bytes:
    """A `moov` with one track. `tables` are its sample tables, `references` the content of its `dref`."""
    media_header = full("smhd", bytes(4)) if kind == "soun" else full("vmhd", bytes(8), flags=1)
    dref = full("dref", references or struct.pack(">I", 1) + full("url ", flags=1))
    stbl = box("stbl", full("stsd", struct.pack(">I", 1), entry), *tables)
    mdia = box(
        "mdia",
        full("mdhd", struct.pack(">IIIIHH", 0, 0, timescale, duration * timescale // TIMESCALE, 0x55C4, 0)),
        full("hdlr", struct.pack(">I4s12x", 0, kind.encode()), b"\x00"),
        box("minf", media_header, box("dinf", dref), stbl),
    )
    tkhd = full("tkhd", struct.pack(">IIIII8xHHHH", 0, 0, 1, 0, duration, 0, 0, 256, 0), MATRIX, bytes(8), flags=7)
    mvhd = full(
        "mvhd",
        struct.pack(">IIIIIH10x", 0, 0, TIMESCALE, duration, 0x10000, 256),
        MATRIX,
        bytes(24),
        struct.pack(">I", 2),
    )
    return box("moov", mvhd, box("trak", tkhd, edits, mdia))


def tables(*, samples: int, ticks: int, size: int, offset: int) -> tuple[bytes, ...]:
    """`samples` samples of the same size and duration, in one chunk at `offset`."""
    return (
        full("stts", struct.pack(">III", 1, samples, ticks)),
        full("stsc", struct.pack(">IIII", 1, 1, samples, 1)),
        full("stsz", struct.pack(">II", size, samples)),
        full("stco", struct.pack(">II", 1, offset)),
    )


def edit_list(entries: int, duration: int, start: int = 0) -> bytes:
    """Repeat the same stretch of the track."""
    one = struct.pack(">IiI", duration, start, 0x10000)
    return box("edts", full("elst", struct.pack(">I", entries), one * entries))
