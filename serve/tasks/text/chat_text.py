"""The text engine over any chat model: notes section by section, then a text from the notes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from cluster.wording.message import Message
from serve.chat.model import ChatModel
from serve.chat.records import Records, ask_for_records
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.tasks.text.engine import ItemOutcome
from serve.tasks.text.messages import (
    Claim,
    ComposedText,
    ComposeItem,
    Correction,
    PartKind,
    ProofreadItem,
    ProofreadLines,
    SectionClaims,
    SectionItem,
    TextItem,
    WrittenPart,
)
from serve.tasks.text.prompts import (
    ClaimRecord,
    CorrectionRecord,
    PartRecord,
    compose_request,
    proofread_request,
    section_request,
)

WROTE_NOTHING = Message("text.wrote_nothing", "The text model wrote nothing usable.")


class ChatTextEngine:
    """Batches sections of many files into one call of the chat model."""

    def __init__(self, chat: ChatModel, info: EngineInfo) -> None:
        self.info = info
        self.parallel = chat.parallel
        self.spare_workers = 0
        self.gains_from_batches = chat.gains_from_batches
        self.has_deadline = chat.has_deadline
        self._chat = chat

    def batch_key(self, item: TextItem) -> Hashable:
        # Rows of a batch wait for its longest prompt, so only items of about the same length share one.
        return type(item).__name__, _length(item).bit_length()

    def run(self, batch: Sequence[TextItem]) -> list[ItemOutcome]:
        sections = [item for item in batch if isinstance(item, SectionItem)]
        if len(sections) == len(batch):
            return self._notes(sections)
        proofs = [item for item in batch if isinstance(item, ProofreadItem)]
        if len(proofs) == len(batch):
            return self._proofs(proofs)
        return self._texts([item for item in batch if isinstance(item, ComposeItem)])

    def rest(self) -> None:
        self._chat.rest()

    def close(self) -> None:
        self._chat.close()

    def _notes(self, items: Sequence[SectionItem]) -> list[ItemOutcome]:
        answers = ask_for_records(self._chat, [section_request(item) for item in items], ClaimRecord)
        return [_claims(item, answer) for item, answer in zip(items, answers, strict=True)]

    def _texts(self, items: Sequence[ComposeItem]) -> list[ItemOutcome]:
        answers = ask_for_records(self._chat, [compose_request(item) for item in items], PartRecord)
        return [_parts(item, answer) for item, answer in zip(items, answers, strict=True)]

    def _proofs(self, items: Sequence[ProofreadItem]) -> list[ItemOutcome]:
        answers = ask_for_records(self._chat, [proofread_request(item) for item in items], CorrectionRecord)
        return [_corrections(item, answer) for item, answer in zip(items, answers, strict=True)]


def _length(item: TextItem) -> int:
    rows = item.claims if isinstance(item, ComposeItem) else item.lines
    return sum(len(row.text) for row in rows)


def _corrections(item: ProofreadItem, answer: Records[CorrectionRecord] | EngineRefused) -> ItemOutcome:
    if isinstance(answer, EngineRefused):
        return answer
    # The last word on a line counts: a model that repeats a line corrects itself.
    by_line = {each.line: each for each in answer.records if each.line <= len(item.lines)}
    found = (
        Correction(each.line, each.text.strip(), each.kind, each.reason.strip()) for _, each in sorted(by_line.items())
    )
    dropped = answer.dropped + sum(each.line > len(item.lines) for each in answer.records)
    return ProofreadLines(item.index, tuple(found), dropped, answer.is_complete)


def _claims(item: SectionItem, answer: Records[ClaimRecord] | EngineRefused) -> ItemOutcome:
    if isinstance(answer, EngineRefused):
        return answer
    claims = (
        Claim(each.text.strip(), tuple(each.lines), each.kind, each.owner.strip() or None, each.due.strip() or None)
        for each in answer.records
    )
    different = tuple({claim.text.casefold(): claim for claim in claims}.values())
    # A model that repeats itself until its limit has nothing more to say about a shorter section.
    is_loop = len(different) * 2 < len(answer.records) or not different
    return SectionClaims(item.index, different, answer.dropped, answer.is_complete or is_loop)


def _parts(item: ComposeItem, answer: Records[PartRecord] | EngineRefused) -> ItemOutcome:
    if isinstance(answer, EngineRefused):
        return answer
    if not answer.records:
        return EngineRefused(EngineProblem.MODEL_FAILED, WROTE_NOTHING)
    parts = tuple(
        WrittenPart(PartKind(each.kind), each.text.strip(), tuple(each.claims), each.paragraph)
        for each in answer.records
    )
    different = tuple({part.text.casefold(): part for part in parts}.values())
    is_loop = len(different) * 2 < len(parts)
    return ComposedText(item.index, different, answer.dropped, answer.is_complete or is_loop)
