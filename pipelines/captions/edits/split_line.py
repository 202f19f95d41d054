"""Split a line in two at the caret."""

from __future__ import annotations

from dataclasses import replace

from pipelines.captions.edits.links import divided
from pipelines.captions.spoken_by import part_of
from pipelines.captions.texts.text import word_spans
from pipelines.messages.caption_rules import CaptionRules
from pipelines.messages.lines import CaptionLine, CaptionWord, Origin


def split_line(line: CaptionLine, at: int, new_id: str, rules: CaptionRules) -> tuple[CaptionLine, CaptionLine]:
    """The parts of a line before and after the caret. Both must hold text, and the line must last at least 2 ms.

    The second part begins with its first word. The first part ends with its last word, or the profile's gap before
    the second part where the words leave less than that, if it is long enough to give it up.
    """
    head, tail = _words_beside(line, at)
    inside = range(line.start_ms + 1, line.end_ms)
    if tail[0].start_ms in inside:
        meet = tail[0].start_ms
        spoken_until = max(word.end_ms for word in head)
    else:
        # A person moved the line off its sound. Only the position in the text shows where the halves meet.
        meet = line.start_ms + line.duration_ms * at // len(line.text)
        meet = min(max(meet, inside.start), inside.stop - 1)
        spoken_until = meet
    end = min(spoken_until, meet)
    if meet - end < rules.gap_ms < (meet - line.start_ms) // 2:
        end = meet - rules.gap_ms
    end = max(end, line.start_ms + 1)
    head_link, tail_link = divided(line.link, at / len(line.text))
    left = replace(part_of(line, head), end_ms=end, text=line.text[:at].strip(), link=head_link)
    right = replace(part_of(line, tail), id=new_id, start_ms=meet, text=line.text[at:].strip(), link=tail_link)
    return left, right


def _words_beside(line: CaptionLine, at: int) -> tuple[list[CaptionWord], list[CaptionWord]]:
    head: list[CaptionWord] = []
    tail: list[CaptionWord] = []
    spans = word_spans(line.text, [word.text for word in line.words])
    for word, (start, stop) in zip(line.words, spans, strict=True):
        if stop <= at:
            head.append(word)
        elif start >= at:
            tail.append(word)
        else:
            first, second = _split_word(word, line.text[start:at], line.text[at:stop])
            head.append(first)
            tail.append(second)
    return head, tail


def _split_word(word: CaptionWord, first: str, second: str) -> tuple[CaptionWord, CaptionWord]:
    meet = word.start_ms + (word.end_ms - word.start_ms) * len(first) // (len(first) + len(second))
    return (
        replace(word, end_ms=meet, text=first.strip(), origin=Origin.HUMAN, confidence=None),
        replace(word, start_ms=meet, text=second.strip(), origin=Origin.HUMAN, confidence=None),
    )
