"""Requests and kept windows in the form that earlier versions wrote: a job queued before an update still runs."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from pipelines.messages.caption_rules import DEFAULT_RULES
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.requests import EncodeRequest, ExportRequest, IngestRequest, TranscribeRequest
from pipelines.messages.results import TranscribedWindow
from serve.tasks.transcription.messages import Segment, Word

RULES = {
    "max_row": 42,
    "max_rows": 2,
    "warn_speed": 17.0,
    "max_speed": 20.0,
    "min_ms": 1000,
    "max_ms": 7000,
    "gap_ms": 100,
    "pause_ms": 1000,
}
EARLIER: list[tuple[type[JsonMessage], dict[str, Any]]] = [
    (IngestRequest, {"file_id": "f", "source_key": "a/b", "filename": "talk.mp4", "language": "is-IS"}),
    (EncodeRequest, {"file_id": "f", "source_key": "a/b", "kind": "video", "duration_ms": 4000}),
    (
        TranscribeRequest,
        {
            "file_id": "f",
            "audio_key": "a/audio.wav",
            "duration_ms": 4000,
            "language": "auto",
            "beam_size": 1,
            "caption_rules": RULES,
        },
    ),
    (
        ExportRequest,
        {
            "file_id": "f",
            "source_key": "a/b",
            "kind": "video",
            "width": 640,
            "height": 360,
            "duration_ms": 4000,
            "language": "is-IS",
            "mode": "soft",
            "accept_boxes": False,
            "srt": "1\n",
            "tracks": [],
            "form": {
                "file": "mp4",
                "picture": {
                    "aspect": "original",
                    "fit": "pad",
                    "short_side": None,
                    "quality": "standard",
                    "crop_x": 0.5,
                    "crop_y": 0.5,
                },
                "sounds": None,
                "clip": None,
            },
        },
    ),
]


@pytest.mark.parametrize(("form", "row"), EARLIER, ids=lambda value: getattr(value, "__name__", ""))
def test_a_request_of_an_earlier_version_is_read_whole(form: type[JsonMessage], row: dict[str, Any]) -> None:
    request = form.from_json(row)
    assert row.items() <= request.to_json().items()
    assert form.from_json({**row, "of_a_newer_version": 1}) == request


def test_what_a_request_leaves_out_has_its_default() -> None:
    request = TranscribeRequest.from_json({"file_id": "f", "audio_key": None, "duration_ms": 0, "language": "auto"})
    assert (request.beam_size, request.caption_rules) == (1, DEFAULT_RULES)
    with pytest.raises(ValidationError):
        TranscribeRequest.from_json({"file_id": "f"})


def test_a_window_of_an_earlier_version_is_read_whole() -> None:
    word = {"start_ms": 1, "end_ms": 2, "text": "hi", "confidence": 0.5}
    segment = {"start_ms": 1, "end_ms": 2, "text": "hi", "words": [word], "language": "en", "doubts": ["loop"]}
    row = {
        "index": 3,
        "start_ms": 0,
        "end_ms": 9,
        "language": "en",
        "language_probability": 0.9,
        "segments": [segment],
    }
    window = TranscribedWindow.from_json(row)
    assert window.segments == (Segment(1, 2, "hi", (Word(1, 2, "hi", 0.5),), "en", ("loop",)),)
    assert window.to_json() == row
    assert TranscribedWindow.read({"segments": []}) is None
