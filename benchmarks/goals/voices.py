"""`python -m benchmarks voices`: people who were named in one file, known again in others."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from benchmarks.goals.report import Report
from pipelines.messages.speakers import SpeakersResult, SpeakerVoice
from pipelines.speakers.voices import KnownVoice, known_voices
from pipelines.testing.diarizer import InProcessDiarizer, SpeakerRuns
from serve.tasks.diarization.sherpa import SherpaEngine
from serve.testing.tiny_speakers.archive import speakers_folder
from serve.testing.tiny_speakers.dialogue import VOICES, Dialogue, talk

FIRST_SEED = 3_000_000


def command(files: Annotated[int, typer.Option(min=1, help="Files in which people are to be known.")] = 50) -> None:
    report = Report("voices")
    with tempfile.TemporaryDirectory(prefix="voices-") as work:
        client = InProcessDiarizer(SherpaEngine(speakers_folder(Path(work)), reason="Bench."))
        runs = SpeakerRuns(Path(work))
        learned = {voice: _named(runs, client, voice, index) for index, voice in enumerate(VOICES)}
        right, expected, wrong, judged = 0, 0, 0, 0
        for index in range(files):
            dice = np.random.default_rng(FIRST_SEED + index)
            # Nobody named one of the three: a name for that one is wrong.
            stranger = VOICES[index % len(VOICES)]
            known = [learned[voice] for voice in VOICES if voice != stranger]
            people = [VOICES[at] for at in dice.permutation(len(VOICES))[: int(dice.integers(1, 4))]]
            spoken = talk(people, 6 + 2 * len(people), seed=FIRST_SEED + index)
            result = _speakers(runs, client, spoken, dice)
            names = _names(result.voices, known)
            for voice in result.voices:
                truth = _who(voice.speaker, result, spoken)
                judged += 1
                expected += truth != stranger
                right += truth != stranger and names.get(voice.speaker) == truth
                wrong += names.get(voice.speaker, truth) != truth or (truth == stranger and voice.speaker in names)
        client.stop()
    report.goal("voices", 100 * right / expected, voices=expected, files=files)
    report.goal("voices-wrong", 100 * wrong / judged, voices=judged)
    report.note(
        "One to three of flite's voices speak in each file, at 40 to 100 % of their level and under noise. Each was "
        "named in one file of its own, and in each file another of the three counts as a stranger whom nobody named."
    )
    report.note("The tiny models know these three voices and nothing else. They say nothing about published models.")
    report.write()


def _named(runs: SpeakerRuns, client: InProcessDiarizer, voice: str, index: int) -> KnownVoice:
    """The voice as a person named it in a file of its own."""
    dice = np.random.default_rng(index)
    (heard,) = _speakers(runs, client, talk([voice], 6, seed=index + 1), dice).voices
    return KnownVoice(voice, base64.b64decode(heard.embedding), heard.spoken_ms)


def _speakers(
    runs: SpeakerRuns, client: InProcessDiarizer, spoken: Dialogue, dice: np.random.Generator
) -> SpeakersResult:
    sound = spoken.samples * dice.uniform(0.4, 1.0) + dice.normal(0, dice.uniform(0, 60), len(spoken.samples))
    request = runs.request(np.clip(sound, -32_768, 32_767).astype(np.int16))
    return runs.result(request.model_copy(update={"keeps_voices": True}), client)


def _names(voices: Sequence[SpeakerVoice], known: Sequence[KnownVoice]) -> dict[str, str]:
    own = {voice.speaker: (base64.b64decode(voice.embedding), voice.spoken_ms) for voice in voices}
    return {label: alike.name for label, alike in known_voices(own, known).items()}


def _who(label: str, result: SpeakersResult, spoken: Dialogue) -> str:
    """Who speaks most of a label's turns."""
    shares = dict.fromkeys((each.speaker for each in spoken.utterances), 0)
    for turn in result.turns:
        if turn.speaker == label:
            for each in spoken.utterances:
                shares[each.speaker] += max(0, min(turn.end_ms, each.end_ms) - max(turn.start_ms, each.start_ms))
    return max(shares, key=lambda who: shares[who])
