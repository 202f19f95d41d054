"""One log format for every process and library: readable on a terminal, JSON elsewhere."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Mapping
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from cluster.settings import ClusterSettings, get_cluster_settings

_SECRET_NAME = re.compile(r"password|secret|token|cookie|authorization|api_?key|signature", re.IGNORECASE)
_URL_PASSWORD = re.compile(r"(?<=://)([^/\s:@]*):([^/\s@]+)@")
_QUERY_SECRET = re.compile(r"(?i)\b((?:auth_signature|token|password|secret|key)=)[^&\s\"']+")
HIDDEN = "***"

# Libraries whose informational lines add nothing to ours.
_QUIET = (
    "httpx2",
    "openai",
    "httpcore",
    "websockets",
    "aiosqlite",
    "urllib3",
    "filelock",
    "multipart",
    "alembic.runtime.migration",
)


def configure_logging(process: str, settings: ClusterSettings | None = None) -> None:
    """Route structlog and the standard library through one handler on standard error; `process` names every line."""
    settings = settings or get_cluster_settings()
    level = logging.getLevelNamesMapping().get(settings.log_level.upper(), logging.INFO)
    console = settings.log_format == "console" or (settings.log_format == "auto" and sys.stderr.isatty())
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="%H:%M:%S" if console else "iso", utc=not console),
        _named(process),
        hide_secrets,
        structlog.processors.StackInfoRenderer(),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
    )
    render: list[Processor] = (
        # Its own tracebacks print local variables: cookies, bodies, passwords.
        [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback)]
        if console
        else [structlog.processors.format_exc_info, hide_secrets, structlog.processors.JSONRenderer()]
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.ExtraAdder(), _without_ray_clock, *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "ray", "ray.serve"):
        library = logging.getLogger(name)
        library.handlers.clear()
        library.propagate = True
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
    for name in ("ray", "ray.serve"):
        # At its own levels Ray logs every connection, and its warnings don't matter here.
        logging.getLogger(name).setLevel(max(level, logging.ERROR))
    logging.getLogger("uvicorn.access").addFilter(_is_no_health_check)


def _is_no_health_check(record: logging.LogRecord) -> bool:
    """The supervisor checks every two seconds."""
    return "/api/health" not in record.getMessage()


def _without_ray_clock(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    event.pop("_ray_timestamp_ns", None)
    return event


def hide_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Blank every value whose name says it is secret, and passwords inside URLs, at any depth."""
    for name, value in event.items():
        event[name] = _hidden(name, value)
    return event


def _hidden(name: str, value: Any) -> Any:
    if name != "event" and _SECRET_NAME.search(name):
        return HIDDEN
    if isinstance(value, str):
        return _QUERY_SECRET.sub(rf"\1{HIDDEN}", _URL_PASSWORD.sub(rf"\1:{HIDDEN}@", value))
    if isinstance(value, Mapping):
        return {key: _hidden(str(key), item) for key, item in value.items()}
    return value


def _named(process: str) -> Processor:
    def add(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        event.setdefault("process", process)
        return event

    return add
