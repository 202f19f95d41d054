"""The lines of a track as a snapshot stores them: compressed JSON, a tenth of its size, as text for any database."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence

from api.captions.revision_lines import lines_of_revision, result_of_text
from pipelines.captions.edit import EditResult
from pipelines.captions.lines import CaptionLine

_LEVEL = 3
"""Level 6 takes twice as long and saves 8 % more on 5,000 lines."""


def pack(lines: Sequence[CaptionLine]) -> str:
    values, _ = lines_of_revision(EditResult((), tuple(lines)))
    packed = zlib.compress(json.dumps(values["after"], ensure_ascii=False, separators=(",", ":")).encode(), _LEVEL)
    return base64.b85encode(packed).decode()


def unpack(text: str) -> list[CaptionLine]:
    values = zlib.decompress(base64.b85decode(text)).decode()
    return list(result_of_text("[]", values).after)
