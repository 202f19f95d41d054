"""One engine replaces another: running files are not disturbed, and the old engine closes when unused."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from cluster.testing.processes import rss_bytes
from serve.core.messages import EngineProblem, EngineRefused
from serve.core.replica.succession import QUIET_S, Succession
from serve.core.replica_messages import BatchLimits
from serve.tasks.transcription.engine import TranscriptionEngine
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions
from serve.tasks.transcription.pocketsphinx.engine import PocketSphinxEngine
from serve.tasks.transcription.task import SPEECH
from serve.tasks.transcription.whisper.engine import WhisperEngine
from serve.testing.speech import SpokenClip

LIMITS = BatchLimits(max_queued=600_000)
FREED_BYTES = 200_000_000
BLOCK_BYTES = 20_000
"""Small enough to come from the heap, whose top stays in use."""
PINNED: list[bytes] = []


class Clock:
    time = 0.0

    def __call__(self) -> float:
        return self.time


async def text_of(engines: Succession[TranscriptionEngine], window: AudioWindow) -> str:
    with engines.of(window.stream).request(window.stream) as loaded:
        result = await loaded.batcher.submit(window)
    return " ".join(str(segment.text) for segment in result.segments)


async def test_the_old_engine_closes_once_its_last_file_is_quiet(models_root: Path, clips: list[SpokenClip]) -> None:
    clock = Clock()
    clip = next(clip for clip in clips if clip.lang == "is")
    window = clip.window(options=DecodeOptions(language="is"))
    engines: Succession[TranscriptionEngine] = Succession(SPEECH, PocketSphinxEngine(reason="Test."), LIMITS, now=clock)
    with pytest.raises(EngineRefused):
        await text_of(engines, window)
    engines.succeed(
        WhisperEngine(models_root / "whisper", name="tiny", reason="Test.", device="cpu", compute_type="int8")
    )
    try:
        clock.time += QUIET_S - 1
        engines.rest()
        with pytest.raises(EngineRefused) as refused:
            await text_of(engines, window)
        assert refused.value.problem is EngineProblem.UNKNOWN_LANGUAGE
        assert await text_of(engines, AudioWindow("another", 0, 0, clip.pcm, window.options)) == clip.text
        assert len(list(engines)) == 2
        clock.time += QUIET_S
        engines.rest()
        assert len(list(engines)) == 1
        assert await text_of(engines, window) == clip.text
    finally:
        engines.close()


async def test_a_running_window_is_answered_by_its_own_engine(models_root: Path) -> None:
    clock = Clock()
    engines: Succession[TranscriptionEngine] = Succession(SPEECH, PocketSphinxEngine(reason="Test."), LIMITS, now=clock)
    under_way = asyncio.create_task(text_of(engines, AudioWindow("file", 0, 0, b"\1\0" * 160_000)))
    await asyncio.sleep(0)
    engines.succeed(
        WhisperEngine(models_root / "whisper", name="tiny", reason="Test.", device="cpu", compute_type="int8")
    )
    try:
        clock.time += 10 * QUIET_S
        engines.rest()
        assert len(list(engines)) == 2
        await under_way
    finally:
        engines.close()


async def test_engines_that_rest_give_their_memory_back_once(models_root: Path) -> None:
    clock = Clock()
    engine = PocketSphinxEngine(reason="Test.")
    engines: Succession[TranscriptionEngine] = Succession(SPEECH, engine, LIMITS, now=clock)
    try:
        with engines.current.request("file"):
            held = _freed_in_the_heap()
            engines.rest()
            assert rss_bytes(os.getpid()) > held - FREED_BYTES / 2, "A file is being worked on."
        clock.time += QUIET_S
        engines.rest()
        assert rss_bytes(os.getpid()) < held - FREED_BYTES / 2
        held = _freed_in_the_heap()
        engines.rest()
        assert rss_bytes(os.getpid()) > held - FREED_BYTES / 2, "Nothing worked since."
    finally:
        engines.close()


def _freed_in_the_heap() -> int:
    """Free memory that the allocator keeps, as work leaves it; return what the process holds then."""
    blocks = [bytes(BLOCK_BYTES) for _ in range(FREED_BYTES // BLOCK_BYTES)]
    PINNED.append(blocks[-1])
    del blocks
    return rss_bytes(os.getpid())
