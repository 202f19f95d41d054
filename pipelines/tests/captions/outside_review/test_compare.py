"""What came back from a reader outside, as proposals for the lines: from our own downloads, and as others save them."""

from __future__ import annotations

import io
import random
import zipfile

import docx
import pytest

from pipelines.captions.forms.form import CaptionFormat, Document
from pipelines.captions.forms.registry import write
from pipelines.captions.outside_review.compare import Comparison, Line, compare
from pipelines.captions.outside_review.process import compare_in_process
from pipelines.captions.outside_review.rows import EMPTY, NO_TABLE, NOT_WORD, Row, read_rows
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.messages.lines import CaptionLine

CAPTIONS = [
    CaptionLine("a", 1_000, 2_000, "The harbour is closed today."),
    CaptionLine("b", 3_000, 5_000, "Nobody knows\nwhen it opens."),
    CaptionLine("c", 9_000, 10_000, "=Ask at the lighthouse", speaker="S1"),
]
LINES = [Line(each.id, each.start_ms, each.text) for each in CAPTIONS]


def file(form: CaptionFormat) -> bytes:
    return write(form, Document(CAPTIONS, "en-US", title="Harbour"))


def found(raw: bytes) -> dict[str, str]:
    return {each.line: each.text for each in compare(LINES, read_rows(raw, "en-US")).proposals}


@pytest.mark.parametrize("form", [CaptionFormat.CSV, CaptionFormat.DOCX, CaptionFormat.TXT])
def test_a_file_that_nobody_changed_proposes_nothing(form: CaptionFormat) -> None:
    assert compare_in_process(file(form), LINES, "en-US") == Comparison([], [])


def test_a_table_that_another_program_saved_again() -> None:
    """Excel in Europe: semicolons, another encoding, its own ends of rows, times of the clock alone."""
    rows = [
        "Start;End;Text",
        "00:00:01;00:00:02;The harbour is closed today.",
        '00:00:03;00:00:05;"Nobody knows\nwhen it will open."',
        "00:00:09;00:00:10;Ask at the café",
    ]
    assert found("\r\n".join(rows).encode("cp1252")) == {
        "b": "Nobody knows\nwhen it will open.",
        "c": "Ask at the café",
    }
    tabs = "\n".join(row.replace(";", "\t") for row in rows).encode("utf-16")
    assert found(tabs) == {"b": "Nobody knows\nwhen it will open.", "c": "Ask at the café"}


def test_rows_may_be_moved_removed_emptied_and_added() -> None:
    rows = ["start_ms,text", "9000,Ask there", "1000,", "20000,A new one", "3200,Nobody knew\nwhen"]
    comparison = compare(LINES, read_rows("\n".join(rows[:4]).encode(), None))
    assert [(each.line, each.text) for each in comparison.proposals] == [("c", "Ask there")]
    assert comparison.unplaced == ["A new one"]
    # A time that was rounded still names its line.
    assert found(b'start_ms,text\n3200,"Nobody knew\nwhen"') == {"b": "Nobody knew\nwhen"}


def test_lines_that_start_at_once_keep_their_own_texts() -> None:
    lines = [Line("sign", 1_000, "EXIT"), Line("dialogue", 1_000, "Let us go."), Line("next", 1_400, "Now.")]
    assert compare(lines, [Row("EXIT", 1_000), Row("Let us go.", 1_000), Row("Now.", 1_400)]) == Comparison([], [])
    changed = compare(lines, [Row("EXIT", 1_000), Row("Let us stay.", 1_000), Row("Now.", 1_400)])
    assert [(each.line, each.text) for each in changed.proposals] == [("dialogue", "Let us stay.")]


def test_times_that_a_program_rounded_to_seconds() -> None:
    """The row of the first line has the time of the second one."""
    lines = [Line("a", 600, "First."), Line("b", 1_000, "Second."), Line("c", 1_400, "Third.")]
    rows = [Row("First.", 1_000), Row("The second.", 1_000), Row("Third.", 1_000)]
    assert [(each.line, each.text) for each in compare(lines, rows).proposals] == [("b", "The second.")]


