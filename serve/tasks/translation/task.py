"""Translation as a model task. Callers need it without loading any engine."""

from __future__ import annotations

from cluster.wording.message import Message
from serve.core.sentences import MATERIAL_TEXT
from serve.core.task import ModelTask
from serve.tasks.translation.messages import TRANSLATION, Passage, Translated


def _stream(passage: Passage) -> str:
    return passage.stream


def _characters(passage: Passage) -> int:
    return len(passage.text)


TRANSLATION_TASK: ModelTask[Passage, Translated] = ModelTask(
    name=TRANSLATION,
    model=Message("translation.model", "translation model"),
    material=MATERIAL_TEXT,
    items="passages",
    stream=_stream,
    cost=_characters,
    expected_speed=500.0,
    # A chat model on a processor writes about ten tokens a second.
    slowest_speed=20.0,
    # The first call brings the model of its pair into memory, and a short passage takes a whole decoding too.
    call_overhead=100,
)
"""Its cost is characters of the source."""
