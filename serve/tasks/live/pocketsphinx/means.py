"""The mean of the sound that PocketSphinx subtracts from what it hears: how a voice sounds through its microphone.

The decoder learns it as it listens, and reads the first seconds of a new voice badly: on speech by flite 23 % of the
words were wrong with the library's own first guess after each pause, 18 % with the one below, 8 % with what the
utterance before had taught. So the mean follows the recording, wherever its next utterance is decoded, and never
reaches another one.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

FIRST = "41.00,-5.29,-0.12,5.09,2.48,-4.07,-1.37,-1.78,-5.08,-2.05,-6.45,-1.42,1.17"
"""Before anything has been heard: `cmninit` of the US English model, 13 cepstral coefficients."""
MOST_STREAMS = 256
MOST_UTTERANCES = 16
"""As many as a caller may send again: it goes back to the last passage."""


class Means:
    """By recording, after each of its last utterances: one that is sent again is read as it was the first time."""

    def __init__(self) -> None:
        self._streams: OrderedDict[str, dict[int, str]] = OrderedDict()
        self._lock = threading.Lock()

    def before(self, stream: str, start_ms: int) -> str:
        """What the recording had taught before that time."""
        with self._lock:
            after = self._streams.get(stream, {})
            return after[max(starts)] if (starts := [start for start in after if start < start_ms]) else FIRST

    def learn(self, stream: str, start_ms: int, mean: str) -> None:
        """What it has taught after the utterance that began then."""
        with self._lock:
            after = self._streams.setdefault(stream, {})
            after[start_ms] = mean
            if len(after) > MOST_UTTERANCES:
                del after[min(after)]
            self._streams.move_to_end(stream)
            if len(self._streams) > MOST_STREAMS:
                self._streams.popitem(last=False)
