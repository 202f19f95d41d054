"""Any server that offers OpenAI's `/v1/audio/transcriptions`: ours or another's."""

from __future__ import annotations

import ipaddress
from email.utils import parsedate_to_datetime
from time import time
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit, urlunsplit

import httpx2

from benchmarks.measure.load.clips import Clip
from benchmarks.measure.load.target import Failed, Refused

PATH = "/audio/transcriptions"
NO_ROOM = frozenset({429, 503})
OK = 200
_SHOWN = 120


class OpenAITarget:
    """One HTTP client with as many connections as there are callers. Use it as a context manager."""

    def __init__(self, url: str, *, key: str | None, model: str, language: str | None, timeout_s: float) -> None:
        """`url` is the server's base (`http://host:8000`, `…/v1`) or the whole address."""
        self.url = transcriptions_url(url)
        self._fields = {"model": model, "response_format": "json", **({"language": language} if language else {})}
        self._http = httpx2.AsyncClient(
            headers={"Authorization": f"Bearer {key}"} if key else {},
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=None),
            timeout=timeout_s,
            trust_env=not _is_loopback(self.url),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def transcribe(self, clip: Clip, number: int) -> None:
        files = {"file": (f"request-{number}.wav", clip.wav(), "audio/wav")}
        try:
            answer = await self._http.post(self.url, data=self._fields, files=files)
        except httpx2.TimeoutException as late:
            raise TimeoutError from late
        except httpx2.HTTPError as broken:
            raise Failed(f"{type(broken).__name__}: {broken}"[:_SHOWN]) from broken
        if answer.status_code in NO_ROOM:
            raise Refused(f"HTTP {answer.status_code}", retry_after_s(answer.headers.get("Retry-After")))
        if answer.status_code != OK:
            raise Failed(f"HTTP {answer.status_code}: {answer.text}"[:_SHOWN])
        try:
            is_transcription = isinstance(answer.json()["text"], str)
        except (ValueError, KeyError, TypeError):
            is_transcription = False
        if not is_transcription:
            raise Failed(f"The answer holds no text: {answer.text}"[:_SHOWN])


def transcriptions_url(url: str) -> str:
    parts = urlsplit(url if "://" in url else f"http://{url}")
    path = parts.path.rstrip("/")
    if not path.endswith(PATH):
        path = f"{path or '/v1'}{PATH}"
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))


def retry_after_s(header: str | None) -> float | None:
    """Seconds of the header, which holds them or a date (RFC 9110, 10.2.3); None where it says nothing."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time())
    except ValueError:
        return None


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
