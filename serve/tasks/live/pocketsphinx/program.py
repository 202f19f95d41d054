"""The program that decodes one utterance after another while they are spoken.

`python -m serve.tasks.live.pocketsphinx.program` reads from standard input one JSON line for each piece of sound,
`{"begins": …, "ends": …, "bytes": …, "mean": …}`, then its samples (16-bit, 16 kHz). The piece that begins an
utterance gives the mean that it starts from (see `means`). For each it writes one JSON line,
`{"words": [[word, start_frame, end_frame, probability], …], "mean": …}`: all words of the utterance so far, in frames
of 10 ms, and the mean that it has learnt. It ends when its input ends.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def main() -> None:
    from pocketsphinx import Decoder

    decoder = Decoder(samprate=16_000, loglevel="FATAL")
    reader, writer = sys.stdin.buffer, sys.stdout.buffer
    while line := reader.readline():
        head = json.loads(line)
        pcm = reader.read(head["bytes"])
        if head["begins"]:
            decoder.set_cmn(head["mean"])
            decoder.start_utt()
        if pcm:
            decoder.process_raw(pcm, full_utt=False)
        if head["ends"]:
            decoder.end_utt()
        answer = {"words": _words(decoder), "mean": decoder.get_cmn(False)}
        writer.write(json.dumps(answer).encode() + b"\n")
        writer.flush()


def _words(decoder: Any) -> list[list[Any]]:
    # Without a hypothesis, asking for its parts fails inside the library.
    if decoder.hyp() is None:
        return []
    return [[part.word, part.start_frame, part.end_frame, part.prob] for part in decoder.seg() or ()]


if __name__ == "__main__":
    main()
