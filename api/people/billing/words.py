"""Amounts in sentences."""

from __future__ import annotations


def money(cents: int) -> str:
    """An amount as people read it: $19, $19.50, -$4.20."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}${whole:,}{f'.{rest:02d}' if rest else ''}"
