"""Loads a model in a program of its own first, because sherpa-onnx ends its process where a file lacks something.

python -m serve.tasks.transcription.sherpa.trial FAMILY FOLDER
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from cluster.limited_process.limits import ProcessLimits
from cluster.limited_process.process import LimitedProcess, ProcessFailed, Stopped
from serve.tasks.transcription.sherpa.problems import ENDS, TOO_SLOW, UnusableModel

LIMITS = ProcessLimits(
    cpu_s=600, wall_s=300, memory_bytes=64 * 1024**3, address_space_bytes=0, file_bytes=1024**2, niceness=5
)
"""The largest models take seconds to load, and a second of sound less. Memory is the model's own."""
NOISE_S = 1
_PROJECT = Path(__file__).parents[4]
_PLACE = re.compile(r"^\S+\.(?:cc|h):\w+:\d+\s*")
"""Where in its source the runtime says something."""
_GAVE_UP = "Caught exception"
"""sherpa-onnx writes this and gives an empty result where a model's files do not fit together."""


def try_model(family: str, folder: Path) -> None:
    """Raises UnusableModel when a second of noise cannot be decoded."""
    try_program(__spec__.name, family, str(folder))


def try_program(module: str, *arguments: str) -> None:
    """Run a module that loads a model. Raises UnusableModel when it does not end well."""
    with LimitedProcess((sys.executable, "-m", module, *arguments), LIMITS, cwd=_PROJECT) as process:
        try:
            for _ in process.output():
                pass
        except ProcessFailed as failed:
            if failed.why in (Stopped.WALL, Stopped.CPU, Stopped.STALLED):
                raise UnusableModel(TOO_SLOW) from None
            raise UnusableModel(ENDS(failure=_reason(failed.errors))) from None
        if _GAVE_UP in process.errors:
            raise UnusableModel(ENDS(failure=_reason(process.errors.split(_GAVE_UP, 1)[1])))


def _reason(errors: str) -> str:
    """The first line that says something: after it come traces, and the last line is often a general one."""
    lines = [_PLACE.sub("", line).strip(" :") for line in errors.splitlines()]
    said = [line for line in lines if line and not line.startswith(("Traceback", "File "))]
    return said[-1][:300] if said and "Traceback" in errors else (said or ["it gives no reason"])[0][:300]


def main(family: str, folder: str) -> None:
    """Decode noise as the engine would."""
    import numpy as np

    from cluster.privacy import keep_private
    from serve.tasks.transcription.messages import AudioWindow, DecodeOptions
    from serve.tasks.transcription.sherpa.decoding import decoded
    from serve.tasks.transcription.sherpa.registry import BY_NAME

    keep_private()
    chosen = BY_NAME[family]
    model = chosen.open(Path(folder))
    noise = np.random.default_rng(0).normal(0, 0.1, NOISE_S * 16_000).astype(np.float32)
    language = min(model.languages, default=None)
    window = AudioWindow("trial", 0, 0, b"", DecodeOptions(language=language))
    recognizer = chosen.recognizer(model, threads=1)
    decoded(recognizer, [chosen.stream(recognizer, model, window)], [noise])


if __name__ == "__main__":
    main(*sys.argv[1:])
