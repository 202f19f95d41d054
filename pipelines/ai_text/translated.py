"""Blocks of selected sentences in another language."""

from __future__ import annotations

from collections.abc import Mapping

from pipelines.ai_text.claims import Tongues
from pipelines.ai_text.headings import headings
from pipelines.ai_text.support import fault
from pipelines.messages.minutes import BlockKind, Sentence, TextBlock, TextLine


def translated(
    block: TextBlock, translations: Mapping[str, str], lines: Mapping[str, TextLine], tongues: Tongues
) -> TextBlock:
    """The block with its sentences translated and checked again: a translation may change a number."""
    return block.model_copy(
        update={
            "sentences": tuple(_translated(each, block.kind, translations, lines, tongues) for each in block.sentences)
        }
    )


def _translated(
    sentence: Sentence,
    kind: BlockKind,
    translations: Mapping[str, str],
    lines: Mapping[str, TextLine],
    tongues: Tongues,
) -> Sentence:
    if kind is BlockKind.HEADING and (named := _heading(sentence.text, tongues)) is not None:
        return Sentence(text=named)
    text = translations[sentence.text]
    cited = [lines[each] for each in sentence.line_ids]
    is_wrong = bool(cited) and fault(text, cited, language=tongues.text, source=tongues.source) is not None
    return Sentence(text=text, line_ids=sentence.line_ids, unsupported=sentence.unsupported or is_wrong)


def _heading(text: str, tongues: Tongues) -> str | None:
    """Our own headings exist in both languages."""
    source, target = headings(tongues.source), headings(tongues.text)
    if source is None or target is None:
        return None
    for name in ("points", "decisions", "actions"):
        if getattr(source, name) == text:
            found: str = getattr(target, name)
            return found
    return None
