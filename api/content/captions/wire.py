"""Lines as answers hold them: `LineOut` as plain JSON. It imports little: see `api/content/captions/large/`."""

from __future__ import annotations

from typing import Any

from pipelines.captions.json_form import line_to_json
from pipelines.captions.timestamps import format_time
from pipelines.messages.lines import CaptionLine


def line_to_wire(line: CaptionLine, revision: int, source: dict[str, Any] | None = None) -> dict[str, Any]:
    """`LineOut` as plain JSON, so that a file of 5,000 lines needs no 60,000 models."""
    return json_to_wire(line_to_json(line), revision, source)


def json_to_wire(line: dict[str, Any], revision: int, source: dict[str, Any] | None = None) -> dict[str, Any]:
    """`LineOut` from the JSON form of a line, and that of `SourceOut`."""
    return line | {
        "startTime": format_time(line["start_ms"]),
        "startSeconds": line["start_ms"] / 1000,
        "endTime": format_time(line["end_ms"]),
        "endSeconds": line["end_ms"] / 1000,
        "locked": line.get("locked", False),
        "forced": line.get("forced", False),
        "revision": revision,
        "source": source,
    }
