"""The engine `llm`: a chat model that reads context, glossary and length limits.

Several passages of one file share a request. Passages whose translation fails a check are asked for once more, then in
halves; a single passage that still fails goes to the simpler engine.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import structlog

from cluster.wording.message import Message
from serve.chat.messages import ChatRequest, conversation
from serve.chat.model import ChatModel
from serve.chat.records import Records, ask_for_records
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.tasks.translation.engine import PassageOutcome
from serve.tasks.translation.guard import has_text
from serve.tasks.translation.llm.checks import Fault, fault_of
from serve.tasks.translation.llm.prompt import TranslatedRecord, messages_of
from serve.tasks.translation.messages import Hypothesis, Passage, Translated
from serve.tasks.translation.routed import RoutedEngine, unchanged, unusable

log = structlog.get_logger(__name__)

PASSAGES = 8
"""Of one request. More save little, since the prompt's rules are read once, and one bad record costs more."""
TOKENS_PER_SOURCE_TOKEN, SPARE_TOKENS = 3, 64
RECORD_TOKENS = 12
"""What the form of one record takes."""


@dataclass(slots=True)
class _Request:
    """Passages to ask for, by their indexes in the batch. `complaint` says why they are asked for again."""

    indexes: list[int]
    complaint: str = ""


@dataclass(slots=True)
class _Answers:
    """What is known so far: `outcomes`, and `second_best` translations with a small fault."""

    outcomes: dict[int, PassageOutcome] = field(default_factory=dict)
    second_best: dict[int, str] = field(default_factory=dict)


class LlmEngine:
    """A chat model, and where there is one a simpler engine behind it."""

    def __init__(self, chat: ChatModel, simpler: RoutedEngine | None, info: EngineInfo) -> None:
        self.info = info
        self.parallel = chat.parallel
        self.spare_workers = 0
        self.gains_from_batches = True
        self.has_deadline = chat.has_deadline
        self._chat = chat
        self._simpler = simpler

    def batch_key(self, passage: Passage) -> Hashable:
        return passage.source_language, passage.target_language, passage.context.formality

    def run(self, batch: Sequence[Passage]) -> list[PassageOutcome]:
        answers = _Answers()
        waiting: list[_Request] = []
        streams: dict[str, list[int]] = defaultdict(list)
        for index, passage in enumerate(batch):
            if passage.source_language == passage.target_language:
                answers.outcomes[index] = _same_language(passage)
            elif not has_text(passage.text):
                answers.outcomes[index] = unchanged(passage)
            else:
                streams[passage.stream].append(index)
        for indexes in streams.values():
            indexes.sort(key=lambda index: batch[index].index)
            waiting += [_Request(indexes[at : at + PASSAGES]) for at in range(0, len(indexes), PASSAGES)]
        while waiting:
            asked = [self._chat_request([batch[index] for index in each.indexes], each.complaint) for each in waiting]
            found = ask_for_records(self._chat, asked, TranslatedRecord)
            waiting = [
                again
                for request, records in zip(waiting, found, strict=True)
                for again in self._taken(batch, request, records, answers)
            ]
        return [answers.outcomes[index] for index in range(len(batch))]

    def rest(self) -> None:
        self._chat.rest()
        if self._simpler is not None:
            self._simpler.rest()

    def close(self) -> None:
        self._chat.close()
        if self._simpler is not None:
            self._simpler.close()

    def _chat_request(self, passages: Sequence[Passage], complaint: str) -> ChatRequest:
        text = "\n".join(each.text for each in passages)
        source = self._chat.count_tokens(ChatRequest(conversation("Translate.", text), 0))
        most = TOKENS_PER_SOURCE_TOKEN * source + SPARE_TOKENS + RECORD_TOKENS * len(passages)
        return ChatRequest(messages_of(passages, complaint), most, TranslatedRecord)

    def _taken(
        self,
        batch: Sequence[Passage],
        request: _Request,
        records: Records[TranslatedRecord] | EngineRefused,
        answers: _Answers,
    ) -> list[_Request]:
        """Keep what is good; return what to ask for next."""
        indexes = request.indexes
        if isinstance(records, EngineRefused):
            if records.problem is EngineProblem.TOO_LONG:
                return self._halves(batch, request, str(records.sentence), answers)
            # The endpoint is away or refuses us: a translation by something else would hide that.
            answers.outcomes.update(dict.fromkeys(indexes, records))
            return []
        texts = _by_id(records, len(indexes))
        failed, fault = [], Fault("")
        for number, index in enumerate(indexes, start=1):
            text = texts.get(number)
            text = " ".join(text.split()) if text is not None else None
            wrong = fault_of(batch[index].text, text)
            if wrong is None and text is not None:
                answers.outcomes[index] = Translated(batch[index].index, (Hypothesis(text),))
                continue
            failed.append(index)
            fault = wrong or fault
            if fault.is_small and text is not None:
                answers.second_best[index] = text
        if not failed:
            return []
        log.info("translation.asked_again", passages=len(failed), of=len(indexes), fault=fault.sentence)
        if not request.complaint:
            return [_Request(failed, fault.sentence)]
        return self._halves(batch, _Request(failed), fault.sentence, answers)

    def _halves(self, batch: Sequence[Passage], request: _Request, complaint: str, answers: _Answers) -> list[_Request]:
        indexes = request.indexes
        if len(indexes) > 1:
            middle = len(indexes) // 2
            return [_Request(half, complaint) for half in (indexes[:middle], indexes[middle:])]
        (index,) = indexes
        answers.outcomes[index] = self._last_resort(batch[index], answers.second_best.get(index))
        return []

    def _last_resort(self, passage: Passage, second_best: str | None) -> PassageOutcome:
        """The simpler engine's translation; where that is no better, the model's with its small fault, or the draft."""
        if self._simpler is not None and self._simpler.can(passage):
            (simple,) = self._simpler.run([passage])
            if isinstance(simple, Translated):
                is_faultless = fault_of(passage.text, simple.hypotheses[0].text) is None
                if second_best is None or is_faultless:
                    return Translated(passage.index, simple.hypotheses, is_fallback=True)
        if second_best is not None:
            return Translated(passage.index, (Hypothesis(second_best),))
        if passage.draft:
            return Translated(passage.index, (Hypothesis(passage.draft),))
        return unusable(passage)


def _by_id(records: Records[TranslatedRecord], count: int) -> dict[int, str]:
    """Translations by id. An id given twice is ambiguous, and so are all others beside an id that was not asked for."""
    ids = [record.id for record in records.records]
    if not set(ids) <= set(range(1, count + 1)):
        return {}
    return {record.id: record.text for record in records.records if ids.count(record.id) == 1}


def _same_language(passage: Passage) -> EngineRefused:
    return EngineRefused(
        EngineProblem.UNKNOWN_LANGUAGE,
        Message(
            "translation.already_in",
            "The text is in “{language}” already. Choose another language to translate it into.",
            language=passage.source_language,
        ),
    )
