"""The text of notes: several rows are welcome, control and direction characters are not."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BeforeValidator

from api.platform.http.text import clean_line

_MORE_THAN_TWO = re.compile(r"\n{3,}")


def clean_note(text: str) -> str:
    rows = [clean_line(row) for row in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    return _MORE_THAN_TWO.sub("\n\n", "\n".join(rows)).strip()


def _clean(value: Any) -> Any:
    return clean_note(value) if isinstance(value, str) else value


CLEAN_TEXT = BeforeValidator(_clean)
