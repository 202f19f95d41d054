"""Sound of many channels, as recorders with a track for each microphone write it, mixed down to one."""

from __future__ import annotations

_NAMED = 8
"""ffmpeg knows what so many channels stand for by their number alone; of more it refuses to make fewer."""


def mixed(channels: int) -> str:
    """The filter, with its comma, that makes one channel of very many, none drowning the others; else nothing."""
    if channels <= _NAMED:
        return ""
    return f"pan=mono|c0<{'+'.join(f'c{number}' for number in range(channels))},"
