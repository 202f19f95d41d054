"""Shows the first captions of the sample video in the terminal as they arrive, through the public API."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import unquote

import httpx2
from rich.markup import escape

from api.content.files.models import FileStatus
from api.edges.cli.console import out
from api.edges.cli.installation.demo import Demo
from api.platform.settings import ApiSettings

SHOWN_LINES = 8
_EVERY_S = 0.3
_OVER = {FileStatus.COMPLETED, FileStatus.FAILED, FileStatus.ABANDONED}


async def print_captions(settings: ApiSettings, demo: Demo) -> None:
    """Print each of the sample's first lines once. Return when they are printed or work on the file is over.

    A failure here says nothing about the installation, so it only ends the output.
    """
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host
    try:
        async with httpx2.AsyncClient(base_url=f"http://{host}:{settings.port}", trust_env=False) as client:
            await _sign_in(client, demo)
            await _follow(client, demo.sample_slug or "")
    except (httpx2.HTTPError, KeyError, ValueError) as error:
        out.print(
            f"The progress of the sample video cannot be shown here: {escape(str(error) or type(error).__name__)}"
        )


async def _sign_in(client: httpx2.AsyncClient, demo: Demo) -> None:
    (await client.get("/sanctum/csrf-cookie")).raise_for_status()
    token = unquote(client.cookies["XSRF-TOKEN"])
    answer = await client.post(
        "/login", json={"email": demo.email, "password": demo.password}, headers={"X-XSRF-TOKEN": token}
    )
    answer.raise_for_status()


async def _follow(client: httpx2.AsyncClient, slug: str) -> None:
    out.print("The sample video is being transcribed. Its first captions:")
    shown = 0
    while shown < SHOWN_LINES:
        # Read before the captions, so that lines that arrive in between are still printed.
        file = await _data(client, f"/api/files/{slug}")
        lines = (await _data(client, f"/api/files/captions/{slug}")).get("lines", [])
        over = file.get("status") in _OVER
        # The last line of a draft may still change.
        for line in lines[shown : None if over else -1][: SHOWN_LINES - shown]:
            text = escape(line["text"].replace("\n", " "))
            out.print(f"  [dim]{line['startTime'][3:8]}[/]  {text}", soft_wrap=True)
            shown += 1
        if over:
            if file.get("error"):
                out.print(f"  {escape(file['error'])}")
            break
        await asyncio.sleep(_EVERY_S)
    out.print("")


async def _data(client: httpx2.AsyncClient, path: str) -> dict[str, Any]:
    answer = await client.get(path)
    if answer.status_code == httpx2.codes.NOT_FOUND:
        return {}
    answer.raise_for_status()
    data: dict[str, Any] = answer.json()["data"]
    return data
