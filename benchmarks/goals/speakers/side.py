"""One flow of goal 24 in a process of its own: loads its model, waits for a line, prints its core-seconds."""

from __future__ import annotations

import os
import resource
import shutil
import sys
import tempfile
from contextlib import closing
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"


def main(side: str, file: Path, models: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="side-") as work:
        (speech if side == "speech" else speakers)(file, models, Path(work))


def speech(file: Path, models: Path, work: Path) -> None:
    from cluster.storage.folder import LocalStorage
    from pipelines.flows.transcribe.flow import transcribe
    from pipelines.messages.attempt import Attempt
    from pipelines.messages.requests import TranscribeRequest
    from serve.core.settings import ModelSettings
    from serve.tasks.transcription.in_process import InProcessTranscriber
    from serve.tasks.transcription.profile import TranscriptionProfile

    storage = LocalStorage(work / "storage")
    shutil.copyfile(file, work / "copy.wav")
    size = storage.put(work / "copy.wav", "files/f/audio.wav")
    request = TranscribeRequest(file_id="f", audio_key="files/f/audio.wav", duration_ms=size // 32, language="en-US")
    profile = TranscriptionProfile(engine="whisper", models=("base",), hub=False, workers=1, num_cpus=1)
    with closing(InProcessTranscriber(profile, ModelSettings(allow_hub=False), models)) as client:
        client.describe()
        begun = _begin()
        for _ in transcribe(request, Attempt("job", 1, work, "jobs/job/1"), client=client, storage=storage):
            pass
        _report(begun)


def speakers(file: Path, models: Path, work: Path) -> None:
    import wave

    import numpy as np

    from pipelines.testing.diarizer import InProcessDiarizer, SpeakerRuns
    from serve.tasks.diarization.sherpa import SherpaEngine
    from serve.testing.tiny_speakers.archive import speakers_folder

    engine = SherpaEngine(speakers_folder(work), reason="Benchmark.")
    with wave.open(str(file)) as reader:
        samples = np.frombuffer(reader.readframes(reader.getnframes()), "<i2")
    runs, client = SpeakerRuns(work), InProcessDiarizer(engine)
    request = runs.request(samples)
    begun = _begin()
    runs.result(request, client)
    _report(begun)
    client.stop()


def _begin() -> float:
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    return _cpu_s()


def _report(begun: float) -> None:
    sys.stdout.write(f"{_cpu_s() - begun}\n")
    sys.stdout.flush()


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
