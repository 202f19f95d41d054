"""Somebody who keeps working during an attack: loads pages and lists and edits captions at a steady pace."""

from __future__ import annotations

import asyncio
import itertools
import time
from dataclasses import dataclass, field

import httpx2

from api.people.auth.csrf import XSRF_HEADER
from benchmarks.soak.abuse.installation import Installation

PAGE_EVERY_S = 0.1
EDIT_EVERY_S = 0.5
PATIENCE_S = 30.0


@dataclass
class Experience:
    """Seconds of each request, counted from when it was due, and a description of each failure. A request without an
    answer counts with the time we waited."""

    seconds: list[float] = field(default_factory=list)
    edits: list[float] = field(default_factory=list)
    """The seconds of the requests that changed a caption, from when they were sent."""
    failures: list[str] = field(default_factory=list)

    def quantile_s(self, share: float) -> float:
        """The time within which this share of the requests ended."""
        return _quantile(self.seconds, share)

    def edit_quantile_s(self, share: float) -> float:
        return _quantile(self.edits, share)


def _quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


class Bystander:
    """A signed-in person with one file in the editor. Page requests go out when they are due, answered or not, as if
    from many people. Edits wait for each other, as in the editor."""

    def __init__(self, installation: Installation) -> None:
        self._token = installation.token
        self._slug = installation.slug
        page = ("/",) if installation.has_pages else ()
        self._paths = (*page, "/api/user", "/api/files", f"/api/files/captions/{installation.slug}")
        self._lines = itertools.cycle(installation.lines)
        self._revision = 0
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=20)
        self._http = httpx2.AsyncClient(
            base_url=installation.bystander.http.base_url,
            cookies=installation.bystander.http.cookies,
            trust_env=False,
            timeout=PATIENCE_S,
            limits=limits,
            headers={"Accept": "text/html, application/json"},
        )

    async def close(self) -> None:
        await self._http.aclose()

    async def work(self, seconds: float) -> Experience:
        """Work for this long, with one request at least, then wait for the last answers."""
        experience = Experience()
        end = time.monotonic() + seconds
        await asyncio.gather(self._load(experience, end), self._edit(experience, end))
        return experience

    async def _load(self, experience: Experience, end: float) -> None:
        paths = itertools.cycle(self._paths)
        due = time.monotonic()
        async with asyncio.TaskGroup() as tasks:
            while True:
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                tasks.create_task(self._request(experience, due, "GET", next(paths)))
                due += PAGE_EVERY_S
                if due >= end:
                    return

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
            experience.edits.append(time.monotonic() - due)
            if answer is not None and answer.is_success:
                self._revision = answer.json()["data"]["revision"]
            await asyncio.sleep(max(0.0, due + EDIT_EVERY_S - time.monotonic()))

    async def _request(
        self, experience: Experience, due: float, method: str, path: str, **more: object
    ) -> httpx2.Response | None:
        answer = None
        try:
            answer = await self._http.request(method, path, **more)  # type: ignore[arg-type]
            if not answer.is_success:
                experience.failures.append(f"{method} {path}: {answer.status_code}")
        except httpx2.HTTPError as error:
            experience.failures.append(f"{method} {path}: {type(error).__name__}")
        experience.seconds.append(time.monotonic() - due)
        return answer
