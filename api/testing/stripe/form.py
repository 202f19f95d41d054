"""Stripe's form encoding: `items[0][price]=p` is `{"items": [{"price": "p"}]}`."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qsl

_PART = re.compile(r"[^\[\]]+")


def parse_form(text: str) -> dict[str, Any]:
    """Values stay strings, as Stripe gets them."""
    found: dict[str, Any] = {}
    for name, value in parse_qsl(text, keep_blank_values=True):
        parts = _PART.findall(name)
        at = found
        for part in parts[:-1]:
            at = at.setdefault(part, {})
        if name.endswith("[]"):
            at.setdefault(parts[-1], {})[str(len(at.get(parts[-1], {})))] = value
        else:
            at[parts[-1]] = value
    return {name: _lists(value) for name, value in found.items()}


def _lists(value: Any) -> Any:
    """Dictionaries whose keys are indices become lists."""
    if not isinstance(value, dict):
        return value
    inner = {name: _lists(each) for name, each in value.items()}
    if inner and all(name.isdigit() for name in inner):
        return [inner[name] for name in sorted(inner, key=int)]
    return inner
