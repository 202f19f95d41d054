"""Lines of a track to translate."""

from __future__ import annotations

from pipelines.messages.translate import SourceLine


def source_lines(*texts: str, ms: int = 2_500, gap_ms: int = 100) -> tuple[SourceLine, ...]:
    """A line for each text, one after the other, named `a`, `b`, ... A text `Anna| Hello.` names its speaker."""
    lines = []
    for index, text in enumerate(texts):
        speaker, bar, said = text.partition("| ")
        start = index * (ms + gap_ms)
        name = chr(ord("a") + index) if index < 26 else f"n{index}"
        lines.append(
            SourceLine(
                id=name, start_ms=start, end_ms=start + ms, text=said if bar else text, speaker=speaker if bar else None
            )
        )
    return tuple(lines)
