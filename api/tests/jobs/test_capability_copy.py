"""A dispatcher copies what the cluster has loaded into the database."""

from __future__ import annotations

import asyncio
import os
import sys
import time

from api.platform.capabilities.queries import capability_of
from api.platform.capabilities.service import store
from api.testing.jobs.installation import PROJECT, Installation, only_sqlite
from cluster.testing.patience import PATIENCE_S
from serve.core.capability import Capability
from serve.core.messages import EngineInfo
from serve.tasks.transcription.messages import TRANSCRIPTION

POCKETSPHINX = EngineInfo("transcription", "pocketsphinx", "en-us", "cpu", "Why.", frozenset({"en"}))
WHISPER = EngineInfo("transcription", "whisper", "/models/small", "cpu", "Why.", frozenset({"en", "is", "no"}), True)

PUBLISH = """
from cluster.ray.runtime import connect
from serve.tasks.transcription.messages import TRANSCRIPTION
from serve.core.capability_store import publish_loaded
from serve.core.messages import EngineInfo
connect()
publish_loaded(TRANSCRIPTION, EngineInfo("transcription", "pocketsphinx", "en-us", "cpu", "Why.", frozenset({"en"})))
"""


@only_sqlite
async def test_a_dispatcher_copies_the_clusters_capabilities_into_the_database(installation: Installation) -> None:
    """Another process publishes to the cluster, as `sagascript serve` does."""
    async with installation.database.write() as session:
        await store(session, Capability(TRANSCRIPTION, WHISPER))
    installation.dispatcher()
    # This cluster has not loaded anything yet, so an earlier cluster's record is out of date.
    await until(installation, None)
    env = {**os.environ, "SAGASCRIPT_DATA_DIR": str(installation.settings.data_dir)}
    telling = await asyncio.create_subprocess_exec(sys.executable, "-c", PUBLISH, env=env, cwd=PROJECT)
    assert await asyncio.wait_for(telling.wait(), PATIENCE_S) == 0
    await until(installation, POCKETSPHINX)


async def until(installation: Installation, loaded: EngineInfo | None) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        async with installation.database.read() as session:
            known = await capability_of(session)
        if known == Capability(TRANSCRIPTION, loaded):
            return
        assert time.monotonic() < deadline, f"{known}\n{installation.log()}"
        await asyncio.sleep(0.1)
