"""Batches of random windows as tensors."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from serve.testing.tiny_models.tokenizer import END_OF_TEXT
from serve.testing.tiny_models.training.compact_vocabulary import UNKNOWN, CompactVocabulary
from serve.testing.tiny_models.training.features import WindowFeatures
from serve.testing.tiny_models.training.scene import FRAMES_PER_SECOND, make_scene
from serve.testing.tiny_models.training.token_script import IGNORE, ScriptMix, write_script
from serve.testing.tiny_models.training.voices import Voice

NOT_HEARD = -1.0


@dataclass(frozen=True, slots=True)
class Batch:
    """B windows of T encoder positions and up to L tokens, all ids compact.

    features [B, 80, 2T]; tokens [B, L]; answers [B, L] (IGNORE: not learnt); heard_at [B, L] in encoder positions
    (NOT_HEARD: no position); turns [B, L] marks answers that weigh more; frame_classes [B, T]; first_position: the
    windows' offset on the encoder's position table.
    """

    features: torch.Tensor
    tokens: torch.Tensor
    answers: torch.Tensor
    heard_at: torch.Tensor
    turns: torch.Tensor
    frame_classes: torch.Tensor
    first_position: int


class BatchMaker:
    """Draws batches; `seed` decides all of them."""

    def __init__(
        self, voices: Sequence[Voice], vocabulary: CompactVocabulary, languages: dict[str, int], seed: int
    ) -> None:
        self._voices = voices
        self._vocabulary = vocabulary
        self._languages = languages
        self._rng = random.Random(seed)
        self._features = WindowFeatures()

    def draw(self, count: int, seconds: int, mix: ScriptMix) -> Batch:
        """`count` windows of `seconds` each; windows shorter than 30 s start at a random encoder position."""
        first_position = self._rng.randrange(0, (30 - seconds) * FRAMES_PER_SECOND + 1)
        offset = first_position / FRAMES_PER_SECOND
        scenes = [make_scene(self._rng, self._voices, seconds) for _ in range(count)]
        scripts = [write_script(self._rng, scene, self._voices, self._languages, mix, offset) for scene in scenes]
        longest = max(len(script.tokens) for script in scripts)
        tokens = np.full((count, longest), self._vocabulary.compact_ids[END_OF_TEXT], np.int64)
        answers = np.full((count, longest), IGNORE, np.int64)
        heard_at = np.full((count, longest), NOT_HEARD, np.float32)
        turns = np.zeros((count, longest), np.bool_)
        for row, script in enumerate(scripts):
            turns[row, : len(script.turns)] = script.turns
            for index, (token, answer, time) in enumerate(
                zip(script.tokens, script.answers, script.heard_at, strict=True)
            ):
                tokens[row, index] = self._vocabulary.compact_ids.get(token, UNKNOWN)
                answers[row, index] = IGNORE if answer == IGNORE else self._vocabulary.compact_ids[answer]
                heard_at[row, index] = NOT_HEARD if time is None else time * FRAMES_PER_SECOND
        return Batch(
            features=torch.stack([self._features.of(self._rng, scene) for scene in scenes]),
            tokens=torch.from_numpy(tokens),
            answers=torch.from_numpy(answers),
            heard_at=torch.from_numpy(heard_at),
            turns=torch.from_numpy(turns),
            frame_classes=torch.from_numpy(np.stack([scene.frame_classes for scene in scenes])),
            first_position=first_position,
        )
