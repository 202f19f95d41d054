"""Makes the blocks of a text from what a model wrote and from the claims it wrote it from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipelines.ai_text.claims import Tongues
from pipelines.ai_text.headings import headings
from pipelines.ai_text.support import Fault, fault
from pipelines.messages.minutes import BlockKind, Claim, Sentence, TextBlock, TextLine
from serve.tasks.text.messages import ClaimKind, PartKind, WrittenPart


@dataclass(slots=True)
class Written:
    """The blocks of one portion. `uncited` counts sentences that named no claim and were left out."""

    blocks: list[TextBlock] = field(default_factory=list)
    title: str = ""
    uncited: int = 0


def written_blocks(
    parts: Sequence[WrittenPart], claims: Sequence[Claim], lines: dict[str, TextLine], tongues: Tongues
) -> Written:
    """Each sentence with the lines of its claims, checked against those lines."""
    written = Written()
    paragraph: tuple[int, list[Sentence]] | None = None

    def finish() -> None:
        nonlocal paragraph
        if paragraph is not None:
            written.blocks.append(TextBlock(kind=BlockKind.PARAGRAPH, sentences=tuple(paragraph[1])))
            paragraph = None

    for part in parts:
        ids = cited_lines(part.claims, claims)
        if part.kind in (PartKind.TITLE, PartKind.HEADING):
            finish()
            if not part.text or not _is_harmless(part.text, ids, claims, lines, tongues):
                continue
            if part.kind is PartKind.TITLE:
                written.title = written.title or part.text
            else:
                written.blocks.append(_block(BlockKind.HEADING, Sentence(text=part.text)))
            continue
        if not ids:
            written.uncited += 1
            continue
        sentence = checked(part.text, ids, lines, tongues)
        if part.kind is PartKind.BULLET:
            finish()
            written.blocks.append(_block(BlockKind.BULLET, sentence))
        elif paragraph is not None and paragraph[0] == part.paragraph:
            paragraph[1].append(sentence)
        else:
            finish()
            paragraph = (part.paragraph, [sentence])
    finish()
    written.blocks = _without_empty_headings(written.blocks)
    return written


def cited_lines(numbers: Sequence[int], claims: Sequence[Claim]) -> tuple[str, ...]:
    """Ids of the lines behind these claims, numbered from 1; numbers out of range name nothing."""
    cited = (claims[number - 1] for number in numbers if 1 <= number <= len(claims))
    return tuple(dict.fromkeys(line for claim in cited for line in claim.line_ids))


def checked(text: str, ids: Sequence[str], lines: dict[str, TextLine], tongues: Tongues) -> Sentence:
    cited = [lines[each] for each in ids]
    found = fault(text, cited, language=tongues.text, source=tongues.source)
    return Sentence(text=text, line_ids=tuple(ids), unsupported=found is not None)


def minutes_blocks(points: Sequence[TextBlock], claims: Sequence[Claim], language: str) -> list[TextBlock]:
    """Key points, then decisions and action items exactly as they were noted, each below its heading."""
    decisions = [_item(BlockKind.DECISION, claim) for claim in claims if claim.kind is ClaimKind.DECISION]
    actions = [_item(BlockKind.ACTION, claim) for claim in claims if claim.kind is ClaimKind.ACTION]
    names = headings(language)
    blocks: list[TextBlock] = []
    groups = (
        (names.points if names else "", list(points)),
        (names.decisions if names else "", decisions),
        (names.actions if names else "", actions),
    )
    for name, group in groups:
        if group and name:
            blocks.append(_block(BlockKind.HEADING, Sentence(text=name)))
        blocks += group
    return blocks


def _item(kind: BlockKind, claim: Claim) -> TextBlock:
    sentence = Sentence(text=claim.text, line_ids=claim.line_ids, unsupported=claim.unsupported)
    return TextBlock(kind=kind, sentences=(sentence,), owner=claim.owner, due=claim.due)


def _block(kind: BlockKind, sentence: Sentence) -> TextBlock:
    return TextBlock(kind=kind, sentences=(sentence,))


def _is_harmless(
    text: str, ids: Sequence[str], claims: Sequence[Claim], lines: dict[str, TextLine], tongues: Tongues
) -> bool:
    """Whether a heading states no number, date or name that its lines, or else all lines, do not hold."""
    among = list(ids) or list(dict.fromkeys(line for claim in claims for line in claim.line_ids))
    found = fault(text, [lines[each] for each in among], language=tongues.text, source=tongues.source)
    # Headings capitalise words that are no names, and their words are often new.
    return found not in (Fault.NUMBER, Fault.AMOUNT, Fault.DATE)


def _without_empty_headings(blocks: Sequence[TextBlock]) -> list[TextBlock]:
    followed = [*blocks[1:], None]
    return [
        block
        for block, after in zip(blocks, followed, strict=True)
        if block.kind is not BlockKind.HEADING or (after is not None and after.kind is not BlockKind.HEADING)
    ]
