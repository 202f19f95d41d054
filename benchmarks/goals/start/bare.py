"""The bare side: a minimal script for faster-whisper and one file. `python bare.py FILE MODEL`."""

from __future__ import annotations

import sys

from faster_whisper import WhisperModel

model = WhisperModel(sys.argv[2], device="cpu", compute_type="int8")
segments, _ = model.transcribe(sys.argv[1], beam_size=1, vad_filter=True, word_timestamps=True)
for segment in segments:
    sys.stdout.write(f"{segment.text.strip()}\n")
    sys.stdout.flush()
