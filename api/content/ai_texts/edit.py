"""What a person's Markdown makes of a text: sentences they did not touch keep their citations."""

from __future__ import annotations

import re
from collections import defaultdict, deque

from api.content.ai_texts.content import Block, Content, WrittenSentence
from api.platform.http.text import clean_line
from pipelines.documents.markdown_reader import ReadBlock, read_markdown


def edited(content: Content, markdown: str) -> Content:
    """The content with the blocks and title of the Markdown. Lines that nothing cites any more are dropped."""
    document = read_markdown("\n".join(clean_line(row) if row.strip() else "" for row in _rows(markdown)))
    known = _KnownSentences(content)
    blocks = tuple(_block(block, known) for block in document.blocks)
    changed = content.model_copy(update={"title": document.title or "", "blocks": blocks})
    cited = changed.cited_ids()
    return changed.model_copy(update={"lines": tuple(line for line in content.lines if line.id in cited)})


def _rows(markdown: str) -> list[str]:
    return markdown.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _block(read: ReadBlock, known: _KnownSentences) -> Block:
    return Block(kind=read.kind, sentences=tuple(known.sentences(read.text)), owner=read.owner, due=read.due)


class _KnownSentences:
    """The sentences of a text, found again inside what a person typed."""

    def __init__(self, content: Content) -> None:
        self._of_text: dict[str, deque[WrittenSentence]] = defaultdict(deque)
        for block in content.blocks:
            for sentence in block.sentences:
                self._of_text[" ".join(sentence.text.split())].append(sentence)
        # The longest first: one sentence may begin with another.
        texts = sorted(self._of_text, key=len, reverse=True)
        self._any = re.compile("|".join(_whole(text) for text in texts)) if texts else None

    def sentences(self, text: str) -> list[WrittenSentence]:
        found: list[WrittenSentence] = []
        end = 0
        for match in self._any.finditer(text) if self._any is not None else ():
            found += _typed(text[end : match.start()])
            found.append(self._take(match[0]))
            end = match.end()
        return found + _typed(text[end:])

    def _take(self, text: str) -> WrittenSentence:
        """The next sentence of this text; the last one again when a person has copied it."""
        same = self._of_text[text]
        return same.popleft() if len(same) > 1 else same[0]


def _whole(text: str) -> str:
    before = r"(?<!\w)" if re.match(r"\w", text) else ""
    after = r"(?!\w)" if re.search(r"\w$", text) else ""
    return f"{before}{re.escape(text)}{after}"


def _typed(text: str) -> list[WrittenSentence]:
    return [WrittenSentence(text=text.strip(), by_person=True)] if text.strip() else []
