"""The deployment on a Ray cluster of this process."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from serve.core.settings import ModelSettings
from serve.profile import load_profile, profile_of
from serve.tasks.transcription.profile import TranscriptionProfile


@contextmanager
def deployed(model: Path) -> Iterator[None]:
    """Deploy the profile `embedded` with this model, and join its cluster."""
    import ray

    from serve.application import deploy, shutdown, wait_ready

    bundled = load_profile("embedded").require(TranscriptionProfile)
    profile = profile_of("benchmark", {"transcription": bundled.model_copy(update={"engine": "whisper"})})
    # Paths of sockets in this folder are limited to 107 letters.
    folder = tempfile.mkdtemp(prefix="ray-")
    os.environ |= {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    ray.init(num_cpus=2, include_dashboard=False, _temp_dir=folder, log_to_driver=False, logging_level=logging.ERROR)
    try:
        settings = ModelSettings(whisper_model=str(model), allow_hub=False)
        deploy(profile, settings=settings, models_root=Path(folder))
        wait_ready()
        yield
    finally:
        shutdown()
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)
