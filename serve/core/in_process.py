"""A model inside the program that uses it: for a command that handles one file and ends.

Same engine and same batches as the deployment, without a cluster, whose start takes longer than a short file.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Generic, TypeVar

from serve.core.engine import Engine
from serve.core.messages import EngineInfo
from serve.core.replica.deployment_profile import DeploymentProfile
from serve.core.replica.succession import LoadedEngine
from serve.core.task import ModelTask

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")
EngineT = TypeVar("EngineT", bound=Engine[Any, Any])


class InProcessModel(Generic[Item, Outcome, EngineT]):
    """Starts to load the engine in the background at once. Close it after use.

    Every method that needs the engine waits for it and raises any error of its loading.
    """

    def __init__(self, task: ModelTask[Item, Outcome], profile: DeploymentProfile, load: Callable[[], EngineT]) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=f"{task.name}-loop", daemon=True)
        self._thread.start()
        with ThreadPoolExecutor(1, thread_name_prefix="model-loading") as pool:
            self._loading = pool.submit(lambda: LoadedEngine(task, load(), profile.limits))
            pool.shutdown(wait=False)

    def describe(self) -> EngineInfo:
        return self.engine.info

    def submit(self, item: Item) -> Future[Outcome]:
        return asyncio.run_coroutine_threadsafe(self._loading.result().batcher.submit(item), self._loop)

    def close(self) -> None:
        is_loaded = self._loading.exception() is None
        if is_loaded:
            self._loop.call_soon_threadsafe(self._loading.result().batcher.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        if is_loaded:
            self.engine.close()

    @property
    def engine(self) -> EngineT:
        return self._loading.result().engine
