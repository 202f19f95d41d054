"""What tests upload, and how they check that it arrived."""

from __future__ import annotations

import asyncio
import random

import httpx2

from api.content.arrivals.models import UploadStatus
from api.testing.uploads.process import RunningHost
from cluster.testing.patience import PATIENCE_S

MEGABYTE = 1_000_000


def content(size: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(size)


async def standing(client: httpx2.AsyncClient, location: str) -> int:
    answer = await client.head(location)
    assert answer.status_code == 200, answer.status_code
    return int(answer.headers["Upload-Offset"])


async def until_offset(client: httpx2.AsyncClient, location: str, at_least: int) -> int:
    async with asyncio.timeout(PATIENCE_S):
        while (offset := await standing(client, location)) < at_least:
            await asyncio.sleep(0.02)
    return offset


async def check_file(process: RunningHost, body: bytes) -> None:
    (file,) = await process.files()
    assert process.stored(file) == body
    upload = await process.upload()
    assert (upload.status, upload.bytes_uploaded) == (UploadStatus.WAITING, len(body))
