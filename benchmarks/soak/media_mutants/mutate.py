"""Break a whole file as transfers, programs and attackers do; a number always gives the same file."""

from __future__ import annotations

import random
import struct

_RATES = (0.00002, 0.0001, 0.0005, 0.002, 0.01)
"""Share of flipped bits: from one or two in a file to hardly anything left intact."""
_SPEAKING = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
"""Lengths and counts that programs often mishandle."""
_HEAD_BYTES = 2048


def mutant(whole: bytes, form: str, number: int, seed: int) -> bytes:
    """Mutant `number` of a whole file: equal arguments give equal bytes."""
    chance = random.Random(f"{seed}:{form}:{number}")
    data = bytearray(whole)
    ways = (_flip, _flip, _cut, _repeat, _swap, _lose, _lengths, _lengths, _blank)
    ways[number % len(ways)](data, chance)
    if chance.random() < 0.2:
        chance.choice(ways)(data, chance)
    return bytes(data)


def _flip(data: bytearray, chance: random.Random) -> None:
    bits = max(1, round(len(data) * 8 * chance.choice(_RATES)))
    # Half of them in the head, which gives the rest its meaning.
    for _ in range(bits):
        end = min(len(data), _HEAD_BYTES) if chance.random() < 0.5 else len(data)
        data[chance.randrange(end)] ^= 1 << chance.randrange(8)


def _cut(data: bytearray, chance: random.Random) -> None:
    del data[chance.randrange(1, len(data)) :]


def _piece(data: bytearray, chance: random.Random) -> tuple[int, int]:
    start = chance.randrange(len(data))
    return start, min(len(data), start + 2 ** chance.randrange(2, 13))


def _repeat(data: bytearray, chance: random.Random) -> None:
    start, end = _piece(data, chance)
    data[end:end] = data[start:end] * chance.choice((1, 1, 3, 20))


def _swap(data: bytearray, chance: random.Random) -> None:
    start, end = _piece(data, chance)
    there = chance.randrange(len(data))
    one, other = bytes(data[start:end]), bytes(data[there : there + end - start])
    data[there : there + len(one)] = one
    data[start : start + len(other)] = other


def _lose(data: bytearray, chance: random.Random) -> None:
    start, end = _piece(data, chance)
    if end - start < len(data):
        del data[start:end]


def _blank(data: bytearray, chance: random.Random) -> None:
    start, end = _piece(data, chance)
    data[start:end] = bytes([chance.choice((0, 0xFF))]) * (end - start)


def _lengths(data: bytearray, chance: random.Random) -> None:
    """Replace numbers: before the names of boxes and chunks, and anywhere in the head."""
    fields = _fields(data)
    for _ in range(chance.choice((1, 1, 2, 4))):
        near = fields and chance.random() < 0.7
        offset = chance.choice(fields) if near else chance.randrange(max(1, min(len(data), _HEAD_BYTES) - 4))
        offset = max(0, offset + chance.choice((0, 0, 8, 12, 16, 20, 24)))
        value = chance.choice(_SPEAKING) if chance.random() < 0.7 else chance.randrange(2**32)
        form = chance.choice((">I", ">I", "<I", ">H", "B"))
        size = struct.calcsize(form)
        if offset + size <= len(data):
            struct.pack_into(form, data, offset, value % 256**size)


def _fields(data: bytearray) -> list[int]:
    """Offsets of the lengths of MP4 boxes and RIFF chunks: beside names of four letters."""
    letters = [97 <= value <= 122 or 65 <= value <= 90 for value in data]
    names = [offset for offset in range(4, len(data) - 8) if all(letters[offset : offset + 4])]
    return [offset + side for offset in names for side in (-4, 4)]
