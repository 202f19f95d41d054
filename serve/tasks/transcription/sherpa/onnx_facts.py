"""Reads what an ONNX file says about its model, without loading the model.

A file is one protobuf message. Its weights are one field of it, which is passed over, so this takes milliseconds for a
file of any size; onnxruntime would read it whole and take as much memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from serve.tasks.transcription.sherpa.problems import DAMAGED, NO_ONNX, UnusableModel

_GRAPH, _FACTS = 7, 14
"""Numbers of the fields `graph` and `metadata_props` of `ModelProto`."""
_VARINT, _FIXED_64, _BYTES, _FIXED_32 = 0, 1, 2, 5
_LONGEST_FACT = 1 << 20


class _Broken(ValueError):
    """The bytes are no protobuf message, or only the beginning of one."""


def facts_of(path: Path) -> dict[str, str]:
    """The file's metadata. Raises UnusableModel for a file that is damaged, cut off or something else; and OSError."""
    facts: dict[str, str] = {}
    has_graph = False
    try:
        with path.open("rb") as file:
            for number, content in _fields(file, os.fstat(file.fileno()).st_size):
                has_graph = has_graph or number == _GRAPH
                if number == _FACTS and content is not None:
                    key, value = _pair(content)
                    facts[key] = value
    except (_Broken, UnicodeDecodeError) as broken:
        raise UnusableModel(DAMAGED(name=path.name)) from broken
    if not has_graph:
        raise UnusableModel(NO_ONNX(name=path.name))
    return facts


def _fields(file: BinaryIO, size: int) -> Iterator[tuple[int, bytes | None]]:
    """Number of each field and its bytes; None for those that are no metadata, which are passed over."""
    while file.tell() < size:
        tag = _varint(file)
        number, kind = tag >> 3, tag & 7
        if kind == _VARINT:
            _varint(file)
            yield number, None
            continue
        length = {_FIXED_64: 8, _FIXED_32: 4}.get(kind)
        if kind == _BYTES:
            length = _varint(file)
        if length is None or number == 0 or file.tell() + length > size:
            raise _Broken
        if number == _FACTS and length <= _LONGEST_FACT:
            yield number, file.read(length)
        else:
            file.seek(length, os.SEEK_CUR)
            yield number, None


def _varint(file: BinaryIO) -> int:
    value = 0
    for shift in range(0, 70, 7):
        byte = file.read(1)
        if not byte:
            raise _Broken
        value |= (byte[0] & 0x7F) << shift
        if byte[0] < 0x80:
            return value
    raise _Broken


def _pair(content: bytes) -> tuple[str, str]:
    """The key (field 1) and the value (field 2) of one entry."""
    parts = {1: "", 2: ""}
    index = 0
    while index < len(content):
        number, length, shift = content[index] >> 3, 0, 0
        if content[index] & 7 != _BYTES:
            raise _Broken
        while True:
            index += 1
            if index >= len(content):
                raise _Broken
            length |= (content[index] & 0x7F) << shift
            shift += 7
            if content[index] < 0x80:
                break
        index += 1
        parts[number] = content[index : index + length].decode()
        index += length
    return parts[1], parts[2]