def test_the_text_of_a_film_is_compared_within_the_limits_of_the_process() -> None:
    """Its words repeat: difflib took ten times as long as the process may."""
    chance = random.Random(1)
    words = [f"w{int(chance.paretovariate(0.8))}" for _ in range(16_000)]
    lines = [Line(str(at), at * 2_000, " ".join(words[at * 8 : at * 8 + 8])) for at in range(2_000)]
    words[chance.randrange(8, 16) + 800] = "other"
    comparison = compare_in_process(" ".join(words).encode(), lines, "en-US")
    assert [each.line for each in comparison.proposals] == ["101"]


def test_a_word_document_with_changes_tracked() -> None:
    document = docx.Document(io.BytesIO(file(CaptionFormat.DOCX)))
    cell = document.tables[0].rows[1].cells[-1]
    cell.paragraphs[0].runs[0].text = "The harbour is open"
    cell.add_paragraph("again.")
    saved = io.BytesIO()
    document.save(saved)
    assert found(saved.getvalue()) == {"a": "The harbour is open\nagain."}

    with zipfile.ZipFile(io.BytesIO(file(CaptionFormat.DOCX))) as packed:
        xml = packed.read("word/document.xml").decode()
    tracked = xml.replace(
        "today.</w:t></w:r>", 'now</w:t></w:r><w:del w:id="1"><w:r><w:delText>gone</w:delText></w:r></w:del>'
    )
    assert tracked != xml
    assert found(packed_word(tracked)) == {"a": "The harbour is closed now"}


def test_what_was_moved_with_changes_tracked_stands_once() -> None:
    with zipfile.ZipFile(io.BytesIO(file(CaptionFormat.DOCX))) as packed:
        xml = packed.read("word/document.xml").decode()
    moved = '<w:moveFrom w:id="1"><w:r><w:t>gone </w:t></w:r></w:moveFrom>'
    tracked = xml.replace("today.</w:t></w:r>", f"today.</w:t></w:r>{moved}")
    assert tracked != xml
    assert found(packed_word(tracked)) == {}


def packed_word(xml: str) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("word/document.xml", xml)
    return raw.getvalue()


def test_a_text_gives_each_line_its_words_and_its_rows() -> None:
    text = b"The old harbour is closed today.\n\nSadly, nobody knows when it opens. Ask at the lighthouse"
    assert found(text) == {
        "a": "The old harbour is closed today.",
        "b": "Sadly, nobody knows\nwhen it opens.",
        "c": "Ask at the lighthouse",
    }


@pytest.mark.parametrize("seed", range(20))
def test_no_word_of_a_text_is_lost(seed: int) -> None:
    chance = random.Random(seed)
    words = ["sea", "wind", "the", "a", "ship.", "rope", "and", "lighthouse?"]
    lines = [Line(str(at), at * 1000, " ".join(chance.choices(words, k=chance.randint(1, 8)))) for at in range(30)]
    text = " ".join(line.text for line in lines).split()
    for _ in range(chance.randint(1, 40)):
        at = chance.randrange(len(text))
        match chance.randrange(3):
            case 0:
                text.insert(at, chance.choice(["new", "word.", "here"]))
            case 1:
                text[at] = "other"
            case 2 if len(text) > 1:
                del text[at]
    proposals = {each.line: each.text for each in compare(lines, read_rows(" ".join(text).encode(), None)).proposals}
    whole = " ".join(proposals.get(line.id, line.text) for line in lines).split()
    # A line that lost all its words keeps them: nothing is emptied.
    rest = iter(whole)
    assert all(word in rest for word in text)


@pytest.mark.long
@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"", EMPTY),
        (b" \n \n", EMPTY),
        (b"PK\x03\x04 no archive", NOT_WORD),
        (packed_word("<w:document"), NOT_WORD),
        (packed_word("<w:document xmlns:w='x'/>"), NO_TABLE),
    ],
)
def test_what_cannot_be_compared_is_refused_with_a_sentence(raw: bytes, sentence: str) -> None:
    with pytest.raises(UnreadableSubtitles, match=str(sentence)[:30]):
        compare_in_process(raw, LINES, None)
