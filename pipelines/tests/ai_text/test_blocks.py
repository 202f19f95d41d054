"""Claims and blocks: numbers become ids, what cites nothing is left out, repeats go."""

from __future__ import annotations

from pipelines.ai_text.blocks import minutes_blocks, written_blocks
from pipelines.ai_text.claims import Tongues, distinct, grounded
from pipelines.ai_text.coverage import Coverage, coverage
from pipelines.ai_text.sections import portions
from pipelines.messages.minutes import BlockKind, Claim, Sentence, TextBlock, TextLine, TextType
from serve.tasks.text import messages as text_messages
from serve.tasks.text.messages import ClaimKind, PartKind, WrittenPart

ENGLISH = Tongues("en", "en")
TEXTS = ["The ferry costs 12 million.", "Maria will call the yard.", "We agreed to wait.", "The pier is short."]
LINES = [
    TextLine(id=f"l{at}", start_ms=at * 60_000, end_ms=at * 60_000 + 5000, text=text, speaker="Anna")
    for at, text in enumerate(TEXTS)
]
BY_ID = {line.id: line for line in LINES}


def claim(number: int, **fields: object) -> Claim:
    return Claim.model_validate({"text": TEXTS[number], "line_ids": (f"l{number}",), **fields})


def test_line_numbers_are_checked_and_become_ids() -> None:
    noted = [
        text_messages.Claim("The ferry costs 12 million.", (1, 1, 99, 0, -3)),
        text_messages.Claim("Invented.", (7,)),
        text_messages.Claim("  ", (1,)),
    ]
    claims, without = grounded(noted, LINES, ENGLISH)
    assert [(each.text, each.line_ids) for each in claims] == [("The ferry costs 12 million.", ("l0",))]
    assert without == 2


def test_owner_and_date_stay_only_where_they_were_said() -> None:
    action = ClaimKind.ACTION
    noted = [
        text_messages.Claim("Maria will call the yard.", (2,), action, owner="Maria", due="tomorrow"),
        text_messages.Claim("Maria will call the yard.", (2,), action, owner="Peter", due=None),
        text_messages.Claim("The pier is short.", (4,), owner="Anna"),
    ]
    claims, _ = grounded(noted, LINES, ENGLISH)
    assert [(each.owner, each.due) for each in claims] == [("Maria", None), (None, None), (None, None)]


def test_claims_of_the_overlap_are_not_repeated() -> None:
    again = claim(0, text="The ferry costs 12 million dollars.")
    elsewhere = claim(3, text="The ferry costs 12 million.")
    assert distinct([claim(0), claim(1), again, elsewhere]) == [claim(0), claim(1), elsewhere]


def test_written_parts_become_blocks_with_the_lines_behind_them() -> None:
    parts = [
        WrittenPart(PartKind.TITLE, "Ferry"),
        WrittenPart(PartKind.HEADING, "Empty"),
        WrittenPart(PartKind.HEADING, "Money"),
        WrittenPart(PartKind.TEXT, "The ferry costs 12 million.", (1,), 1),
        WrittenPart(PartKind.TEXT, "Everybody is happy.", (), 1),
        WrittenPart(PartKind.TEXT, "It costs 13 million.", (1, 44), 1),
        WrittenPart(PartKind.TEXT, "The pier is short.", (2,), 2),
        WrittenPart(PartKind.HEADING, "Ferry for 99 million"),
        WrittenPart(PartKind.BULLET, "The pier is short.", (2,)),
    ]
    written = written_blocks(parts, [claim(0), claim(3)], BY_ID, ENGLISH)
    assert (written.title, written.uncited) == ("Ferry", 1)
    kinds = [BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.PARAGRAPH, BlockKind.BULLET]
    assert [block.kind for block in written.blocks] == kinds
    first, second = written.blocks[1].sentences
    assert first == Sentence(text="The ferry costs 12 million.", line_ids=("l0",))
    assert (second.line_ids, second.unsupported) == (("l0",), True)


def test_minutes_list_decisions_and_actions_below_headings_of_their_language() -> None:
    point = TextBlock(kind=BlockKind.BULLET, sentences=(Sentence(text="x", line_ids=("l0",)),))
    claims = [
        claim(1, kind=ClaimKind.ACTION, owner="Maria"),
        claim(2, kind=ClaimKind.DECISION),
        claim(0),
    ]
    blocks = minutes_blocks([point], claims, "is")
    assert [block.sentences[0].text for block in blocks] == [
        "Helstu atriði",
        "x",
        "Ákvarðanir",
        TEXTS[2],
        "Aðgerðir",
        TEXTS[1],
    ]
    assert blocks[-1].owner == "Maria"
    without_headings = minutes_blocks([point], claims, "sw")
    assert [block.kind for block in without_headings] == [BlockKind.BULLET, BlockKind.DECISION, BlockKind.ACTION]


def test_coverage_counts_the_speech_of_cited_minutes() -> None:
    assert coverage(LINES, {"l0", "l3"}) == Coverage(10_000, 20_000)
    assert coverage(LINES, set()) == Coverage(0, 20_000)


def test_portions_hold_all_claims_in_order_and_fit() -> None:
    claims = [claim(0, text=f"Claim number {number} about the ferry.") for number in range(250)]
    found = portions(claims, TextType.LONG, 1200)
    assert [each for portion in found for each in portion] == claims
    assert max(map(len, found)) <= 30
    assert portions(claims, TextType.LONG, None) == [claims]
    assert portions([], TextType.LONG, None) == []
    assert portions(claims[:2], TextType.SHORT, 1) == [[claims[0]], [claims[1]]]
