"""The way of one upload, by the moments at which its owner's page received what happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from api.platform.realtime.messages import Action, Topic


class Moment(StrEnum):
    """Seconds after the start of the run."""

    DUE = "due"
    """The person drops the file."""
    BEGUN = "begun"
    UPLOADED = "uploaded"
    """The server acknowledged the last byte."""
    CLAIMED = "claimed"
    INGESTED = "ingested"
    TRANSCRIBING = "transcribing"
    FIRST_CAPTION = "first caption"
    """The first fetched draft that held a line."""
    ALL_CAPTIONS = "all captions"


PHASES: dict[str, tuple[Moment, Moment]] = {
    "upload": (Moment.DUE, Moment.UPLOADED),
    "wait": (Moment.UPLOADED, Moment.CLAIMED),
    "ingest": (Moment.CLAIMED, Moment.INGESTED),
    "wait for transcription": (Moment.INGESTED, Moment.TRANSCRIBING),
    "transcription": (Moment.TRANSCRIBING, Moment.ALL_CAPTIONS),
    "first caption": (Moment.DUE, Moment.FIRST_CAPTION),
    "all captions": (Moment.DUE, Moment.ALL_CAPTIONS),
}
"""What is reported, each from one moment to another. The last two count from the drop."""
ABOUT = {
    "upload": "From the drop to the server's acknowledgement of the last byte.",
    "wait": "Until a dispatcher starts on the file.",
    "ingest": "Probing, decoding, finding speech, waveform and poster.",
    "wait for transcription": "Between the two jobs of the file.",
    "transcription": "From its start to the finished captions.",
    "first caption": "From the drop until a page can show the first line.",
    "all captions": "From the drop to the finished captions.",
}

_MOMENTS = {
    (Topic.UPLOAD, Action.STARTED): Moment.CLAIMED,
    (Topic.UPLOAD, Action.TRANSCRIBING): Moment.INGESTED,
    (Topic.TRANSCRIBE, Action.STARTED): Moment.TRANSCRIBING,
    (Topic.TRANSCRIBE, Action.COMPLETED): Moment.ALL_CAPTIONS,
}
_ENDS = frozenset({Action.FAILED, Action.ABANDONED})


@dataclass(slots=True)
class Timeline:
    """Grows while events arrive. `problem` ends it without captions."""

    name: str
    media_s: float
    moments: dict[Moment, float] = field(default_factory=dict)
    problem: str = ""

    def note(self, moment: Moment, at_s: float) -> None:
        """Keep the first time of each: a job that runs again starts again."""
        self.moments.setdefault(moment, at_s)

    def receive(self, event: Mapping[str, object], at_s: float) -> None:
        """An event of this file, as a page receives it."""
        topic, action = Topic(str(event["queue"])), Action(str(event["action"]))
        if (moment := _MOMENTS.get((topic, action))) is not None:
            self.note(moment, at_s)
        elif action in _ENDS and topic in (Topic.TUS, Topic.UPLOAD, Topic.TRANSCRIBE):
            self.problem = str(event.get("message") or f"{topic} {action}")
        elif (topic, action) == (Topic.UPLOAD, Action.COMPLETED):
            # A file that is ready without a transcription has no sound.
            self.problem = str(event.get("message") or "It has no sound.")

    @property
    def is_over(self) -> bool:
        return bool(self.problem) or Moment.ALL_CAPTIONS in self.moments

    def phases(self) -> dict[str, float]:
        """Seconds of each phase whose two moments were received."""
        return {
            name: self.moments[end] - self.moments[start]
            for name, (start, end) in PHASES.items()
            if start in self.moments and end in self.moments
        }
