"""The text of a WebVTT cue: its tags, voices and references."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines.captions.reading.markup import override_tags, unescape, unguarded
from pipelines.captions.texts.styled_text import STYLE_OF_TAG, Run
from pipelines.messages.lines import NO_STYLES, LinePlace, WordStyle

_TAG = re.compile(
    r"<(/?)([cibuvs]|em|strong|font|span|ruby|rt|lang)((?:[.\s][^<>]*)?)/?>|<\d[\d:.]*>", re.ASCII | re.IGNORECASE
)
_VOICE = re.compile(r"(?:\.[^\s<>]*)?(?:[ \t]([^<>]*))?")


@dataclass(frozen=True, slots=True)
class CueText:
    """The text of a cue as runs. `has_more`: it had formatting that lines cannot hold, such as colours."""

    runs: list[Run]
    place: LinePlace | None
    has_more: bool


def read_cue_text(body: str) -> CueText:
    """The runs of a cue, a speaker's name for each voice, which begins a row of its own."""
    text, place, has_more = override_tags(body)
    runs: list[Run] = []
    open_tags = dict.fromkeys(WordStyle, 0)
    speaker: str | None = None
    has_ink = False
    end = 0

    def append(part: str) -> None:
        nonlocal has_ink
        if part:
            styles = frozenset(style for style, count in open_tags.items() if count) or NO_STYLES
            runs.append(Run(unguarded(unescape(part)), styles, speaker))
            has_ink = has_ink or not part.isspace()

    for tag in _TAG.finditer(text):
        append(text[end : tag.start()])
        end = tag.end()
        name = (tag[2] or "").lower()
        style = STYLE_OF_TAG.get(name)
        if style is not None:
            open_tags[style] = max(0, open_tags[style] - 1) if tag[1] else open_tags[style] + 1
        elif name == "v":
            found = None if tag[1] else _VOICE.fullmatch(tag[3])
            speaker = unescape(found[1]) if found is not None and found[1] else None
            if speaker and has_ink:
                runs.append(Run("\n"))
        elif not (name == "c" and not tag[3]):
            has_more = True
    append(text[end:])
    return CueText(runs, place, has_more)
