"""Files without speech get no captions, whatever the model would make up."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.media.sound.voice import FRAME
from pipelines.testing.captioned import Captioned
from pipelines.testing.in_process import InProcessClient
from pipelines.testing.media.samples import ffmpeg

CHORDS = "+".join(f"0.2*sin(2*PI*{pitch}*t*pow(2\\,floor(mod(t\\,4))/12))" for pitch in (220, 277, 330, 440))
DRUM = "0.5*exp(-18*mod(t\\,0.5))*sin(2*PI*70*t)"
SOUNDS = {
    "silence": "anullsrc=r=44100:cl=stereo:d=20",
    "hiss": "anoisesrc=c=white:a=0.3:r=44100:d=20:seed=1",
    "rumble": "anoisesrc=c=brown:a=0.9:r=44100:d=20:seed=2",
    "music": f"aevalsrc={CHORDS}+{DRUM}:s=44100:d=20",
    "tone": "sine=1000:r=44100:d=20",
}


UNTAUGHT = "rumble"
"""The tiny model never learned this kind of silence: it outputs a confident sentence that no guard can detect."""


@pytest.fixture(scope="module")
def sounds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of these sounds, made by one ffmpeg."""
    folder = tmp_path_factory.mktemp("sounds")
    sources = [part for graph in SOUNDS.values() for part in ("-f", "lavfi", "-i", graph)]
    made = [part for number, name in enumerate(SOUNDS) for part in ("-map", f"{number}", "-c:a", "aac", f"{name}.m4a")]
    ffmpeg(*sources, *made, cwd=folder)
    return folder


@pytest.mark.parametrize("name", SOUNDS)
def test_a_file_without_speech_has_no_captions(captioned: Captioned, sounds: Path, name: str) -> None:
    assert captioned(sounds / f"{name}.m4a")["lines"] == []


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(SOUNDS.keys() - {UNTAUGHT}))
def test_nor_has_it_when_the_voice_model_is_deceived(
    captioned: Captioned, client: InProcessClient, sounds: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The second guard: the speech model gets all windows, and its inventions are dropped."""
    monkeypatch.setattr(
        "pipelines.media.sound.speech.voice_probabilities", lambda audio: [1.0] * (audio.samples // FRAME)
    )
    assert captioned(sounds / f"{name}.m4a", language="en-US")["lines"] == []
    assert client.windows
