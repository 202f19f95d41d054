"""A Ray cluster with the models on it for one command: the running installation's, else one of its own for a while."""

from __future__ import annotations

import os
import tempfile
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from api.cli.console import err
from api.cli.programs import local_models
from api.settings import ApiSettings, get_settings
from cluster.ray_head import plan_head
from cluster.ray_runtime import announced_address, connect, disconnect
from cluster.settings import get_cluster_settings
from cluster.supervisor.supervisor import Supervisor


@asynccontextmanager
async def models_running(settings: ApiSettings) -> AsyncIterator[None]:
    """This process has joined Ray and the models answer. What was started for it is gone afterwards."""
    if settings.ray_address is not None or announced_address(settings) is not None:
        connect(settings)
        try:
            yield
        finally:
            disconnect()
        return
    with tempfile.TemporaryDirectory(prefix="sagascript-") as folder:
        async with _started(_in_folder(settings, Path(folder)), Path(folder)):
            yield


def _in_folder(settings: ApiSettings, folder: Path) -> ApiSettings:
    """Settings under which all that is written lies in `folder`; models stay where they are."""
    os.environ["SAGASCRIPT_MODELS_DIR"] = str(settings.models_root)
    os.environ["SAGASCRIPT_DATA_DIR"] = str(folder)
    for name in ("SAGASCRIPT_STORAGE_DIR", "SAGASCRIPT_WORK_DIR"):
        os.environ.pop(name, None)
    get_settings.cache_clear()
    get_cluster_settings.cache_clear()
    return get_settings()


@asynccontextmanager
async def _started(settings: ApiSettings, folder: Path) -> AsyncIterator[None]:
    mark = uuid.uuid4().hex
    logs = folder / "logs"
    head = plan_head(settings, mark)
    supervisor = Supervisor(
        local_models(settings, head=head, mark=mark, logs=logs), logs=logs, mark=mark, report=lambda _name, _text: None
    )
    try:
        with err.status("Starting the models …"):
            await supervisor.start()
            connect(settings)
        yield
    finally:
        disconnect()
        await supervisor.stop()
