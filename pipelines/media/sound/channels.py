"""Mixes many channels down to one, for recorders that write a track for each microphone."""

from __future__ import annotations

_NAMED = 8
"""Up to this number ffmpeg derives the channel layout from the number; it does not mix down more."""


def mono_mix(channels: int) -> str:
    """The filter, with its comma, that mixes more channels into one at equal levels; empty for fewer."""
    if channels <= _NAMED:
        return ""
    return f"pan=mono|c0<{'+'.join(f'c{number}' for number in range(channels))},"
