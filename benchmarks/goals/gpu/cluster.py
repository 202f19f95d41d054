"""The same clips through the Serve application on Ray, as the product's callers send them."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from pathlib import Path

from benchmarks.goals.gpu.product import clips_through
from benchmarks.goals.gpu.run import Run
from serve.tasks.transcription.messages import AudioWindow
from serve.testing.random_whisper_torch import Shape

MODULES = ("ray", "faster_whisper")
"""What a node of the product has installed, and a bare machine may not."""


def missing_modules() -> list[str]:
    return [name for name in MODULES if find_spec(name) is None]


def measure_cluster(run: Run, shape: Shape, folder: Path, batch: int, *, callers: int, seconds: float) -> float:
    """Start Ray below this process, deploy the model, and report the clips. Returns the requests a second."""
    from benchmarks.measure.load.cluster_target import own_client
    from benchmarks.measure.load.configuration import configuration

    on_gpu = run.device == "cuda"
    chosen = configuration("gpu" if on_gpu else "cpu", str(folder), engine="whisper_torch").changed(
        device=run.device, max_batch=batch, workers=2, adaptive_context=False, num_gpus=1.0 if on_gpu else 0.0
    )
    # A processor that is slow, or busy with other work, is measured all the same.
    with own_client(chosen, patience_s=60 * run.minutes) as client:

        async def submit(clip: AudioWindow) -> object:
            return await asyncio.wrap_future(client.submit(clip))

        title = f"{shape.name}: clips of 5 s, {callers} callers, through Serve"
        return clips_through(run, title, submit, callers, seconds)
