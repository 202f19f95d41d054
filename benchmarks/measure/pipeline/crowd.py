"""Many people at once: uploads whose times are fixed in advance, each by one of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from benchmarks.measure.load.arrivals import Arrival
from benchmarks.measure.pipeline.page import Page, opened
from benchmarks.measure.pipeline.timeline import Moment, Timeline
from benchmarks.measure.pipeline.uploading import send
from benchmarks.measure.progress import progress

NO_END = "No captions when the measurement ended."


@dataclass(frozen=True, slots=True)
class Media:
    path: Path
    content: bytes
    seconds: float


async def run(
    url: str, media: Sequence[Media], arrivals: Sequence[Arrival], *, people: int, language: str, patience_s: float
) -> list[Timeline]:
    """Open the people's pages, then upload when each upload is due, whatever became of the others.

    One upload goes first and is not counted: it brings the first replica and worker. Raises NoInstallation.
    """
    async with AsyncExitStack() as stack:
        start = time.perf_counter()
        pages = [await stack.enter_async_context(opened(url, start)) for _ in range(people)]
        name = uuid4().hex[:6]
        with progress("Uploads", len(arrivals) + 1) as advance:
            first = await _upload(
                pages[0], media[0], f"load-{name}-first", due_s=pages[0].now(), language=language, patience_s=patience_s
            )
            advance(first.name)
            head = pages[0].now()

            async def one(number: int, arrival: Arrival) -> Timeline:
                timeline = await _upload(
                    pages[number % people],
                    media[arrival.clip],
                    f"load-{name}-{number}",
                    due_s=head + arrival.due_s,
                    language=language,
                    patience_s=patience_s,
                )
                advance(timeline.name)
                return timeline

            return list(await asyncio.gather(*(one(number, arrival) for number, arrival in enumerate(arrivals))))


async def _upload(page: Page, media: Media, name: str, *, due_s: float, language: str, patience_s: float) -> Timeline:
    timeline = page.timelines[name] = Timeline(name, media.seconds)
    await asyncio.sleep(max(0.0, due_s - page.now()))
    timeline.note(Moment.DUE, due_s)
    timeline.note(Moment.BEGUN, page.now())
    try:
        async with asyncio.timeout(patience_s):
            await send(page, timeline, media.content, media.path.suffix, language)
            await page.over(timeline)
    except TimeoutError:
        timeline.problem = NO_END
    return timeline
