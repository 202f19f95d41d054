"""Checks that the decoder and the joiner of a NeMo transducer fit its encoder.

sherpa-onnx reads what they give as if it had the size that the encoder names, and beyond its end.
"""

from __future__ import annotations

from pathlib import Path

from serve.core.models.onnx_session import UnreadableModel, open_session
from serve.tasks.transcription.sherpa.problems import OTHER_JOINER, OTHER_PART, UnusableModel

_DECODER_INPUTS, _JOINER_INPUTS = 4, 2
"""Last piece, its length and two states; sound and last piece."""


def check_parts(decoder: Path, joiner: Path, *, pieces: int) -> None:
    """`pieces` is what the encoder counts, with blank. Raises UnusableModel."""
    _outputs(decoder, _DECODER_INPUTS)
    sizes = _outputs(joiner, _JOINER_INPUTS)
    scores = sizes[-1] if sizes else None
    if isinstance(scores, int) and scores < pieces:
        raise UnusableModel(OTHER_JOINER(name=joiner.name, scores=scores, pieces=pieces))


def _outputs(path: Path, inputs: int) -> list[int | str | None]:
    """The shape of the first output; sizes that are not fixed are names or None."""
    try:
        session = open_session(path)
    except UnreadableModel as unreadable:
        raise UnusableModel(str(unreadable)) from unreadable
    if len(session.get_inputs()) != inputs:
        raise UnusableModel(OTHER_PART(name=path.name))
    shape: list[int | str | None] = session.get_outputs()[0].shape
    return shape
