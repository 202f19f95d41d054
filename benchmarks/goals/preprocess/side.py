"""One side's preprocessing of one file in a separate process: prints core-seconds by step as JSON.

Both sides are warm: they load modules, models and filters and use them on a short file before the clock starts. Costs
that come from length alone (such as memory pages for an hour in one array) count for the side.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"


def cpu_s() -> float:
    """Core-seconds of this process and of every program that it started and waited for."""
    used = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


class Steps:
    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def measure(self, name: str, work: Callable[[], Any]) -> Any:
        before = cpu_s()
        result = work()
        self.seconds[name] = self.seconds.get(name, 0.0) + cpu_s() - before
        return result


def bare(file: Path, steps: Steps) -> None:
    """What `WhisperModel.transcribe(vad_filter=True)` does before the model: the whole file at once."""
    from faster_whisper.audio import decode_audio
    from faster_whisper.feature_extractor import FeatureExtractor
    from faster_whisper.vad import get_speech_timestamps

    audio = steps.measure("decode", lambda: decode_audio(str(file)))
    steps.measure("voice", lambda: get_speech_timestamps(audio))
    steps.measure("mel", lambda: FeatureExtractor()(audio))


def ours(file: Path, steps: Steps) -> None:
    """The flow `upload` on a sound file, cutting into windows, and each window's features as the engine makes them."""
    import numpy as np
    from faster_whisper.audio import pad_or_trim
    from faster_whisper.feature_extractor import FeatureExtractor

    from pipelines.media.probe import probe
    from pipelines.media.sound.audio import DecodedAudio, Drawings, decode
    from pipelines.media.sound.pcm import PcmFile
    from pipelines.media.sound.speech import speech_windows

    extractor = FeatureExtractor()
    with tempfile.TemporaryDirectory(prefix="preprocess-") as work:
        wav, drawings = Path(work) / "audio.wav", Drawings(Path(work) / "peaks.json", Path(work) / "spectrogram.bin")
        facts = steps.measure("probe", lambda: probe(file))
        decoding = decode(file, facts, wav=wav, drawings=drawings, into=DecodedAudio())
        steps.measure("decode, voice and drawings", lambda: sum(1 for _ in decoding))
        with PcmFile(wav) as audio:
            windows = steps.measure("windows", lambda: list(speech_windows(audio)))

            def features() -> None:
                for window in windows:
                    pcm = np.frombuffer(audio.read(window.start_ms, window.end_ms), "<i2")
                    pad_or_trim(extractor(pcm.astype(np.float32) / 32_768.0)[..., :-1])

            steps.measure("mel", features)


def main(side: str, file: Path, warm: Path) -> None:
    work = {"ours": ours, "bare": bare}[side]
    work(warm, Steps())
    steps = Steps()
    began = time.monotonic()
    work(file, steps)
    sys.stdout.write(json.dumps({"steps": steps.seconds, "wall_s": time.monotonic() - began}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
