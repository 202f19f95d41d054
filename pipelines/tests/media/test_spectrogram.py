"""What the editor draws of a file's sound beside its waveform: the spectrogram, and where somebody speaks."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from cluster.storage.folder import LocalStorage
from pipelines.media.sound.spectrogram import BANDS, SAMPLES_PER_COLUMN, SpectrogramWriter
from pipelines.testing.media.attempts import Attempted, result_of
from serve.tasks.transcription.messages import SAMPLE_RATE


class Kept(BytesIO):
    """Keeps its bytes when it is closed."""

    def close(self) -> None:
        self.seek(0)


def columns_of(samples: np.ndarray[tuple[int], np.dtype[np.int16]], pieces: int = 1) -> np.ndarray:
    out = Kept()
    with SpectrogramWriter(out) as writer:
        for piece in np.array_split(samples, pieces):
            writer.add(piece.astype("<i2").tobytes())
    return np.frombuffer(out.read(), dtype=np.uint8).reshape(-1, BANDS)


def tone(hertz: float, seconds: float, level: float = 0.1) -> np.ndarray:
    at = np.arange(round(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    return np.rint(np.sin(2 * np.pi * hertz * at) * level * 32_767).astype(np.int16)


@pytest.mark.parametrize("hertz", [200, 1_000, 3_000, 6_000])
def test_a_tone_is_loud_in_its_own_band(hertz: int) -> None:
    columns = columns_of(tone(hertz, 1.0))
    lowest, highest = (2_595 * np.log10(1 + edge / 700) for edge in (60, 8_000))
    mel = np.linspace(lowest, highest, BANDS + 2)[1:-1]
    centres = 700 * (10 ** (mel / 2_595) - 1)
    loudest = centres[columns[5:-5].argmax(axis=1)]
    # Two lines of the spectrum are 31 Hz apart, and bands grow wider with the frequency.
    assert np.abs(loudest - hertz).max() <= max(32, hertz * 0.06)
    assert columns[5:-5].max() > 200
    assert np.median(columns[5:-5]) < 60


def test_silence_is_dark_and_every_started_column_is_there() -> None:
    silence = np.zeros(SAMPLE_RATE + 1, dtype=np.int16)
    columns = columns_of(silence)
    assert len(columns) == SAMPLE_RATE // SAMPLES_PER_COLUMN + 1
    assert columns.max() == 0
    assert len(columns_of(silence[:0])) == 0


def test_the_pieces_that_the_sound_comes_in_change_nothing() -> None:
    sound = np.concatenate([tone(300, 20.01), tone(2_000, 10.3), np.zeros(777, dtype=np.int16)])
    whole = columns_of(sound)
    assert len(whole) == -(-len(sound) // SAMPLES_PER_COLUMN)
    assert (columns_of(sound, pieces=1_013) == whole).all()


@pytest.mark.long
def test_an_upload_keeps_both(media: Path, attempt: Attempted, installation: LocalStorage) -> None:
    result = result_of(attempt("upload", media / "speech.mp4"))
    drawn = json.loads(installation.open_path(result["peaks_key"]).read_text())
    starts, ends = drawn["speech_ms"][::2], drawn["speech_ms"][1::2]
    assert starts
    assert all(start < end for start, end in zip(starts, ends, strict=True))
    assert all(end < start for end, start in zip(ends, starts[1:], strict=False))
    assert ends[-1] <= result["duration_ms"] + 32
    size = installation.open_path(result["spectrogram_key"]).stat().st_size
    assert size == -(-result["duration_ms"] // 25) * BANDS


def test_a_file_without_a_voice_has_no_marks(media: Path, attempt: Attempted, installation: LocalStorage) -> None:
    result = result_of(attempt("upload", media / "tone.mp3"))
    assert json.loads(installation.open_path(result["peaks_key"]).read_text())["speech_ms"] == []
    assert installation.open_path(result["spectrogram_key"]).stat().st_size > 0
