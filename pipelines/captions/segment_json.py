"""Convert segments to the JSON values of a transcription's chunks and result, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from serve.messages import Segment, Word


def segment_to_json(segment: Segment) -> dict[str, Any]:
    value = asdict(segment)
    return {**value, "words": list(value["words"]), "doubts": list(segment.doubts)}


def segment_from_json(value: Mapping[str, Any]) -> Segment:
    return Segment(
        start_ms=value["start_ms"],
        end_ms=value["end_ms"],
        text=value["text"],
        words=tuple(Word(**word) for word in value["words"]),
        language=value["language"],
        doubts=tuple(value["doubts"]),
    )
