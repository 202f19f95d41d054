"""Has the text model write a text from claims, portion by portion."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import wait
from dataclasses import dataclass

from pipelines.ai_text.blocks import Written, cited_lines, written_blocks
from pipelines.ai_text.claims import Tongues
from pipelines.ai_text.sections import portions
from pipelines.flows.minutes.note_taking import YIELD_EVERY_S, TextClient, spoken_language
from pipelines.messages.minutes import Claim, MinutesRequest, TextLine, TextType
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.tasks.text.messages import COMPOSE_TOKENS, PROMPT_TOKENS, ComposedText, ComposeItem, WeightedClaim

SUMMARY_ROUNDS = 6
"""Each round makes at most a tenth of the claims; six are enough for a million."""


@dataclass(slots=True)
class Composer:
    """Writes for one attempt. `dropped` counts parts of answers that could not be read."""

    request: MinutesRequest
    stream: str
    client: TextClient
    info: EngineInfo
    tongues: Tongues
    lines: dict[str, TextLine]
    dropped: int = 0

    def compose(self, claims: Sequence[Claim]) -> Generator[Written | None]:
        """Yield each written portion in order, and None now and then. Raises EngineRefused."""
        if self.request.type is TextType.SHORT:
            claims = yield from self._summed_up(claims)
        todo = self._portions(claims)[::-1]
        total, index = len(todo), 0
        while todo:
            portion = todo.pop()
            text = yield from self._write(portion, index, is_first=index == 0, is_last=index == total - 1)
            if text is None:
                todo += self._halves(portion)[::-1]
                total += 1
                continue
            self.dropped += text.dropped
            yield written_blocks(text.parts, portion, self.lines, self.tongues)
            index += 1

    def _summed_up(self, claims: Sequence[Claim]) -> Generator[None, None, Sequence[Claim]]:
        """As few claims as one portion holds: longer lists are summed up portion by portion first."""
        for _ in range(SUMMARY_ROUNDS):
            todo = self._portions(claims)
            if len(todo) <= 1:
                break
            shorter: list[Claim] = []
            for index, portion in enumerate(todo):
                text = yield from self._write(portion, index, is_first=True, is_last=True)
                parts = text.parts if text is not None else ()
                for part in parts:
                    if ids := cited_lines(part.claims, portion):
                        shorter.append(Claim(text=part.text, line_ids=ids))
            if not shorter or len(shorter) >= len(claims):
                break
            claims = shorter
        return claims

    def _portions(self, claims: Sequence[Claim]) -> list[list[Claim]]:
        limit = self.info.token_limit
        most = None if limit is None else max(1, limit - PROMPT_TOKENS - COMPOSE_TOKENS)
        return portions(claims, self.request.type, most)

    def _halves(self, portion: list[Claim]) -> list[list[Claim]]:
        middle = len(portion) // 2
        return [portion[:middle], portion[middle:]]

    def _write(
        self, portion: Sequence[Claim], index: int, *, is_first: bool, is_last: bool
    ) -> Generator[None, None, ComposedText | None]:
        """The text of a portion; None when it must be halved. Raises EngineRefused."""
        item = ComposeItem(
            stream=self.stream,
            index=index,
            type=self.request.type,
            language=spoken_language(self.tongues.text, self.request.language),
            source=spoken_language(self.tongues.source, self.request.source_language),
            claims=tuple(WeightedClaim(claim.text, claim.weight) for claim in portion),
            title=self.request.title,
            is_first=is_first,
            is_last=is_last,
        )
        future = self.client.submit(item)
        try:
            while not wait([future], timeout=YIELD_EVERY_S).done:
                yield
            outcome = future.result()
        except EngineRefused as refused:
            if refused.problem is EngineProblem.TOO_LONG and len(portion) > 1:
                return None
            raise
        finally:
            future.cancel()
        assert isinstance(outcome, ComposedText)
        return None if not outcome.is_complete and len(portion) > 1 else outcome
