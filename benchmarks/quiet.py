"""Benches print their tables alone."""

from __future__ import annotations

import structlog


def silence_logs() -> None:
    """Leave out every log line of this process, whatever was configured before: a bench may run inside a test."""
    structlog.configure(
        processors=[], wrapper_class=structlog.BoundLogger, logger_factory=structlog.ReturnLoggerFactory()
    )
