"""The time that a device needs at least for a batch: its own speed at multiplying and copying, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from serve.testing.random_whisper_torch import Shape

FRAMES, POSITIONS, PROMPT = 1500, 448, 3


@dataclass(frozen=True, slots=True)
class DeviceSpeed:
    """Measured: multiplications of matrices count two operations each, copies the bytes read and written."""

    operations_a_second: float
    bytes_a_second: float


@dataclass(frozen=True, slots=True)
class Work:
    """What one batch asks of the device. A decode step waits for whichever takes longer."""

    encoder_operations: float
    step_operations: float
    step_bytes: float
    steps: int

    def least_seconds(self, speed: DeviceSpeed) -> float:
        step = max(self.step_operations / speed.operations_a_second, self.step_bytes / speed.bytes_a_second)
        return self.encoder_operations / speed.operations_a_second + self.steps * step


def work_of(shape: Shape, *, batch: int, tokens: int, value_bytes: int) -> Work:
    """The work of one batch of full windows with this many tokens each.

    The encoder reads its weights once and is bound by operations; a decode step reads the decoder's weights once and
    each row's keys and values, of which the cross-attention's are by far the most.
    """
    width = shape.width
    block = 12 * width * width
    convolutions = 3 * width * (shape.mels * 2 * FRAMES + width * FRAMES)
    encoder = 2 * (convolutions + shape.encoder_layers * (block * FRAMES + 2 * FRAMES * FRAMES * width))
    # The decoder's layers project into and out of the cross-attention too, which needs no new keys and values.
    weights = shape.decoder_layers * (block + 2 * width * width) + shape.vocabulary * width
    cross_projection = 2 * shape.decoder_layers * 2 * width * width * FRAMES
    caches = 2 * shape.decoder_layers * width * (FRAMES + (PROMPT + tokens) // 2)
    return Work(
        encoder_operations=batch * (encoder + cross_projection),
        step_operations=2 * batch * (weights + caches),
        step_bytes=value_bytes * (weights + batch * caches),
        steps=PROMPT + tokens - 1,
    )
