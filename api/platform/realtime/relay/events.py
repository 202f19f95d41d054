"""An event from a publisher to the listeners of some channels."""

from __future__ import annotations

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


def to_message(events: Sequence[Publication]) -> list[list[Any]]:
    return [[each.channels, each.name, each.data, each.but] for each in events]


def from_message(events: list[list[Any]]) -> list[Publication]:
    return [Publication(tuple(channels), name, data, but) for channels, name, data, but in events]
