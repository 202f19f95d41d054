"""How much audio the encoder sees for a window: 30 s, or less for a clip that fits into less.

Attention costs the square of the context and falls out of the processor's cache: base in int8 on one core takes 480 ms
for 30 s, 350 for 25 s, 165 for 20 s and 59 for 10 s. The text may suffer when speech reaches the end of the context or
is cut, so only windows that begin and end in a pause, with room to spare, get a shorter one. A result that the guard
doubts is discarded, and the window is decoded with the full context.
"""

from __future__ import annotations

from serve.tasks.transcription.messages import MAX_WINDOW_MS, AudioWindow

FULL_MS = MAX_WINDOW_MS
CONTEXTS_MS = (10_000, 15_000, 20_000, 25_000, FULL_MS)
"""Few, because windows share a batch only within one context. Below 10 s, decoding costs more than encoding."""
MARGIN_MS = 2_000
"""Silence at the end of every shorter context (whisper.cpp leaves 2.56 s)."""


def context_ms(window: AudioWindow, *, adaptive: bool) -> int:
    """The shortest context that holds the window and the margin; the full one where speech was cut."""
    if not adaptive or window.cut_in_speech:
        return FULL_MS
    return next((each for each in CONTEXTS_MS if window.duration_ms + MARGIN_MS <= each), FULL_MS)
