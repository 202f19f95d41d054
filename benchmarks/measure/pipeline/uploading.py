"""Uploads as the page makes them: a token, then the tus protocol in the configured pieces."""

from __future__ import annotations

import base64
import mimetypes
from pathlib import Path
from urllib.parse import urljoin

import httpx2

from api.content.uploads.tus.headers import VERSION
from benchmarks.measure.pipeline.page import Page
from benchmarks.measure.pipeline.timeline import Moment, Timeline

BYTES = "application/offset+octet-stream"


async def send(page: Page, timeline: Timeline, content: bytes, suffix: str, language: str) -> None:
    """Upload under the timeline's name; a refusal ends the timeline."""
    try:
        location = await _create(page, timeline, len(content), suffix, language)
        await _patch(page, location, content)
        timeline.note(Moment.UPLOADED, page.now())
    except httpx2.HTTPStatusError as refused:
        answer = refused.response
        timeline.problem = f"The upload was refused (HTTP {answer.status_code}): {answer.text[:120]}"
    except httpx2.HTTPError as broken:
        timeline.problem = f"The upload broke: {type(broken).__name__}"


async def _create(page: Page, timeline: Timeline, length: int, suffix: str, language: str) -> str:
    token = (await page.browser.post("/api/files/upload/token")).raise_for_status().json()["token"]
    kind = mimetypes.guess_type(f"x{suffix}")[0] or "application/octet-stream"
    values = {"filename": f"{timeline.name}{suffix}", "filetype": kind, "language": language}
    metadata = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in values.items())
    headers = {
        "Tus-Resumable": VERSION,
        "Authorization": f"Bearer {token}",
        "Upload-Length": str(length),
        "Upload-Metadata": metadata,
    }
    answer = await page.browser.post(page.uploads_endpoint, headers=headers)
    return urljoin(page.uploads_endpoint, answer.raise_for_status().headers["Location"])


async def _patch(page: Page, location: str, content: bytes) -> None:
    offset = 0
    while offset < len(content):
        headers = {"Tus-Resumable": VERSION, "Content-Type": BYTES, "Upload-Offset": str(offset)}
        piece = content[offset : offset + page.chunk_bytes]
        answer = await page.browser.patch(location, headers=headers, content=piece)
        offset = int(answer.raise_for_status().headers["Upload-Offset"])


def media_in(folder: Path, suffixes: frozenset[str]) -> list[Path]:
    """All media below the folder, in order of their names."""
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in suffixes)
