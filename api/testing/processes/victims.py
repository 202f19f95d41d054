"""Processes of a running product, by their titles: for tests and campaigns that kill one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cluster.processes import children


def victims(root: int, title: str) -> Iterator[int]:
    """The processes below one whose command has `title` in it."""
    return (pid for pid in _below(root) if title in title_of(pid))


def titles(root: int) -> list[str]:
    return [title_of(pid) for pid in _below(root)]


def title_of(pid: int) -> str:
    """Empty where there is no such process any more."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def _below(pid: int) -> Iterator[int]:
    for child in children(pid):
        yield child
        yield from _below(child)
