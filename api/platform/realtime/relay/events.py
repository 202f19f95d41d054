"""An event from a publisher to the listeners of some channels, and messages encoded once for all who get them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Publication:
    """`but` is the socket that must not receive it."""

    channels: tuple[str, ...]
    name: str
    data: str
    but: str | None = None


class Overfull(Exception):
    """Redis is unreachable and the queue of events for it is full."""


def to_message(events: Sequence[Publication]) -> list[list[Any]]:
    return [[each.channels, each.name, each.data, each.but] for each in events]


def from_message(events: list[list[Any]]) -> list[Publication]:
    return [Publication(tuple(channels), name, data, but) for channels, name, data, but in events]


TEXT = 0x81
"""First byte of an unmasked, unfragmented text frame (RFC 6455, 5.2)."""


class Frames:
    """Messages in order. `wire` is the same as websocket frames, joined for one write."""

    __slots__ = ("texts", "wire")

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts
        self.wire = b"".join([websocket_frame(text) for text in texts])


def websocket_frame(text: str) -> bytes:
    # A lone surrogate, which JSON may contain, has no UTF-8 form. Browsers close a connection that sends one.
    payload = text.encode(errors="replace")
    size = len(payload)
    if size < 126:
        return struct.pack("!BB", TEXT, size) + payload
    if size < 65536:
        return struct.pack("!BBH", TEXT, 126, size) + payload
    return struct.pack("!BBQ", TEXT, 127, size) + payload
