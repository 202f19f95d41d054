"""Mixes many channels down to one, for recorders that write a track for each microphone."""

from __future__ import annotations

import numpy as np

_NAMED = 8
"""Up to this number ffmpeg derives the channel layout from the number; it does not mix down more."""


def mono_mix(channels: int) -> str:
    """The filter, with its comma, that mixes more channels into one at equal levels; empty for fewer."""
    if channels <= _NAMED:
        return ""
    return f"pan=mono|c0<{'+'.join(f'c{number}' for number in range(channels))},"


def mono_of_stereo(pcm: bytes) -> bytes:
    """Both channels of interleaved signed 16-bit samples at equal levels, as ffmpeg mixes them."""
    both = np.frombuffer(pcm, "<i2").reshape(-1, 2)
    left, right = both[:, 0], both[:, 1]
    # (left + right + 1) / 2 without a wider type, which would take four times as long.
    mixed = (left >> 1) + (right >> 1) + ((left | right) & 1)
    return bytes(mixed.tobytes())
