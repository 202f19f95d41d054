"""The program that runs one PocketSphinx decoder: `python -m serve.tasks.transcription.pocketsphinx.decoder`.

Reads from standard input: length of the samples in bytes (4 bytes, little-endian), then the samples (16-bit, 16 kHz).
Writes to standard output: one JSON line `[[word, start_frame, end_frame, probability], ...]`, frames of 10 ms.
It ends when its input ends, so it never outlives its parent.
"""

from __future__ import annotations

import json
import struct
import sys
from typing import BinaryIO


def main() -> None:
    from pocketsphinx import Decoder

    decoder = Decoder(samprate=16_000, loglevel="FATAL")
    reader, writer = sys.stdin.buffer, sys.stdout.buffer
    while (pcm := _read(reader)) is not None:
        decoder.start_utt()
        # The whole utterance at once, so that its loudness is normalised over all of it, not guessed from its start.
        decoder.process_raw(pcm, full_utt=True)
        decoder.end_utt()
        words = [[part.word, part.start_frame, part.end_frame, part.prob] for part in decoder.seg() or ()]
        writer.write(json.dumps(words).encode() + b"\n")
        writer.flush()


def _read(reader: BinaryIO) -> bytes | None:
    head = reader.read(4)
    if len(head) < 4:
        return None
    return reader.read(struct.unpack("<I", head)[0])


if __name__ == "__main__":
    main()
