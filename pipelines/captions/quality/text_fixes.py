"""Proposals that change the text of a line: rows, spaces, tags, dashes and labels. No word is lost."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pipelines.captions.quality.findings import Circumstances, Finding, Fix, Rule, Value
from pipelines.captions.quality.text_rules import BEFORE_STOP, DOUBLED, SIMPLE_TAG, unclosed
from pipelines.captions.texts.break_points import wrap_text
from pipelines.captions.texts.marks import DASH, SpeakerLabel, dash_of, label_of
from pipelines.captions.texts.text import clean_text, visible_length
from pipelines.messages.lines import CaptionLine

_SPACE_BEFORE_STOP = re.compile(BEFORE_STOP.pattern.replace(" [", " ([", 1).replace("]", "])", 1))


def text_fix(finding: Finding, line: CaptionLine, about: Circumstances) -> Fix | None:
    """The proposal for a finding on a text, before it is checked."""
    match finding.rule:
        case Rule.ROW_TOO_LONG | Rule.TOO_MANY_ROWS | Rule.ROW_BREAK | Rule.FORBIDDEN_BREAK:
            return _proposal(line, _wrapped(line, about), "wrapped", {"limit": about.profile.max_row})
        case Rule.SPACES:
            return _proposal(line, _spaced(line.text), "spaces")
        case Rule.TAG:
            return _proposal(line, _untagged(line.text), "untagged", finding.values)
        case Rule.DASH:
            return _proposal(line, _dashed(line.text, about), "dash", finding.values)
        case Rule.LABEL:
            return _proposal(line, _labelled(line.text, about), "label")
    return None


def _proposal(
    line: CaptionLine, text: str | None, reason: str, values: Mapping[str, Value] | None = None
) -> Fix | None:
    if text is None or text == line.text or not text:
        return None
    return Fix(line.id, reason, text=clean_text(text), values=values or {})


def _wrapped(line: CaptionLine, about: Circumstances) -> str | None:
    profile = about.profile
    if visible_length(line.text) > profile.max_row * profile.max_rows or any(
        dash_of(row) for row in line.text.split("\n")
    ):
        return None
    rows = wrap_text(line.text, profile.max_row, profile.max_rows, about.code)
    return None if rows is None else "\n".join(rows)


def _spaced(text: str) -> str:
    collapsed = DOUBLED.sub(" ", text)
    return "\n".join(_SPACE_BEFORE_STOP.sub(r"\1", row.strip(" \t")) for row in collapsed.split("\n"))


def _untagged(text: str) -> str:
    for _ in range(8):
        open_tag = unclosed(text)
        if open_tag is None or open_tag.startswith("{"):
            break
        name = open_tag.strip("</>")
        text = _without_tag(text, name)
    return text


def _without_tag(text: str, name: str) -> str:
    return SIMPLE_TAG.sub(lambda found: "" if found[2].lower() == name else found[0], text)


def _dashed(text: str, about: Circumstances) -> str:
    rows = text.split("\n")
    first = next((dash for row in rows if (dash := dash_of(row)) is not None), "- ")
    mark = first if about.profile.dash is None else about.profile.dash.mark
    return "\n".join(DASH.sub(mark, row) for row in rows)


def _labelled(text: str, about: Circumstances) -> str:
    rows = []
    for row in text.split("\n"):
        label = label_of(row)
        if label is None or label.style == about.profile.label:
            rows.append(row)
        elif about.profile.label is SpeakerLabel.BRACKETS:
            rows.append(f"[{label.name}]{row[len(label.shown) :]}")
        elif label.name == label.name.upper() and label_of(f"{label.name}: x") is not None:
            rows.append(f"{label.name}:{row[len(label.shown) :]}")
        else:
            rows.append(row)
    return "\n".join(rows)
