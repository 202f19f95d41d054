"""The program that decodes one utterance after another while they are spoken.

`python -m serve.tasks.live.pocketsphinx.program` reads from standard input: whether the sound begins an utterance and
whether it ends it (one byte each), the length of the samples in bytes (4 bytes, little-endian), then the samples
(16-bit, 16 kHz). For each it writes one JSON line of all words of the utterance so far,
`[[word, start_frame, end_frame, probability], ...]`, in frames of 10 ms. It ends when its input ends.
"""

from __future__ import annotations

import json
import struct
import sys
from typing import Any, BinaryIO

HEAD = struct.Struct("<??I")


def main() -> None:
    from pocketsphinx import Decoder

    decoder = Decoder(samprate=16_000, loglevel="FATAL")
    reader, writer = sys.stdin.buffer, sys.stdout.buffer
    while (piece := _read(reader)) is not None:
        begins, ends, pcm = piece
        if begins:
            decoder.start_utt()
        if pcm:
            decoder.process_raw(pcm, full_utt=False)
        if ends:
            decoder.end_utt()
        writer.write(json.dumps(_words(decoder)).encode() + b"\n")
        writer.flush()


def _words(decoder: Any) -> list[list[Any]]:
    # Without a hypothesis, asking for its parts fails inside the library.
    if decoder.hyp() is None:
        return []
    return [[part.word, part.start_frame, part.end_frame, part.prob] for part in decoder.seg() or ()]


def _read(reader: BinaryIO) -> tuple[bool, bool, bytes] | None:
    head = reader.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    begins, ends, length = HEAD.unpack(head)
    return begins, ends, reader.read(length)


if __name__ == "__main__":
    main()
