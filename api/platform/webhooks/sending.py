"""One attempt to send one message."""

from __future__ import annotations

import asyncio
import json
import ssl
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

import httpx2

from api.platform.webhooks.addresses import CannotSend, addresses_of
from api.platform.webhooks.events import VERSION
from api.platform.webhooks.limits import ANSWER_WITHIN_S
from api.platform.webhooks.signing import signatures
from cluster.wording.message import Wording

USER_AGENT = f"Sagascript-Webhooks/{VERSION}"
NOT_REACHED = Wording("webhooks.not_reached", "The server accepted no connection.")()
BAD_CERTIFICATE = Wording("webhooks.bad_certificate", "The server's certificate is not valid.")()
BROKEN = Wording("webhooks.broken", "The connection broke before the answer.")()
REDIRECTED = Wording(
    "webhooks.redirected",
    "The server answered {status}, a redirect, and webhooks follow none. Enter the address it leads to.",
)
REFUSED = Wording("webhooks.refused", "The server answered {status}.")
SILENT = Wording("webhooks.silent", "The server did not answer within {seconds} seconds.")(
    seconds=f"{ANSWER_WITHIN_S:g}"
)
GONE = 410
"""By Standard Webhooks, a receiver says with it that it wants nothing more."""


@dataclass(frozen=True, slots=True)
class Message:
    """`secrets` are all that are valid now, the newest first."""

    id: uuid.UUID
    url: str
    event: str
    at: datetime
    data: Mapping[str, Any]
    secrets: Sequence[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """`status` is None where there was no answer, `error` a sentence, None for a success."""

    status: int | None
    duration_ms: int
    error: str | None


def body_of(event: str, at: datetime, data: Mapping[str, Any]) -> dict[str, Any]:
    """What a message says. The same for every attempt."""
    return {"type": event, "version": VERSION, "timestamp": at.isoformat(), "data": data}


def message_id(delivery_id: uuid.UUID) -> str:
    return f"msg_{delivery_id.hex}"


async def send(message: Message, *, allow_private: bool) -> Outcome:
    """Post the message once. Whatever happens is an outcome."""
    began = time.monotonic()
    status: int | None = None
    error: str | None = None
    try:
        async with asyncio.timeout(ANSWER_WITHIN_S):
            status = await _post(message, allow_private=allow_private)
    except TimeoutError:
        error = SILENT
    except CannotSend as refused:
        error = str(refused)
    if status is not None and not 200 <= status < 300:
        error = (REDIRECTED if 300 <= status < 400 else REFUSED)(status=status)
    return Outcome(status, round((time.monotonic() - began) * 1000), error)


async def _post(message: Message, *, allow_private: bool) -> int:
    url = httpx2.URL(message.url)
    addresses = await addresses_of(url, allow_private=allow_private)
    body = json.dumps(body_of(message.event, message.at, message.data), ensure_ascii=False).encode()
    timestamp, name = int(time.time()), message_id(message.id)
    headers = {
        "Host": url.netloc.decode("ascii"),
        "User-Agent": USER_AGENT,
        "Content-Type": "application/json",
        "webhook-id": name,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signatures(message.secrets, name, timestamp, body),
    }
    # A client of its own: none keeps cookies of somebody else. Proxies of the environment would look up the name again.
    async with httpx2.AsyncClient(verify=_tls(), trust_env=False, timeout=ANSWER_WITHIN_S) as client:
        for index, address in enumerate(addresses):
            request = client.build_request(
                "POST",
                url.copy_with(host=address),
                content=body,
                headers=headers,
                extensions={"sni_hostname": url.raw_host.decode("ascii")},
            )
            try:
                # The body of the answer is never read.
                answer = await client.send(request, stream=True)
                await answer.aclose()
            except httpx2.ConnectError as error:
                if index + 1 < len(addresses):
                    continue
                raise CannotSend(BAD_CERTIFICATE if _is_certificate(error) else NOT_REACHED) from None
            except httpx2.TimeoutException:
                raise TimeoutError from None
            except httpx2.HTTPError:
                raise CannotSend(BROKEN) from None
            return answer.status_code
    raise CannotSend(NOT_REACHED)


@cache
def _tls() -> ssl.SSLContext:
    # Reading the certificates takes 20 ms.
    return ssl.create_default_context()


def _is_certificate(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False
