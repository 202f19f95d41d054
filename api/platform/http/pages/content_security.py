"""The content security policy of all answers, made from the settings: a page loads and connects to nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

ALWAYS = (
    "default-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
)


@dataclass(frozen=True, slots=True)
class OtherOrigins:
    """What pages may use besides this server: where they connect to, play from, load scripts from, and embed."""

    connect: tuple[str, ...] = ()
    media: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()


def content_security_policy(other: OtherOrigins) -> str:
    directives = (
        *ALWAYS,
        # WebAssembly may run: the spelling check and the preview of styles are compiled to it. Scripts stay our own.
        _directive("script-src 'self' 'wasm-unsafe-eval'", other.scripts),
        _directive("img-src 'self' data: blob:", other.media),
        _directive("media-src 'self' blob:", other.media),
        _directive("connect-src 'self'", (*other.connect, *other.media)),
        _directive("frame-src", other.frames or ("'none'",)),
    )
    return "; ".join(directives)


def origin_of(url: str) -> str:
    """Scheme, host and port of a URL, in the form of a content security policy."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _directive(start: str, origins: Iterable[str]) -> str:
    return " ".join((start, *dict.fromkeys(origins)))
