"""Cues of a subtitle file before they become lines: times may overlap, be missing or be out of range."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from cluster.wording.message import Message
from pipelines.captions.limits import SPEAKER_NAME_MAX, TIME_MS_MAX
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.reading.overlaps import untangle
from pipelines.captions.texts.styled_text import Run, ink_of, ink_of_line, plain_text, words_in_parts, words_of_ink
from pipelines.captions.texts.text import clean_text
from pipelines.captions.texts.word_times import spread_text
from pipelines.captions.timestamps import format_time
from pipelines.messages.lines import CaptionLine, LinePlace, Origin


class UnreadableSubtitles(ValueError):
    """A subtitle file that cannot be imported. The message is a sentence for the person who sent it."""


class NoCaptionTimes(UnreadableSubtitles):
    """A text that holds words and no times at all."""


@dataclass(slots=True)
class Cue:
    """`end_ms` is None when the file gives none. `rows` are first the rows of the file, then one cleaned text."""

    start_ms: int
    end_ms: int | None
    rows: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class StyledCue:
    """A cue with its text as runs. Speakers are names here, of the cue and of runs that somebody else says.

    `end_ms` is None when the file gives none.
    """

    start_ms: int
    end_ms: int | None
    runs: Sequence[Run]
    place: LinePlace | None = None
    speaker: str | None = None
    forced: bool = False


def lines_of_cues(cues: Iterable[StyledCue], report: ImportReport) -> list[CaptionLine]:
    """Lines in time order, without overlap, numbered from `1`. `report` counts the changes and numbers the speakers.

    Drop cues without text, and give cues without an end one. Lines have words only where those have styles or
    speakers of their own. Raises `UnreadableSubtitles` for a cue that starts after the last time there is.
    """
    lines: list[CaptionLine] = []
    for cue in cues:
        start, end = cue.start_ms, cue.end_ms
        runs = [_of_known_speaker(run, cue, report) for run in cue.runs]
        text = clean_text(plain_text(runs))
        if not text:
            continue
        if start >= TIME_MS_MAX:
            raise UnreadableSubtitles(
                Message(
                    "pipelines.captions.read.too_late",
                    "A caption of this file starts after {time}, the latest time there is (“{text}”). "
                    "Correct its time and import the file again.",
                    time=format_time(TIME_MS_MAX),
                    text=text[:40],
                )
            )
        report.before_zero += (start < 0) + (end is not None and end < 0)
        report.cut_end += end is not None and end > TIME_MS_MAX
        start = max(0, start)
        end = min(max(0, end), TIME_MS_MAX) if end is not None else start
        speakers = [run.speaker for run in runs if run.speaker is not None and not run.text.isspace()]
        line = CaptionLine("", start, end, text, speaker=speakers[0] if speakers else None, place=cue.place)
        line = replace(line, forced=cue.forced) if cue.forced else line
        is_plain = not any(run.styles or run.speaker != line.speaker for run in runs)
        ink = [] if is_plain else ink_of(runs)
        report.part_styles += words_in_parts(text, ink)
        lines.append(replace(line, words=words_of_ink(line, ink)) if ink else line)
    return [replace(_respread(line), id=str(number)) for number, line in enumerate(untangle(lines, report), 1)]


def _of_known_speaker(run: Run, cue: StyledCue, report: ImportReport) -> Run:
    """The run with its speaker's label for the name, or with the name before its text where all labels are taken."""
    name = clean_text(run.speaker or cue.speaker or "").replace("\n", " ")[:SPEAKER_NAME_MAX]
    if not name:
        return run if run.speaker is None else replace(run, speaker=None)
    label = report.label_of(name)
    return replace(run, speaker=label, text=run.text if label is not None else f"{name}: {run.text}")


def _respread(line: CaptionLine) -> CaptionLine:
    """The line with its words over the time that it has now."""
    return replace(line, words=words_of_ink(line, ink_of_line(line))) if line.words else line


def with_words(line: CaptionLine) -> CaptionLine:
    """The line with its words, spread over its time where it has none."""
    return line if line.words else replace(line, words=spread_text(line.text, line.start_ms, line.end_ms, Origin.HUMAN))
