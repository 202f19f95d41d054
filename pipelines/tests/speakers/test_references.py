"""Speakers who are named by a few seconds of their voice, with the real sherpa runtime and ffmpeg."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pipelines.messages.attempt import StageFailed
from pipelines.messages.speakers import BAD_REFERENCE, SpeakerReference
from pipelines.testing.diarizer import InProcessDiarizer, SpeakerRuns
from serve.testing.sound import write
from serve.testing.tiny_speakers.dialogue import SENTENCES, converse, talk


def stored(runs: SpeakerRuns, file: Path) -> SpeakerReference:
    """The file as a program's reference of somebody called as the file is."""
    name = file.stem
    runs.put(file, f"speech/1-voices/{name}")
    return SpeakerReference(name=name, key=f"speech/1-voices/{name}")


def sound(folder: Path, name: str, samples: NDArray[np.int16], *, form: str = "wav") -> Path:
    wav = folder / f"{name}.wav"
    write(wav, samples)
    if form == "wav":
        return wav
    coded = folder / f"{name}.{form}"
    subprocess.run(["ffmpeg", "-v", "error", "-i", str(wav), str(coded)], check=True)
    return coded


def alone(voice: str, *, seconds: float = 6) -> NDArray[np.int16]:
    return converse([(voice, SENTENCES[3]), (voice, SENTENCES[7])]).samples[: round(seconds * 16_000)]


def test_who_sounds_like_a_reference_has_its_name(runs: SpeakerRuns, client: InProcessDiarizer, tmp_path: Path) -> None:
    spoken = talk(("slt", "rms", "awb"), 12, seed=9)
    references = (
        stored(runs, sound(tmp_path, "Agent", alone("rms"), form="flac")),
        stored(runs, sound(tmp_path, "Customer", alone("slt"))),
    )
    request = runs.request(spoken.samples).model_copy(update={"references": references})
    result = runs.result(request, client)
    assert result.names == {"S1": "Customer", "S2": "Agent"}
    assert result.voices == ()
    away = (stored(runs, sound(tmp_path, "Nobody", alone("awb"))),)
    two = runs.request(talk(("slt", "rms"), 8, seed=9).samples).model_copy(update={"references": away})
    assert runs.result(two, client).names == {}


@pytest.mark.parametrize(
    ("name", "says"),
    [("Short", "is 1.0 s long"), ("Long", "is 25.0 s long"), ("Silent", "Nobody speaks"), ("Text", "cannot be read")],
)
def test_a_reference_of_no_use_is_named(
    runs: SpeakerRuns, client: InProcessDiarizer, tmp_path: Path, name: str, says: str
) -> None:
    if name == "Text":
        file = tmp_path / "Text"
        file.write_text("This is no sound at all.")
    else:
        noise = np.random.default_rng(1).integers(-20, 20, 4 * 16_000).astype(np.int16)
        samples = {"Short": alone("rms", seconds=1), "Long": np.tile(alone("rms", seconds=5), 5), "Silent": noise}
        file = sound(tmp_path, name, samples[name])
    request = runs.request(talk(("slt", "rms"), 4).samples).model_copy(update={"references": (stored(runs, file),)})
    with pytest.raises(StageFailed) as failed:
        runs.result(request, client)
    assert (failed.value.code, failed.value.retryable) == (BAD_REFERENCE, False)
    assert name in failed.value.reason
    assert says in failed.value.reason
