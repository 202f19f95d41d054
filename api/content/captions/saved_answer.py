"""What a call that changed captions answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from fastapi.responses import JSONResponse, Response

from api.content.captions.editing.saving import Change
from api.content.captions.large.change import LargeChange
from api.content.captions.links import source_to_wire
from api.content.captions.wire import line_to_wire


def saved(change: Change, moved: Sequence[dict[str, Any]] = (), *, notes: Sequence[str] | None = None) -> Response:
    if isinstance(change.result, LargeChange):
        return answer_of(change, change.result.changed, notes)
    changed = [
        line_to_wire(line, change.revision, None if line.link is None else source_to_wire(line.link, change.now))
        for line in change.result.changed
    ]
    return JSONResponse({"status": "Success", "data": {**_saved(change, notes), "changed": [*changed, *moved]}})


def answer_of(change: Change, changed: bytes, notes: Sequence[str] | None = None) -> Response:
    """The answer with lines that a process wrote as JSON already."""
    head = json.dumps(_saved(change, notes), ensure_ascii=False).encode()[:-1]
    return Response(
        b'{"status":"Success","data":' + head + b',"changed":' + changed + b"}}", media_type="application/json"
    )


def _saved(change: Change, notes: Sequence[str] | None) -> dict[str, Any]:
    data: dict[str, Any] = {
        "revision": change.revision,
        "language": change.language,
        "removed": list(change.result.removed),
        "can_undo": change.can_undo,
        "can_redo": change.can_redo,
        "followed": list(change.followed),
    }
    return data if notes is None else {**data, "notes": list(notes)}
