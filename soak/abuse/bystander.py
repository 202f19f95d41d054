"""Somebody who goes on working meanwhile: loads pages and lists and edits captions, at a steady pace."""

from __future__ import annotations

import asyncio
import itertools
import time
from dataclasses import dataclass, field

import httpx

from api.auth.csrf import XSRF_HEADER
from soak.abuse.installation import Place

PAGE_EVERY_S = 0.1
EDIT_EVERY_S = 0.5
PATIENCE_S = 30.0


@dataclass
class Experience:
    """Seconds of each request from when it was due, and what failed, in words. One without an answer counts as long
    as it was waited for."""

    seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def quantile_s(self, share: float) -> float:
        """The value that this share of the requests did not exceed."""
        return sorted(self.seconds)[min(len(self.seconds) - 1, int(share * len(self.seconds)))]


class Bystander:
    """A signed-in person with one file in the editor. Requests for pages are sent when they are due, whether or not
    earlier ones were answered, as those of many people are; edits wait for each other, as the editor's do."""

    def __init__(self, place: Place) -> None:
        self._token = place.token
        self._slug = place.slug
        page = ("/",) if place.has_pages else ()
        self._paths = (*page, "/api/user", "/api/files", f"/api/files/captions/{place.slug}")
        self._lines = itertools.cycle(place.lines)
        self._revision = 0
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=20)
        self._http = httpx.AsyncClient(
            base_url=place.bystander.http.base_url,
            cookies=place.bystander.http.cookies,
            trust_env=False,
            timeout=PATIENCE_S,
            limits=limits,
            headers={"Accept": "text/html, application/json"},
        )

    async def close(self) -> None:
        await self._http.aclose()

    async def work(self, seconds: float) -> Experience:
        """Go on for so long, and wait for the last answers."""
        experience = Experience()
        end = time.monotonic() + seconds
        await asyncio.gather(self._load(experience, end), self._edit(experience, end))
        return experience

    async def _load(self, experience: Experience, end: float) -> None:
        paths = itertools.cycle(self._paths)
        due = time.monotonic()
        async with asyncio.TaskGroup() as tasks:
            while due < end:
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                tasks.create_task(self._request(experience, due, "GET", next(paths)))
                due += PAGE_EVERY_S

    async def _edit(self, experience: Experience, end: float) -> None:
        for number in itertools.count():
            if (due := time.monotonic()) >= end:
                return
            body = {
                "action": "Edit",
                "issued": self._revision,
                "line": next(self._lines),
                "content": f"Words {number}.",
            }
            headers = {XSRF_HEADER: self._token}
            path = f"/api/files/captions/{self._slug}"
            answer = await self._request(experience, due, "POST", path, json=body, headers=headers)
            if answer is not None and answer.is_success:
                self._revision = answer.json()["data"]["revision"]
            await asyncio.sleep(max(0.0, due + EDIT_EVERY_S - time.monotonic()))

    async def _request(
        self, experience: Experience, due: float, method: str, path: str, **more: object
    ) -> httpx.Response | None:
        answer = None
        try:
            answer = await self._http.request(method, path, **more)  # type: ignore[arg-type]
            if not answer.is_success:
                experience.failures.append(f"{method} {path}: {answer.status_code}")
        except httpx.HTTPError as error:
            experience.failures.append(f"{method} {path}: {type(error).__name__}")
        experience.seconds.append(time.monotonic() - due)
        return answer
