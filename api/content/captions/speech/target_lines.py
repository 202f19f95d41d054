"""Lines of a translation as a flow sends them, and as captions."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from pipelines.captions.reading.cues import with_words
from pipelines.captions.texts.text import clean_text
from pipelines.messages.lines import CaptionLine, LineLink, SourceText, Writer
from pipelines.messages.translate import SourceLine, TargetLine


def line_of_target(line: TargetLine) -> CaptionLine:
    """A caption line under a new id, written by the model."""
    sources = tuple(SourceText(*pair) for pair in zip(line.source_ids, line.source_texts, strict=True))
    link = LineLink(sources, Writer.MODEL, tuple(line.flags), line.log_probability)
    return with_words(CaptionLine(str(uuid.uuid4()), line.start_ms, line.end_ms, clean_text(line.text), link=link))


def target_of_line(line: CaptionLine) -> TargetLine:
    """A line of a translation, for a flow that needs it as context."""
    sources = line.link.sources if line.link is not None else ()
    return TargetLine(
        source_ids=tuple(source.id for source in sources),
        source_texts=tuple(source.text for source in sources),
        start_ms=line.start_ms,
        end_ms=line.end_ms,
        text=line.text,
        log_probability=line.link.log_probability if line.link is not None else None,
    )


def source_line_of(line: CaptionLine, names: Mapping[str, str]) -> SourceLine:
    """A line for a flow that translates it. `names` has what the speakers are called, by label."""
    speaker = None if line.speaker is None else names.get(line.speaker)
    span = {"start_ms": line.start_ms, "end_ms": line.end_ms}
    return SourceLine(id=line.id, **span, text=line.text, speaker=speaker, lane=line.lane)
