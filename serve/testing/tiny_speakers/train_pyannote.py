"""Trains the tiny pyannote pair: `python -m serve.testing.tiny_speakers.train_pyannote` (needs the extra `gpu`).

Both are pyannote's own classes: a small `PyanNet` that knows flite's three voices, and an `XVectorMFCC` whose last
layer alone is fitted; its first ones stay random, from a fixed seed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

from serve.tasks.diarization.choice import CHECKPOINT
from serve.tasks.transcription.messages import SAMPLE_RATE
from serve.testing.tiny_speakers.dialogue import SENTENCES, VOICES, Dialogue, Samples, say, talk

os.environ["PYANNOTE_METRICS_ENABLED"] = "0"
CROP = 10 * SAMPLE_RATE
STEPS = 300


def main() -> None:
    folder = Path(sys.argv[1])
    save(train_segmentation(), folder / "segmentation")


def train_segmentation(steps: int = STEPS) -> Any:
    import torch
    from pyannote.audio.core.task import Problem, Resolution, Specifications
    from pyannote.audio.models.segmentation import PyanNet

    torch.manual_seed(1)
    torch.set_num_threads(1)
    model = PyanNet(lstm={"hidden_size": 24, "num_layers": 1}, linear={"hidden_size": 32, "num_layers": 1})
    model.specifications = Specifications(
        problem=Problem.MONO_LABEL_CLASSIFICATION,
        resolution=Resolution.FRAME,
        duration=10.0,
        classes=list(VOICES),
        powerset_max_classes=2,
        permutation_invariant=True,
    )
    model.build()
    pauses = ((300, 600), (-900, 400), (200, -600, 800))
    dialogues = [talk(VOICES, 9, pause_ms=pauses[seed % 3], seed=seed) for seed in range(40)]
    heard, wanted = _heard(model, dialogues)
    dice = np.random.default_rng(2)
    trained = [*model.lstm.parameters(), *model.linear.parameters(), *model.classifier.parameters()]
    best = torch.optim.Adam(trained, lr=3e-3)
    falling = torch.optim.lr_scheduler.OneCycleLR(best, max_lr=6e-3, total_steps=steps)
    for step in range(steps):
        chosen = torch.from_numpy(dice.integers(0, len(heard), 16))
        # What follows the filters in `PyanNet.forward`.
        found, _ = model.lstm(heard[chosen])
        for layer in model.linear:
            found = torch.nn.functional.leaky_relu(layer(found))
        scores = torch.nn.functional.log_softmax(model.classifier(found), dim=-1)
        loss = torch.nn.functional.nll_loss(scores.flatten(0, 1), wanted[chosen].flatten())
        best.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        best.step()
        falling.step()
        if step % 50 == 0:
            sys.stdout.write(f"{step} {float(loss):.3f}\n")
            sys.stdout.flush()
    return model


def _heard(model: Any, dialogues: list[Dialogue]) -> tuple[Any, Any]:
    """The output of the fixed filters for every window, and its classes: filtering is nearly all of a training step."""
    import torch

    heard, wanted = [], []
    dice = np.random.default_rng(3)
    with torch.no_grad():
        for dialogue in dialogues:
            for start in range(0, len(dialogue.samples) - CROP, CROP):
                sound = _sound(dialogue.samples[start : start + CROP]) * float(dice.uniform(0.3, 1.2))
                heard.append(model.sincnet(torch.from_numpy(sound.astype(np.float32))[None, None])[0].T)
                wanted.append(torch.from_numpy(_classes(dialogue, start, len(heard[-1]))))
    return torch.stack(heard), torch.stack(wanted)


def fitted_embedding() -> Any:
    """`XVectorMFCC` with random layers, whose last one separates flite's voices. Takes a few seconds."""
    import torch
    from pyannote.audio.core.task import Problem, Resolution, Specifications
    from pyannote.audio.models.embedding import XVectorMFCC

    torch.manual_seed(1)
    torch.set_num_threads(1)
    model = XVectorMFCC(dimension=len(VOICES) - 1).eval()
    model.specifications = Specifications(
        problem=Problem.REPRESENTATION, resolution=Resolution.CHUNK, duration=3.0, classes=list(VOICES)
    )
    pooled: list[Any] = []
    hook = model.stats_pool.register_forward_hook(lambda module, given, found: pooled.append(found))
    owners = []
    with torch.inference_mode():
        for owner, voice in enumerate(VOICES):
            for text in SENTENCES:
                spoken = _sound(say(voice, text))
                model(torch.from_numpy(spoken[SAMPLE_RATE // 2 :][: 2 * SAMPLE_RATE])[None, None])
                owners.append(owner)
    hook.remove()
    rows = torch.cat(pooled).double()
    mean = rows.mean(0)
    centred = rows - mean
    corners = torch.tensor([[1.0, 0.0], [-0.5, 0.866], [-0.5, -0.866]], dtype=torch.double)
    # Ridge regression to the corners of a triangle, in its dual form: there are far fewer rows than columns.
    products = centred @ centred.T
    ridge = 0.02 * products.trace() / len(rows) * torch.eye(len(rows), dtype=torch.double)
    weight = centred.T @ torch.linalg.solve(products + ridge, corners[torch.tensor(owners)])
    with torch.no_grad():
        model.embedding.weight.copy_(weight.T.float())
        model.embedding.bias.copy_(-(mean @ weight).float())
    return model


def save(model: Any, folder: Path) -> None:
    """Write the checkpoint as pyannote's own training does."""
    import lightning
    import torch

    checkpoint: dict[str, Any] = {
        "state_dict": {name: value.half().float() for name, value in model.state_dict().items()},
        "hyper_parameters": dict(model.hparams),
        "pytorch-lightning_version": lightning.__version__,
        "epoch": 0,
        "global_step": 0,
    }
    model.on_save_checkpoint(checkpoint)
    folder.mkdir(parents=True, exist_ok=True)
    torch.save(checkpoint, folder / CHECKPOINT)


def _classes(dialogue: Dialogue, start: int, frames: int) -> Any:
    """Powerset classes of each frame: nobody, one voice, or two at once."""
    classes = ((), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2))
    middles = (start + (np.arange(frames) + 0.5) * CROP / frames) * 1000 / SAMPLE_RATE
    active = np.zeros((frames, len(VOICES)), np.bool_)
    for said in dialogue.utterances:
        active[:, VOICES.index(said.speaker)] |= (middles >= said.start_ms) & (middles < said.end_ms)
    return np.array([classes.index(tuple(np.flatnonzero(row)[:2].tolist())) for row in active], np.int64)


def _sound(samples: Samples) -> Any:
    return samples.astype(np.float32) / 32_768.0


if __name__ == "__main__":
    main()
