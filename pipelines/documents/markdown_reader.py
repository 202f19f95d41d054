"""Markdown that a person typed as blocks of plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipelines.documents.labels import LABELS
from pipelines.messages.minutes import BlockKind

if TYPE_CHECKING:
    from markdown_it.token import Token

TITLE_TAG = "h1"

_TASK = re.compile(r"^\[[ xX]?\]\s+")
_DECISION = re.compile(rf"^(?:{'|'.join(sorted({each.decision for each in LABELS.values()}))}):\s*", re.IGNORECASE)
_OWNER = "|".join(sorted({each.owner for each in LABELS.values()}))
_DUE = "|".join(sorted({each.due for each in LABELS.values()}))
_FACTS = re.compile(
    rf"\s*\((?=\S)(?:(?:{_OWNER}):\s*(?P<owner>[^;]*?))?\s*;?\s*(?:(?:{_DUE}):\s*(?P<due>[^;]*?))?\s*\)$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ReadBlock:
    """A block whose text is one row of plain characters. `owner` and `due` stand behind the text of an action."""

    kind: BlockKind
    text: str
    owner: str | None = None
    due: str | None = None


@dataclass(frozen=True, slots=True)
class ReadDocument:
    title: str | None
    blocks: tuple[ReadBlock, ...]


def read_markdown(markdown: str) -> ReadDocument:
    """The title (a heading of the first level at the start) and the blocks.

    Headings, paragraphs and list items stay what they are; a quote, code or HTML becomes a paragraph. Emphasis and
    links leave their text. An empty block is left out.
    """
    # Its 62 modules are a fortieth of a web process's start, and few people paste Markdown.
    from markdown_it import MarkdownIt

    levels, blocks = [], []
    for level, block in _blocks(MarkdownIt("commonmark").parse(markdown)):
        if block.text:
            levels.append(level)
            blocks.append(block)
    if levels and levels[0] == TITLE_TAG:
        return ReadDocument(blocks[0].text, tuple(blocks[1:]))
    return ReadDocument(None, tuple(blocks))


def _blocks(tokens: Sequence[Token]) -> Iterator[tuple[str, ReadBlock]]:
    """Each block with the tag of its heading, which is empty for all others."""
    lists = 0
    tag = ""
    for token in tokens:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            lists += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists -= 1
        elif token.type == "heading_open":
            tag = token.tag
        elif token.type == "heading_close":
            tag = ""
        elif token.type == "inline":
            text = " ".join(_plain(token.children or ()).split())
            if tag:
                yield tag, ReadBlock(BlockKind.HEADING, text)
            else:
                yield "", _item(text) if lists else ReadBlock(BlockKind.PARAGRAPH, text)
        elif token.type in ("fence", "code_block", "html_block"):
            yield "", ReadBlock(BlockKind.PARAGRAPH, " ".join(token.content.split()))


def _item(text: str) -> ReadBlock:
    if found := _TASK.match(text):
        return _action(text[found.end() :])
    if found := _DECISION.match(text):
        return ReadBlock(BlockKind.DECISION, text[found.end() :])
    return ReadBlock(BlockKind.BULLET, text)


def _action(text: str) -> ReadBlock:
    found = _FACTS.search(text)
    if found is None or not (found["owner"] or found["due"]):
        return ReadBlock(BlockKind.ACTION, text)
    return ReadBlock(BlockKind.ACTION, text[: found.start()], found["owner"] or None, found["due"] or None)


def _plain(tokens: Sequence[Token]) -> str:
    parts = []
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif token.children:
            parts.append(_plain(token.children))
        else:
            parts.append(token.content)
    return "".join(parts)
