"""Checks that the decoder and the joiner of a folder fit its encoder.

sherpa-onnx reads what they give as if it had the size that the encoder names, and beyond its end.
"""

from __future__ import annotations

from pathlib import Path

from serve.core.models.onnx_session import UnreadableModel, open_session
from serve.tasks.transcription.parakeet.folder import ParakeetFolder
from serve.tasks.transcription.parakeet.problems import OTHER_JOINER, OTHER_PART, UnusableModel

_DECODER_INPUTS, _JOINER_INPUTS = 4, 2
"""Last piece, its length and two states; sound and last piece."""


def check_parts(files: ParakeetFolder) -> None:
    """Raises UnusableModel."""
    _outputs(files.decoder, _DECODER_INPUTS)
    sizes = _outputs(files.joiner, _JOINER_INPUTS)
    scores = sizes[-1] if sizes else None
    if isinstance(scores, int) and scores < files.pieces:
        raise UnusableModel(OTHER_JOINER(name=files.joiner.name, scores=scores, pieces=files.pieces))


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
