"""AI text about hours of speech: in sections, from every line, and resumed after an attempt that ended."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pipelines.flows.minutes.flow import write
from pipelines.messages.attempt import Attempt, Chunk, Progress, Result
from pipelines.messages.minutes import MinutesResult, SectionNotes, WrittenBlock
from pipelines.testing.texts import (
    HOUR_LINES,
    CountingWriter,
    NoTranslator,
    long_talk,
    minutes_request,
    texts,
    values,
    written,
)
from serve.chat.settings import Endpoint
from serve.tasks.text.in_process import InProcessWriter
from serve.tasks.text.messages import SectionItem
from serve.tasks.text.profile import TextProfile
from serve.testing.chat_endpoint import MODEL, ChatEndpoint, chat_endpoint
from serve.testing.chat_replies import every_line


@pytest.mark.long
def test_three_hours_are_written_from_every_section(remote: InProcessWriter, endpoint: ChatEndpoint) -> None:
    lines = long_talk(3 * HOUR_LINES)
    received = values(minutes_request("long", lines), remote)
    result = received[-1]
    assert isinstance(result, Result)
    assert isinstance(result.payload, MinutesResult)
    cited = {line for block in result.payload.blocks for each in block.sentences for line in each.line_ids}
    assert cited == {line.id for line in lines}
    assert result.payload.covered_ms == result.payload.total_ms
    assert max(len(json.dumps(body)) for body in endpoint.requests) / 2.5 < 16_000
    done = [value.done for value in received if isinstance(value, Progress) and value.phase == "reading"]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, len(lines))


def test_blocks_arrive_in_order_before_the_result(remote: InProcessWriter) -> None:
    received = values(minutes_request("blog", long_talk(200)), remote)
    blocks = [each.payload for each in received if isinstance(each, Chunk) and isinstance(each.payload, WrittenBlock)]
    assert [block.index for block in blocks] == list(range(len(blocks)))
    result = received[-1]
    assert isinstance(result, Result)
    assert isinstance(result.payload, MinutesResult)
    assert tuple(block.block for block in blocks) == result.payload.blocks


@pytest.mark.long
def test_a_short_text_of_three_hours_is_summed_up_in_rounds(tmp_path: Path) -> None:
    def shorter(body: dict[str, Any]) -> str:
        text = every_line(body)
        if "<statements>" not in body["messages"][-1]["content"]:
            return text
        return json.dumps({"records": json.loads(text)["records"][::10]})

    with chat_endpoint(shorter) as endpoint:
        where = Endpoint(endpoint.url, MODEL, None, 60, 16_000)
        with closing(InProcessWriter(TextProfile(engine="openai"), where, tmp_path)) as writer:
            result = written(minutes_request("short", long_talk(3 * HOUR_LINES)), writer)
    assert 0 < len(texts(result)) <= 10
    assert all(each.line_ids for block in result.blocks for each in block.sentences)


@pytest.mark.long
def test_a_later_attempt_skips_finished_sections(remote: InProcessWriter) -> None:
    lines = long_talk(HOUR_LINES)
    first = values(minutes_request("long", lines), remote)
    chunks = {
        each.key: each.payload.to_json()
        for each in first
        if isinstance(each, Chunk) and isinstance(each.payload, SectionNotes)
    }
    lost = dict(list(chunks.items())[:3])
    counting = CountingWriter(remote)
    again = values(minutes_request("long", lines), counting, chunks=lost)
    assert again[-1] == first[-1]
    assert sum(isinstance(item, SectionItem) for item in counting.items) == len(chunks) - 3
    assert not lost.keys() & {each.key for each in again if isinstance(each, Chunk)}


def test_cancel_stops_between_values(remote: InProcessWriter, endpoint: ChatEndpoint) -> None:
    flow = write(
        minutes_request("long", long_talk(3 * HOUR_LINES)),
        Attempt("job", 1, Path("unused"), "unused"),
        client=remote,
        translator=NoTranslator(),
    )
    next(value for value in flow if isinstance(value, Chunk))
    flow.close()
    assert not any("<statements>" in body["messages"][-1]["content"] for body in endpoint.requests)


def test_an_answer_that_is_cut_off_is_asked_for_in_halves(
    tiny_writer: InProcessWriter, selector: InProcessWriter
) -> None:
    """A model that reads 2,000 tokens gets sections that fit, and nothing of the transcript is left out."""
    lines = long_talk(100)
    with chat_endpoint(every_line) as endpoint:
        where = Endpoint(endpoint.url, MODEL, None, 60, 4_200)
        with closing(InProcessWriter(TextProfile(engine="openai"), where, Path("unused"))) as writer:
            result = written(minutes_request("long", lines), writer)
    cited = {line for block in result.blocks for each in block.sentences for line in each.line_ids}
    assert cited == {line.id for line in lines}
