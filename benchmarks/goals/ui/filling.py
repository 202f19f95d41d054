"""Files for measurements of the pages: long ones, one that is being transcribed, and peaks as speech has them."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from sqlalchemy import select

from api.content.captions.speech.jobs import TranscribeHandler
from api.content.files.models import File
from api.platform.jobs.models import Job, JobChunk
from api.platform.realtime.notices import Notice
from api.platform.realtime.publisher import Publisher, event_for
from api.testing.sites.site import Site
from api.testing.files.transcribed import chunk, transcribing_file
from pipelines.messages.attempt import Chunk
from pipelines.media.sound.waveform import PEAKS_PER_SECOND, write_peaks

TICK_S = 0.1


_PHRASE = 40
"""Peaks of a phrase or of a pause."""
_MS = 1_000 // PEAKS_PER_SECOND


def speech_peaks(seconds: int) -> tuple[npt.NDArray[np.int8], list[tuple[int, int]]]:
    """Peaks of noise with the loudness of speech, shape (seconds * 20, 2), and where somebody speaks: syllables, words and pauses.

    Repeated sound would compress better than any recording does.
    """
    count = seconds * PEAKS_PER_SECOND
    random = np.random.default_rng(29)
    syllables = random.gamma(2.0, 0.35, count)
    spoken = random.random(count // _PHRASE + 1) < 0.8
    phrases = np.repeat(spoken, _PHRASE)[:count]
    loud = np.clip(syllables * np.where(phrases, 60, 2), 0, 126)
    pairs = np.stack([-loud * random.uniform(0.7, 1.0, count), loud * random.uniform(0.7, 1.0, count)], axis=1)
    # No two have the same length.
    ends = random.integers(_PHRASE // 2, _PHRASE, len(spoken))
    starts = np.flatnonzero(spoken) * _PHRASE
    speech = [(int(at) * _MS + 7, int(at + ends[at // _PHRASE]) * _MS + 3) for at in starts]
    return np.rint(pairs).astype(np.int8), speech


def spoken_file(site: Site, user_id: uuid.UUID, hours: int, lines: int) -> str:
    """A finished file of this length with as many lines; returns its slug."""
    slug = site.long_file(user_id, hours, lines)
    source = site.settings.work_root / f"{slug}.json"
    pairs, speech = speech_peaks(hours * 3600)
    write_peaks(pairs, speech, source)
    site.state.storage.put(source, site.call(_peaks_key(site, slug)))
    return slug


async def _peaks_key(site: Site, slug: str) -> str:
    async with site.state.database.read() as session:
        key = (await session.scalars(select(File.peaks_key).where(File.slug == slug))).one()
        assert key is not None
        return key


class Transcription:
    """A file whose lines arrive while somebody watches: chunks in the database, and the events of a dispatcher."""

    def __init__(self, site: Site, user_id: uuid.UUID) -> None:
        self._site = site
        self._user_id = user_id
        file, self._job = site.call(transcribing_file(site.state, user_id))
        self.slug: str = file.slug
        self._count = 0

    def add(self, lines: int) -> None:
        """Add lines at once, without an event."""
        self._site.call(self._write(self._next(lines)))

    def stream(self, seconds: float, per_s: int) -> None:
        """Add this many lines a second, each with its event."""
        self._site.call(self._stream(seconds, per_s))

    async def _stream(self, seconds: float, per_s: int) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        async with Publisher(self._site.settings) as publisher:
            for tick in range(round(seconds / TICK_S)):
                await asyncio.sleep(began + tick * TICK_S - loop.time())
                notices = await self._write(self._next(round(per_s * TICK_S)))
                await publisher.publish([event_for(self._user_id, notice.message) for notice in notices])

    def _next(self, lines: int) -> Sequence[Chunk]:
        first, self._count = self._count, self._count + lines
        return [chunk(number, f"This is what was said as line {number}.") for number in range(first, self._count)]

    async def _write(self, chunks: Sequence[Chunk]) -> list[Notice]:
        notices: list[Notice] = []
        async with self._site.state.database.write() as session:
            job = await session.get_one(Job, self._job.id)
            for one in chunks:
                session.add(JobChunk(job_id=job.id, key=one.key, fence=job.fence, payload=one.payload.to_json()))
                notices += await TranscribeHandler().on_chunk(session, job, one)
        return notices
