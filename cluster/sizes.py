"""Sizes of data as people read them. A megabyte is a million bytes here, in sentences, limits and pages alike."""

from __future__ import annotations

MB = 1_000_000
GB = 1_000_000_000


def size_in_words(count: int) -> str:
    """`20 GB`, `1.5 GB`, `3 MB`, `0.5 MB`: a size without decimals that say nothing."""
    amount, unit = (count / GB, "GB") if count >= GB else (count / MB, "MB")
    return f"{amount:,.1f}".removesuffix(".0") + f" {unit}"
