"""Loads a model in a program of its own first, because sherpa-onnx ends its process where a file lacks something.

python -m serve.tasks.live.sherpa.trial FAMILY FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

from serve.tasks.transcription.sherpa.trial import NOISE_S, try_program


def try_streaming(family: str, folder: Path) -> None:
    """Raises UnusableModel when a second of noise cannot be followed by two streams at once."""
    try_program(__spec__.name, family, str(folder))


def main(family: str, folder: str) -> None:
    """Follow noise as the engine would."""
    import numpy as np

    from cluster.privacy import keep_private
    from serve.tasks.live.sherpa.decoding import decode, feed
    from serve.tasks.live.sherpa.registry import BY_NAME

    keep_private()
    chosen = BY_NAME[family]
    model = chosen.open(Path(folder))
    recognizer = chosen.recognizer(model, threads=1)
    noise = np.random.default_rng(0).normal(0, 0.1, NOISE_S * 16_000).astype(np.float32)
    streams = [recognizer.create_stream() for _ in range(2)]
    for stream in streams:
        feed(stream, noise, is_last=True, window_ms=chosen.window_ms(model))
    decode(recognizer, streams)
    for stream in streams:
        recognizer.get_result_all(stream)


if __name__ == "__main__":
    main(*sys.argv[1:])
