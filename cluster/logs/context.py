"""What every log line of a piece of work carries: the request behind it, the job, the person."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

REQUEST_ID = "request_id"


@contextmanager
def log_context(**values: str | None) -> Iterator[None]:
    """Add these values to all log lines of the block and of the tasks that it starts; leave out those that are None."""
    with structlog.contextvars.bound_contextvars(**{name: each for name, each in values.items() if each is not None}):
        yield


def start_log_context(**values: str | None) -> None:
    """Forget the work before, in a process that does one piece of work after another, and add these values."""
    structlog.contextvars.clear_contextvars()
    add_to_log_context(**values)


def add_to_log_context(**values: str | None) -> None:
    """Add values until the surrounding task ends."""
    structlog.contextvars.bind_contextvars(**{name: each for name, each in values.items() if each is not None})


def current_request_id() -> str | None:
    """The request whose work this is, if any."""
    value = structlog.contextvars.get_contextvars().get(REQUEST_ID)
    return value if isinstance(value, str) else None
