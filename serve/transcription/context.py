"""How much audio the encoder looks at for a window: 30 s, or less for a clip that fits whole into less.

Attention costs the square of the context and falls out of the processor's cache: base in int8 on one core takes 480 ms
for 30 s, 350 for 25 s, 165 for 20 s and 59 for 10 s. The text may suffer when speech reaches the end of the context or
is cut, so a shorter one is used only for windows that begin and end in a pause, with room to spare; and a result that
the guard doubts is thrown away and the window heard with the full context.
"""

from __future__ import annotations

from serve.messages import MAX_WINDOW_MS, AudioWindow

FULL_MS = MAX_WINDOW_MS
CONTEXTS_MS = (10_000, 15_000, 20_000, 25_000, FULL_MS)
"""Few, because windows share a batch only within one. Below 10 s decoding costs more than encoding anyway."""
MARGIN_MS = 2_000
"""Silence that every shorter context ends with (whisper.cpp leaves 2.56 s)."""


def context_ms(window: AudioWindow, *, adaptive: bool) -> int:
    """The shortest context that the window fits into with its margin; the full one where speech was cut."""
    if not adaptive or window.cut_in_speech:
        return FULL_MS
    return next((each for each in CONTEXTS_MS if window.duration_ms + MARGIN_MS <= each), FULL_MS)
