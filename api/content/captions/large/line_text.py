"""All lines of a track as a page gets them, from the text that the database writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from api.content.captions.wire import json_to_wire
from pipelines.captions.json_form import line_to_json
from pipelines.captions.texts.stored_lines import line_of_values


def wire_of_text(text: str) -> bytes:
    """The lines as `LineOut`, each with the revision that changed it last."""
    lines: Sequence[Any] = json.loads(text)
    wire = [json_to_wire(line_to_json(line_of_values(values)), values[-1]) for values in lines]
    return json.dumps(wire, ensure_ascii=False, separators=(",", ":")).encode()
