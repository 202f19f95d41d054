"""Our side: the inside of a replica, scheduler and engine, with the passages of many files at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from benchmarks.goals.translation.timing import Timing
from serve.core.replica.batching import Batcher
from serve.core.replica_messages import BatchLimits
from serve.core.settings import ModelSettings
from serve.tasks.translation.load import load_translation
from serve.tasks.translation.messages import Passage, Translated
from serve.tasks.translation.profile import TranslationProfile
from serve.tasks.translation.task import TRANSLATION_TASK

FILES = 8


class Ours:
    """The engine `ct2` with one model, as the deployment loads it."""

    def __init__(self, model: Path, *, workers: int) -> None:
        self.timing = Timing()
        profile = TranslationProfile(engine="ct2", models={"en-is": str(model)}, workers=workers)
        self._limits = BatchLimits(max_batch=profile.max_batch, max_queued=1_000_000_000, wait_ms=profile.batch_wait_ms)
        self._engine = load_translation(profile, ModelSettings(allow_hub=False), Path("/nonexistent"))
        # The comparison needs batches on every core; a spare worker would add one without a free core.
        self._engine.spare_workers = 0

    def lines_per_second(self, lines: Sequence[str]) -> float:
        passages = [
            Passage(f"file-{number % FILES}", number // FILES, "en", "is", line) for number, line in enumerate(lines)
        ]
        with self.timing.measure(len(lines)):
            translated = asyncio.run(self._translate(passages))
        if not all(each.hypotheses[0].attention for each in translated):
            raise RuntimeError("A translation has no attention.")
        return self.timing.speeds[-1]

    async def _translate(self, passages: Sequence[Passage]) -> list[Translated]:
        """Send all at once, as from that many callers."""
        batcher: Batcher[Passage, Translated] = Batcher(TRANSLATION_TASK, self._engine, self._limits)
        try:
            return await asyncio.gather(*map(batcher.submit, passages))
        finally:
            batcher.close()

    def close(self) -> None:
        self._engine.close()
