"""What the decoder reads and must answer for one window, with the time of each answer in the sound."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from serve.testing.tiny_models.tokenizer import (
    END_OF_TEXT,
    FIRST_TIMESTAMP,
    NO_SPEECH,
    NO_TIMESTAMPS,
    START_OF_PREVIOUS,
    START_OF_TRANSCRIPT,
    TIMESTAMP_SECONDS,
    TRANSCRIBE,
)
from serve.testing.tiny_models.training.scene import Placed, Scene
from serve.testing.tiny_models.training.voices import Voice

IGNORE = -100
MAX_PROMPT = 224
"""Half of the decoder's 448 positions: what faster-whisper keeps of earlier text, and its mark."""

FOREIGN_TOKEN = -1
"""A prompt token outside the phrase book."""


@dataclass(frozen=True, slots=True)
class ScriptMix:
    """How often windows have timestamps, an earlier text as prompt, and how long that text may be (in clips)."""

    timestamps: float
    prompts: float
    prompt_clips: tuple[int, ...]


@dataclass(slots=True)
class TokenScript:
    """Whisper ids. `answers[i]` follows `tokens[i]` (IGNORE: not learnt); `heard_at[i]` is its time in seconds.

    `turns[i]` marks the answers with which the model decides where to listen next: timestamps, the first word of each
    clip and the end.
    """

    tokens: list[int] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    heard_at: list[float | None] = field(default_factory=list)
    turns: list[bool] = field(default_factory=list)

    def read(self, token: int) -> None:
        """Append a token that is given, not answered."""
        self.tokens.append(token)
        self.answers.append(IGNORE)
        self.heard_at.append(None)
        self.turns.append(False)

    def answer(self, token: int, heard_at: float | None = None, turn: bool = False) -> None:
        """The right answer here."""
        self.answers[-1] = token
        self.heard_at[-1] = heard_at
        self.turns[-1] = turn

    def say(self, token: int, heard_at: float | None = None, turn: bool = False) -> None:
        """The right answer here, which is then read."""
        self.answer(token, heard_at, turn)
        self.read(token)


def write_script(
    rng: random.Random, scene: Scene, voices: Sequence[Voice], languages: dict[str, int], mix: ScriptMix, offset: float
) -> TokenScript:
    """The tokens for a scene that starts `offset` seconds after the encoder's first position."""
    script = TokenScript()
    with_timestamps = scene.cut is not None or rng.random() < mix.timestamps
    if rng.random() < mix.prompts:
        _read_prompt(rng, script, scene, voices, mix, with_timestamps)
    script.read(START_OF_TRANSCRIPT)
    _read_language(rng, script, scene, languages)
    if not scene.is_silent:
        script.answer(TRANSCRIBE)
    script.read(TRANSCRIBE)
    if with_timestamps:
        _say_with_timestamps(rng, script, scene, offset)
    else:
        _say_plainly(script, scene)
    return script


def _read_language(rng: random.Random, script: TokenScript, scene: Scene, languages: dict[str, int]) -> None:
    """Answer the first language, or no speech; then read it or, now and then, another that the user chose."""
    if scene.is_silent:
        script.answer(NO_SPEECH)
        script.read(rng.choice(list(languages.values())))
        return
    spoken = scene.languages
    if rng.random() < 0.12:
        spoken = [rng.choice(spoken)]
    script.answer(languages[spoken[0]])
    script.read(languages[rng.choice(list(languages)) if rng.random() < 0.1 else spoken[0]])


def _read_prompt(
    rng: random.Random,
    script: TokenScript,
    scene: Scene,
    voices: Sequence[Voice],
    mix: ScriptMix,
    with_timestamps: bool,
) -> None:
    """Earlier text, most often in the same language, cut at the front as faster-whisper cuts it."""
    if rng.random() < 0.12:
        words = [FOREIGN_TOKEN] * rng.randint(1, 8)
    else:
        lang = scene.languages[0] if scene.languages else "en"
        pool = [voice for voice in voices if voice.clip.lang == lang] if rng.random() < 0.6 else list(voices)
        words = []
        stamped = with_timestamps or rng.random() < 0.5
        for voice in rng.sample(pool, min(len(pool), rng.choice(mix.prompt_clips))):
            start = FIRST_TIMESTAMP + rng.randint(0, 1300)
            end = start + rng.randint(60, 200)
            words += [start, *voice.tokens, end] if stamped else list(voice.tokens)
        if rng.random() < 0.3:
            words = words[rng.randint(0, len(words) - 1) :]
    for token in [START_OF_PREVIOUS, *words[-(MAX_PROMPT - 1) :]]:
        script.read(token)


def _say_plainly(script: TokenScript, scene: Scene) -> None:
    script.read(NO_TIMESTAMPS)
    for placed in scene.placed:
        _say_words(script, placed)
    script.answer(END_OF_TEXT, scene.speech_end if scene.placed else None, turn=True)


def _say_with_timestamps(rng: random.Random, script: TokenScript, scene: Scene, offset: float) -> None:
    if scene.is_silent:
        script.say(_timestamp(offset), turn=True)
    for index, placed in enumerate(scene.placed):
        start = placed.speech_start
        if index == 0 and start > 0.3 and rng.random() < 0.25:
            # faster-whisper clamps the first timestamp to one second after the window's start.
            script.read(_timestamp(offset + min(start, 1.0) * rng.random()))
        else:
            script.say(_timestamp(offset + start), start, turn=True)
        _say_words(script, placed)
        script.say(_timestamp(offset + placed.speech_end), placed.speech_end, turn=True)
    if scene.cut is not None:
        # A clip that continues past the window belongs to the next one: its start stands alone.
        script.say(_timestamp(offset + scene.cut.speech_start), scene.cut.speech_start, turn=True)
    script.answer(END_OF_TEXT, turn=True)


def _say_words(script: TokenScript, placed: Placed) -> None:
    for index, (token, time) in enumerate(zip(placed.voice.tokens, placed.voice.token_times, strict=True)):
        script.say(token, placed.start + time, turn=index == 0)


def _timestamp(seconds: float) -> int:
    return FIRST_TIMESTAMP + round(seconds / TIMESTAMP_SECONDS)
