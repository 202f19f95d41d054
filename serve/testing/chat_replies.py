"""Replies for the stand-in endpoint that read the prompt as a model would."""

from __future__ import annotations

import json
import re
from typing import Any

_LINE = re.compile(r"^(\d+) (.+)$", re.MULTILINE)


def every_line(body: dict[str, Any]) -> str:
    """Notes each line of a transcript as it stands, and writes each statement as one sentence."""
    user = body["messages"][-1]["content"]
    fenced = re.search(r"<(transcript|statements)>\n(.*)\n</\1>", user, re.DOTALL)
    assert fenced is not None, user
    numbered = [(int(number), text) for number, text in _LINE.findall(fenced[2])]
    if fenced[1] == "transcript":
        return _listed(
            body,
            [
                {"text": _without_name(text), "lines": [number], "kind": "point", "owner": "", "due": ""}
                for number, text in numbered
            ],
        )
    return _listed(
        body,
        [{"kind": "text", "text": text, "claims": [number], "paragraph": 1 + number // 4} for number, text in numbered],
    )


def _without_name(text: str) -> str:
    return re.sub(r"^[\w ]+: ", "", text)


def _listed(body: dict[str, Any], records: list[dict[str, Any]]) -> str:
    if "response_format" in body:
        return json.dumps({"records": records})
    return "\n".join(map(json.dumps, records))
