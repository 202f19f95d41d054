"""What a version of a text holds: its blocks, and the lines they cite as they were when the text was written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from api.content.ai_texts.coverage import speech_by_minute
from api.platform.http.text import clean_line
from cluster.stored_sentences import SentenceText
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.minutes import BlockKind, MinutesResult, Sentence, TextBlock, TextLine


class CitedLine(JsonMessage):
    """A line of the captions as the writer read it. `speaker` is a name."""

    id: str
    start_ms: int
    end_ms: int
    text: str
    speaker: str | None = None


class WrittenSentence(Sentence):
    """`by_person`: typed by a person, so nothing in the captions needs to support it."""

    by_person: bool = False


class Block(JsonMessage):
    """A `TextBlock` whose sentences may be a person's."""

    kind: BlockKind
    sentences: tuple[WrittenSentence, ...]
    owner: str | None = None
    due: str | None = None


class Content(JsonMessage):
    """A text. `lines` are those it was written from that a sentence cites; `speech_ms` is the speech in each minute.

    `notes` are sentences of the writer about the text.
    """

    title: str
    blocks: tuple[Block, ...]
    lines: tuple[CitedLine, ...] = ()
    speech_ms: tuple[int, ...] = ()
    notes: tuple[SentenceText, ...] = ()

    def cited_ids(self) -> set[str]:
        return {line_id for block in self.blocks for sentence in block.sentences for line_id in sentence.line_ids}


def written_content(result: MinutesResult, lines: Sequence[TextLine]) -> Content:
    """The result of a job, made from these lines. Ids of other lines are dropped."""
    known = {line.id for line in lines}
    blocks = tuple(block for each in result.blocks if (block := block_of(each, known)).sentences)
    content = Content(
        title=clean_line(result.title),
        blocks=blocks,
        speech_ms=speech_by_minute((line.start_ms, line.end_ms) for line in lines),
        # The page shows in its own words what every text of the engine has in common.
        notes=tuple(note for note in result.notes if note != result.engine.note),
    )
    cited = content.cited_ids()
    kept = (
        CitedLine(id=line.id, start_ms=line.start_ms, end_ms=line.end_ms, text=line.text, speaker=line.speaker)
        for line in lines
        if line.id in cited
    )
    return content.model_copy(update={"lines": tuple(kept)})


def block_of(block: TextBlock, known: Iterable[str]) -> Block:
    """A block of an engine as we keep it: without characters that cannot be stored or shown, or empty sentences."""
    ids = set(known)
    sentences = (
        WrittenSentence(
            text=clean_line(sentence.text),
            line_ids=tuple(dict.fromkeys(line_id for line_id in sentence.line_ids if line_id in ids)),
            unsupported=sentence.unsupported,
        )
        for sentence in block.sentences
    )
    return Block(
        kind=block.kind,
        sentences=tuple(sentence for sentence in sentences if sentence.text),
        owner=clean_line(block.owner or "") or None,
        due=clean_line(block.due or "") or None,
    )
