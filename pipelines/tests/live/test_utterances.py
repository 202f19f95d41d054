"""Sound is cut into utterances while it arrives, in pieces of any size, and nothing of a voice is lost."""

from __future__ import annotations

import wave
from itertools import pairwise
from pathlib import Path

import pytest

from pipelines.media.sound.utterances import DEFAULT_RULES, LONGEST_MS, UtteranceCutter, UtteranceSound
from pipelines.testing.voices import FOX, SUIT, silence, spoken, write_wav

MS = 32
"""Bytes of a millisecond."""


def pcm_of(folder: Path, *parts: object) -> bytes:
    with wave.open(str(write_wav(folder / "sound.wav", *parts)), "rb") as opened:  # type: ignore[arg-type]
        samples: bytes = opened.readframes(opened.getnframes())
    return samples


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("utterances")
    fox, suit = spoken(FOX, "slt", folder), spoken(SUIT, "rms", folder)
    return pcm_of(folder, silence(2), fox, silence(1.5), suit, silence(2))


def cut(sound: bytes, size: int, start_ms: int = 0) -> list[tuple[int, bytes]]:
    """The utterances: where each begins and all of its sound."""
    cutter = UtteranceCutter(start_ms)
    found: list[UtteranceSound] = []
    for at in range(0, len(sound), size):
        found += cutter.add(sound[at : at + size])
    found += cutter.finish()
    utterances: list[tuple[int, bytes]] = []
    is_open = False
    for each in found:
        assert each.begins == (not is_open)
        if each.begins:
            utterances.append((each.start_ms, b""))
        utterances[-1] = (each.start_ms, utterances[-1][1] + each.pcm)
        is_open = not each.ends
    assert not is_open
    return utterances


@pytest.mark.parametrize("size", [2, 320, 5_120, 16_000, 1_000_000])
def test_each_sentence_is_one_utterance_whatever_the_pieces(sound: bytes, size: int) -> None:
    if size == 2:
        sound = sound[: 4_000 * MS]
    found = cut(sound, size)
    assert found == cut(sound, 16_000)
    for start_ms, pcm in found:
        assert pcm == sound[start_ms * MS : start_ms * MS + len(pcm)], "its sound stands where it says"
    assert len(found) == (1 if size == 2 else 2)
    assert 1_500 < found[0][0] < 2_100


def test_times_count_from_where_the_recording_goes_on(sound: bytes) -> None:
    assert [start - 60_000 for start, _ in cut(sound, 16_000, 60_000)] == [start for start, _ in cut(sound, 16_000)]


@pytest.mark.long
def test_silence_gives_nothing_and_is_not_kept() -> None:
    cutter = UtteranceCutter()
    for _ in range(600):
        assert cutter.add(bytes(16_000)) == []
    assert cutter.finish() == []
    assert not cutter.is_open


@pytest.mark.long
def test_who_never_pauses_is_cut_before_it_is_too_long(tmp_path: Path) -> None:
    fox = spoken(FOX, "slt", tmp_path)
    found = cut(pcm_of(tmp_path, *[fox] * 25), 16_000)
    assert len(found) >= 2
    for (start, pcm), (following, _) in pairwise(found):
        assert len(pcm) // MS <= LONGEST_MS
        assert following <= start + len(pcm) // MS + DEFAULT_RULES.pause_ms
