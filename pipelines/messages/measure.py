"""What the job that measures the times of words takes and gives."""

from __future__ import annotations

from pipelines.messages.json_message import JsonMessage
from pipelines.messages.lines import CaptionWord
from pipelines.messages.results import FlowResult

MEASURE = "pipelines.flows.transcribe.measure:run"


class MeasuredLine(JsonMessage):
    """A line of captions with its words, spoken between the two times."""

    id: str
    start_ms: int
    end_ms: int
    words: tuple[CaptionWord, ...]


class MeasureRequest(JsonMessage):
    """Measure the words whose times are estimates in the lines that changed after revision `since` of a track.

    The lines are read when the job starts, from `from_ms` on; `is_more`: there are further ones.
    """

    file_id: str
    track_id: str
    audio_key: str
    since: int
    from_ms: int = 0
    lines: tuple[MeasuredLine, ...] = ()
    is_more: bool = False


class MeasureResult(FlowResult):
    """The lines of which at least one word was measured."""

    lines: tuple[MeasuredLine, ...] = ()

    def record(self) -> dict[str, int]:
        """Without the words, which the captions keep."""
        return {"lines": len(self.lines)}
