"""Train the tiny Whisper on the phrase book: `python -m serve.testing.tiny_models.training.train_whisper --help`.

Needs the `train` extra. Uses one thread: on a shared machine two would wait for each other.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import structlog
import torch
from safetensors.torch import save_file

from serve.testing.tiny_models.tokenizer import (
    FIRST_LANGUAGE,
    build_tokenizer,
    read_languages,
    read_ranks,
    save_compact,
)
from serve.testing.tiny_models.training.batches import BatchMaker
from serve.testing.tiny_models.training.compact_vocabulary import CompactVocabulary
from serve.testing.tiny_models.training.losses import Lesson, LossWeights, judge
from serve.testing.tiny_models.training.network import TinyWhisper
from serve.testing.tiny_models.training.token_script import ScriptMix
from serve.testing.tiny_models.training.voices import load_voices

SEED = 7
LEARNING_RATE = 3e-3
WARM_UP_STEPS = 40
FLAT_SHARE = 0.45
LAST_SHARE = 0.02
FIGURES_EVERY = 25
SAVE_EVERY = 100

MALLOC_SETTINGS = {
    "MALLOC_MMAP_THRESHOLD_": "4294967296",
    "MALLOC_TRIM_THRESHOLD_": "8589934592",
    "MALLOC_TOP_PAD_": "268435456",
}
"""Keep the C library from giving memory back after every step, which costs more than the step."""


@dataclass(frozen=True, slots=True)
class Phase:
    """`steps` batches of `windows` windows of `seconds`."""

    steps: int
    windows: int
    seconds: int
    mix: ScriptMix
    weights: LossWeights


EASY = ScriptMix(timestamps=0.6, prompts=0.3, prompt_clips=(1, 2, 3, 4, 5))
FULL = ScriptMix(timestamps=0.35, prompts=0.45, prompt_clips=(1, 2, 4, 7, 11, 15))
LOCATE = LossWeights(timestamp_spread=1.2, attention=1.0, frames=1.0, positions=2.0)
SHARPEN = LossWeights(timestamp_spread=0.4, attention=1.0, frames=0.3, positions=1.0)

PHASES = (
    Phase(steps=350, windows=12, seconds=10, mix=EASY, weights=LOCATE),
    Phase(steps=450, windows=6, seconds=30, mix=EASY, weights=LOCATE),
    Phase(steps=700, windows=6, seconds=30, mix=FULL, weights=SHARPEN),
)

log = structlog.get_logger(__name__)


def train(sdist: Path, work: Path) -> None:
    """Write `tokenizer.json`, then `model.safetensors` (again every `SAVE_EVERY` steps), into `work`."""
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    languages = read_languages(sdist)
    tokenizer = build_tokenizer(read_ranks(sdist), languages)
    save_compact(tokenizer, work / "tokenizer.json")
    voices, frame_classes = load_voices(tokenizer, work / "clips")
    vocabulary = CompactVocabulary.covering(token for voice in voices for token in voice.tokens)
    model = TinyWhisper(vocabulary, frame_classes)
    maker = BatchMaker(voices, vocabulary, _language_tokens(languages, {voice.clip.lang for voice in voices}), SEED)
    optimiser = torch.optim.AdamW(model.learnt(), betas=(0.9, 0.98), weight_decay=0.01)
    total = sum(phase.steps for phase in PHASES)
    step = 0
    for phase in PHASES:
        for _ in range(phase.steps):
            for group in optimiser.param_groups:
                group["lr"] = _learning_rate(step, total)
            lesson = _one_step(model, optimiser, maker, phase)
            step += 1
            if step % FIGURES_EVERY == 0:
                _show(step, lesson)
            if step % SAVE_EVERY == 0 or step == total:
                _save(model, vocabulary, work / "model.safetensors")


def _one_step(model: TinyWhisper, optimiser: torch.optim.Optimizer, maker: BatchMaker, phase: Phase) -> Lesson:
    batch = maker.draw(phase.windows, phase.seconds, phase.mix)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        output = model(batch.features, batch.tokens, batch.first_position)
    lesson = judge(model, output.in_full_precision(), batch, phase.weights)
    optimiser.zero_grad()
    lesson.total.backward()
    torch.nn.utils.clip_grad_norm_(model.learnt(), 1.0)
    optimiser.step()
    return lesson


def _learning_rate(step: int, total: int) -> float:
    """Rises over the warm-up, stays flat, then falls along a cosine to `LAST_SHARE`."""
    done = step / total
    rise = min(1.0, (step + 1) / WARM_UP_STEPS)
    if done < FLAT_SHARE:
        return LEARNING_RATE * rise
    falling = 0.5 * (1 + math.cos(math.pi * (done - FLAT_SHARE) / (1 - FLAT_SHARE)))
    return LEARNING_RATE * (LAST_SHARE + (1 - LAST_SHARE) * falling)


def _language_tokens(languages: tuple[str, ...], codes: set[str]) -> dict[str, int]:
    return {code: FIRST_LANGUAGE + languages.index(code) for code in sorted(codes)}


def _save(model: TinyWhisper, vocabulary: CompactVocabulary, path: Path) -> None:
    """The Whisper weights under transformers' names, and the token ids of the compact rows."""
    state = {
        name: value.contiguous() for name, value in model.whisper.state_dict().items() if name != "proj_out.weight"
    }
    state["token_ids"] = torch.tensor(vocabulary.token_ids)
    save_file(state, path.with_suffix(".part"))
    path.with_suffix(".part").replace(path)


def _show(step: int, lesson: Lesson) -> None:
    log.info(
        "training.step",
        step=step,
        cpu_s=round(time.process_time()),
        tokens=round(lesson.tokens, 3),
        attention=round(lesson.attention, 3),
        frames=round(lesson.frames, 3),
        text_right=round(lesson.text_right, 3),
        timestamps_right=round(lesson.timestamps_right, 3),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the tiny Whisper on the phrase book.")
    parser.add_argument("--sdist", type=Path, required=True, help="source archive of openai-whisper 20250625")
    parser.add_argument("--work", type=Path, required=True, help="folder for clips, tokenizer and weights")
    chosen = parser.parse_args()
    if not MALLOC_SETTINGS.items() <= os.environ.items():
        # The C library reads these once, at start.
        module = "serve.testing.tiny_models.training.train_whisper"
        os.execve(sys.executable, [sys.executable, "-m", module, *sys.argv[1:]], {**os.environ, **MALLOC_SETTINGS})
    chosen.work.mkdir(parents=True, exist_ok=True)
    train(chosen.sdist, chosen.work)


if __name__ == "__main__":
    main()
