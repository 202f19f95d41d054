"""The items of a session: which words of its recording belong to which.

Where the server finds pauses, each utterance is an item; else an item ends where the program commits it. Utterances are
handed over in the order of their times: final words while they are spoken, and then the whole as it is read once more.
"""

from __future__ import annotations

import uuid
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from api.edges.speech.logprobs import logprobs_of
from api.edges.speech.realtime.schemas import (
    Committed,
    Completed,
    Delta,
    Failed,
    Item,
    ItemContent,
    ItemEvent,
    ServerEvent,
    SpeechStarted,
    SpeechStopped,
)
from api.edges.speech.schemas import Usage
from api.platform.http.openai_errors import OpenAiError
from pipelines.captions.texts.text import join_words
from pipelines.messages.live import LiveWords
from pipelines.messages.results import TranscribedWindow
from serve.tasks.transcription.messages import Segment


@dataclass(slots=True)
class _Item:
    begins_ms: int
    id: str = field(default_factory=lambda: f"item_{uuid.uuid4().hex}")
    shown: str = ""
    """What its deltas say."""
    shown_until_ms: int = 0
    """Where the last word of them ends."""
    segments: list[Segment] = field(default_factory=list)
    """What has been read once more."""
    until_ms: int | None = None
    """Where the program has committed it."""


class Items:
    def __init__(self, *, by_pauses: bool, with_logprobs: bool = False, from_ms: int = 0) -> None:
        """`from_ms`: what was said before is no part of this session."""
        self._by_pauses = by_pauses
        self._with_logprobs = with_logprobs
        self._open: deque[_Item] = deque()
        """The items that are not complete, in order."""
        self._previous: str | None = None
        self._from_ms = from_ms
        self._commits: deque[int] = deque()
        """Where the program has committed what may be silence; for items that end by pauses."""
        self._completed_until_ms = from_ms
        """Where the last item ends."""

    def words(self, group: LiveWords) -> Iterator[ServerEvent]:
        """Final words, as they come."""
        if group.begins_ms < (self._completed_until_ms if self._by_pauses else self._from_ms):
            # Of an utterance before this session.
            return
        item = self._at(group.begins_ms)
        if item is None:
            item = self._add(group.begins_ms)
            yield from self._begun(item)
        text = join_words([*([item.shown] if item.shown else []), *(word.text for word in group.words)])
        yield Delta(item_id=item.id, delta=text[len(item.shown) :])
        item.shown, item.shown_until_ms = text, group.words[-1].end_ms

    def passage(self, window: TranscribedWindow) -> Iterator[ServerEvent]:
        """An utterance as it was read once more, or a silence: everything before its end has been read."""
        if window.end_ms <= self._from_ms:
            return
        if self._by_pauses:
            yield from self._utterance(window)
        else:
            yield from self._part(window)

    def commit(self, until_ms: int) -> Iterator[ServerEvent]:
        """The program commits what was said until there."""
        if self._by_pauses:
            self._commits.append(until_ms)
            return
        item = self._at(until_ms) or self._add(self._completed_until_ms)
        item.until_ms = self._completed_until_ms = until_ms
        yield from self._committed(item)

    def finish(self) -> Iterator[ServerEvent]:
        """Nothing more is read."""
        while self._open:
            item = self._open.popleft()
            if item.until_ms is None:
                yield from self._ended(item, item.begins_ms)
            yield from self._complete(item, item.begins_ms, unread=item.shown)

    def fail(self, error: OpenAiError) -> Iterator[ServerEvent]:
        while self._open:
            yield Failed(item_id=self._open.popleft().id, error=error)

    def _at(self, begins_ms: int) -> _Item | None:
        if self._by_pauses:
            # Another attempt may have cut the sound anew: what begins before words of an item is the same utterance.
            same = (item for item in self._open if item.begins_ms == begins_ms or begins_ms < item.shown_until_ms)
            return next(same, None)
        return next((item for item in self._open if item.until_ms is None or begins_ms < item.until_ms), None)

    def _add(self, begins_ms: int) -> _Item:
        item = _Item(begins_ms)
        self._open.append(item)
        return item

    def _begun(self, item: _Item) -> Iterator[ServerEvent]:
        if self._by_pauses:
            yield SpeechStarted(item_id=item.id, audio_start_ms=item.begins_ms)

    def _ended(self, item: _Item, end_ms: int) -> Iterator[ServerEvent]:
        if self._by_pauses:
            yield SpeechStopped(item_id=item.id, audio_end_ms=end_ms)
        yield from self._committed(item)

    def _committed(self, item: _Item) -> Iterator[ServerEvent]:
        yield Committed(item_id=item.id, previous_item_id=self._previous)
        yield ItemEvent(type="conversation.item.added", item=_described(item, None), previous_item_id=self._previous)
        self._previous = item.id

    def _utterance(self, window: TranscribedWindow) -> Iterator[ServerEvent]:
        # More than one where another attempt has cut the sound anew: the text is of them all.
        begun = [item for item in self._open if item.begins_ms < window.end_ms]
        if window.segments and not begun:
            begun = [self._add(window.start_ms)]
            yield from self._begun(begun[0])
        for item in begun:
            self._open.remove(item)
            item.segments = list(window.segments) if item is begun[0] else []
            yield from self._ended(item, window.end_ms)
            yield from self._complete(item, window.end_ms)
        self._completed_until_ms = window.end_ms
        while self._commits and self._commits[0] <= window.end_ms:
            at_ms = self._commits.popleft()
            if not begun:
                # Silence was committed, and the program waits for its text.
                silent = _Item(at_ms)
                yield from self._ended(silent, at_ms)
                yield from self._complete(silent, at_ms)

    def _part(self, window: TranscribedWindow) -> Iterator[ServerEvent]:
        item = self._at(window.start_ms)
        if window.segments:
            item = item or self._add(window.start_ms)
            item.segments += window.segments
        while self._open and (until_ms := self._open[0].until_ms) is not None and until_ms <= window.end_ms:
            yield from self._complete(self._open.popleft(), until_ms)

    def _complete(self, item: _Item, end_ms: int, unread: str = "") -> Iterator[ServerEvent]:
        text = join_words([segment.text.strip() for segment in item.segments]) or unread
        seconds = max(0, -(-(end_ms - item.begins_ms) // 1000))
        yield Completed(
            item_id=item.id,
            transcript=text,
            usage=Usage(seconds=seconds),
            logprobs=logprobs_of(item.segments) if self._with_logprobs else None,
        )
        yield ItemEvent(type="conversation.item.done", item=_described(item, text), previous_item_id=None)


def _described(item: _Item, text: str | None) -> Item:
    status = "in_progress" if text is None else "completed"
    return Item(id=item.id, status=status, content=[ItemContent(transcript=text)])
