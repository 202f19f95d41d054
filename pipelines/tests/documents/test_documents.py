"""Documents are written as Markdown, Word and plain text, and what Markdown says is read back unchanged."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import docx
import pytest
from docx.oxml.ns import qn
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pipelines.captions.timestamps import clock
from pipelines.documents.document import Document, DocumentBlock, DocumentSentence
from pipelines.documents.docx import format_docx
from pipelines.documents.labels import LABELS
from pipelines.documents.markdown import format_markdown
from pipelines.documents.markdown_reader import ReadBlock, read_markdown
from pipelines.documents.plain import format_plain_document
from pipelines.messages.minutes import BlockKind

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)
SIGNS = "ab1 .,:;-+#>*_`~[]()<>&\\=|!\"'"
TEXTS = st.text(alphabet=SIGNS, min_size=1, max_size=30).map(lambda text: " ".join(text.split())).filter(bool)
PLAIN_KINDS = (BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.BULLET)


def document(*blocks: DocumentBlock, language: str = "en-US", title: str = "") -> Document:
    return Document(title, language, blocks)


def block(kind: BlockKind, *texts: str, owner: str | None = None, due: str | None = None) -> DocumentBlock:
    return DocumentBlock(kind, tuple(DocumentSentence(text) for text in texts), owner, due)


@given(st.lists(st.tuples(st.sampled_from(PLAIN_KINDS), TEXTS), min_size=1, max_size=5), TEXTS)
def test_any_text_is_read_back_from_its_markdown(blocks: list[tuple[BlockKind, str]], title: str) -> None:
    written = document(*(block(kind, f"x {text} x") for kind, text in blocks), title=f"x {title}")
    read = read_markdown(format_markdown(written, with_times=False))
    assert read.title == f"x {title}"
    assert [(each.kind, each.text) for each in read.blocks] == [(kind, f"x {text} x") for kind, text in blocks]


def test_signs_at_the_end_of_a_heading_stay_text() -> None:
    written = document(block(BlockKind.HEADING, "Room ##"), title="C #")
    read = read_markdown(format_markdown(written, with_times=False))
    assert (read.title, read.blocks) == ("C #", (ReadBlock(BlockKind.HEADING, "Room ##"),))


@pytest.mark.parametrize(
    "text", ["# one", "- two", "1. three", "2) four", "> five", "---", "===", "~~~", "+ six", "* seven", "&amp; eight"]
)
def test_signs_at_the_start_of_a_paragraph_stay_text(text: str) -> None:
    read = read_markdown(format_markdown(document(block(BlockKind.PARAGRAPH, text)), with_times=False))
    assert read.blocks == (ReadBlock(BlockKind.PARAGRAPH, text),)


@pytest.mark.parametrize("language", [*LABELS, "ja"])
def test_decisions_and_actions_are_read_back_in_every_language(language: str) -> None:
    blocks = (
        block(BlockKind.DECISION, "We close."),
        block(BlockKind.ACTION, "Call (again).", owner="Anna", due="1. May"),
        block(BlockKind.ACTION, "Wait.", due="May"),
        block(BlockKind.ACTION, "Ask (soon)"),
        block(BlockKind.BULLET, "A point (Anna)."),
    )
    read = read_markdown(format_markdown(document(*blocks, language=language), with_times=False))
    assert read.blocks == (
        ReadBlock(BlockKind.DECISION, "We close."),
        ReadBlock(BlockKind.ACTION, "Call (again).", "Anna", "1. May"),
        ReadBlock(BlockKind.ACTION, "Wait.", None, "May"),
        ReadBlock(BlockKind.ACTION, "Ask (soon)"),
        ReadBlock(BlockKind.BULLET, "A point (Anna)."),
    )


def test_other_markdown_leaves_its_text() -> None:
    read = read_markdown(
        "Title\n=====\n\nOne **bold** and [link](http://x)\nsecond row.\n\n> Quote\n\n"
        "1. First\n   - nested\n2. [x] Done\n\n```\ncode here\n```\n\n### Small\n"
    )
    assert read.title == "Title"
    assert [(each.kind, each.text) for each in read.blocks] == [
        (BlockKind.PARAGRAPH, "One bold and link second row."),
        (BlockKind.PARAGRAPH, "Quote"),
        (BlockKind.BULLET, "First"),
        (BlockKind.BULLET, "nested"),
        (BlockKind.ACTION, "Done"),
        (BlockKind.PARAGRAPH, "code here"),
        (BlockKind.HEADING, "Small"),
    ]
    assert read_markdown("Text\n\n# Late heading").title is None
    assert read_markdown("").blocks == ()


def test_times_and_doubts_stand_behind_their_sentence() -> None:
    sentences = (
        DocumentSentence("One [sic].", (3_000, 3_400, 3_724_000)),
        DocumentSentence("Two.", (), unsupported=True),
    )
    written = Document("T", "de-DE", (DocumentBlock(BlockKind.PARAGRAPH, sentences),), ("Made by *x*.",))
    expected = "One [sic]. [0:03] [1:02:04] Two. (in der Aufnahme nicht gefunden)"
    html = MarkdownIt().render(format_markdown(written, with_times=True))
    assert html.replace("<em>", "").replace("</em>", "").count(expected) == 1
    assert "<em>Made by *x*.</em>" in html
    assert expected in format_plain_document(written)
    word = docx.Document(io.BytesIO(format_docx(written, created_at=NOON)))
    assert [paragraph.text for paragraph in word.paragraphs] == ["T", expected, "Made by *x*."]


def test_languages_without_spaces_get_none_between_sentences() -> None:
    written = document(block(BlockKind.PARAGRAPH, "港は閉鎖。", "明日再開。"), language="ja")
    assert format_markdown(written, with_times=False) == "港は閉鎖。明日再開。\n"


def test_word_gets_the_language_and_the_direction_of_the_text() -> None:
    def runs(language: str) -> list[str]:
        written = format_docx(document(block(BlockKind.PARAGRAPH, "x"), language=language), created_at=NOON)
        paragraph = docx.Document(io.BytesIO(written)).paragraphs[0]
        marks = paragraph._p.xpath(".//w:lang") + paragraph._p.xpath(".//w:bidi") + paragraph._p.xpath(".//w:rtl")
        return [mark.get(qn("w:val")) or mark.get(qn("w:bidi")) or mark.tag.rpartition("}")[2] for mark in marks]

    assert runs("is-IS") == ["is-IS"]
    assert runs("ar") == ["ar", "bidi", "rtl"]


def test_times_are_as_short_as_they_can_be() -> None:
    assert [clock(ms) for ms in (0, 59_999, 60_000, 3_599_000, 3_600_000)] == [
        "0:00",
        "0:59",
        "1:00",
        "59:59",
        "1:00:00",
    ]
