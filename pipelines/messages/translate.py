"""What the flow of kind `translate` receives, hands over on the way, and ends with."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from cluster.stored_sentences import SentenceText, sentence_as_json
from pipelines.messages.caption_rules import DEFAULT_RULES, CaptionRules
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.lines import Lane
from pipelines.messages.results import FlowResult, engine_record
from serve.core.messages import EngineInfo

TRANSLATE = "pipelines.flows.translate.flow:run"


class Formality(StrEnum):
    DEFAULT = "default"
    FORMAL = "formal"
    INFORMAL = "informal"


class LineFlag(StrEnum):
    """What a reviewer should look at in a translated line."""

    TOO_FAST = "too_fast"
    """Longer than the line's time allows, and no shorter translation was found. Nothing is cut off."""
    GLOSSARY_MISS = "glossary_miss"
    NUMBER_CHANGED = "number_changed"
    NAME_CHANGED = "name_changed"
    """A name, address or code of the source does not occur in the translation."""
    TAG_CHANGED = "tag_changed"
    """A formatting code of the source, such as `<i>`, does not occur in the translation."""
    UNSURE = "unsure"
    """Among the 5 % of lines the model was least sure of."""
    FALLBACK = "fallback"
    """The chosen model returned nothing usable, and a simpler one translated this line."""
    UNTRANSLATED = "untranslated"
    """No model returned anything usable. The line shows the source's text."""


class SourceLine(JsonMessage):
    """A line of the source track. `speaker` is its name, for the model's context.

    Sentences run on within a `lane`: a sign above does not interrupt what is said below.
    """

    id: str
    start_ms: int
    end_ms: int
    text: str
    speaker: str | None = None
    lane: Lane = Lane.BOTTOM


class GlossaryTerm(JsonMessage):
    """How to translate a term. An equal `target` means that it stays as it is."""

    source: str
    target: str
    case_sensitive: bool = False


class TargetLine(JsonMessage):
    """A line of the translation. It translates the source lines `source_ids`, in order: one, or several when the
    translation is too short for as many lines as the source has. `source_texts` are their texts as translated.

    `log_probability` is the mean per token; None where the model gives none.
    """

    source_ids: tuple[str, ...]
    source_texts: tuple[str, ...]
    start_ms: int
    end_ms: int
    text: str
    log_probability: float | None = None
    flags: tuple[LineFlag, ...] = ()


class TranslateRequest(JsonMessage):
    """Translate the lines `wanted` of a track (every line when it is empty) into one language.

    `lines` are all lines of the source in order, or the last ones of a source that still grows (`is_live`): those not
    wanted are context. `existing` are target lines that stay,
    for context. Languages are codes of the language lists. `caption_rules` set the length budget of each line.
    """

    file_id: str
    track_id: str
    source_language: str
    target_language: str
    lines: tuple[SourceLine, ...]
    wanted: tuple[str, ...] = ()
    existing: tuple[TargetLine, ...] = ()
    glossary: tuple[GlossaryTerm, ...] = ()
    formality: Formality = Formality.DEFAULT
    synopsis: str = ""
    caption_rules: CaptionRules = DEFAULT_RULES
    target_revision: int | None = None
    """The revision of the translation that is there already, so that lines a person wrote since stay."""
    include_edited: bool = False
    """Whether lines of a person that were there then are replaced too."""
    is_live: bool = False


class TranslatedGroup(JsonMessage):
    """One finished sentence group, kept so that a later attempt starts after it. Groups count from 0."""

    index: int
    lines: tuple[TargetLine, ...]


class TranslateResult(FlowResult):
    """The translated lines in order: only those that were wanted. `notes` are sentences for the person."""

    language: str
    engine: EngineInfo
    lines: tuple[TargetLine, ...]
    notes: tuple[SentenceText, ...] = ()

    @property
    def model_engine(self) -> EngineInfo:
        return self.engine

    def record(self) -> dict[str, Any]:
        """Without the lines, which the track keeps."""
        return {
            "language": self.language,
            "engine": engine_record(self.engine),
            "lines": len(self.lines),
            "notes": [sentence_as_json(note) for note in self.notes],
        }


FLAG_WORDS = {
    LineFlag.TOO_FAST: "too long for its time",
    LineFlag.GLOSSARY_MISS: "a glossary term is missing",
    LineFlag.NUMBER_CHANGED: "a number changed",
    LineFlag.NAME_CHANGED: "a name is missing",
    LineFlag.TAG_CHANGED: "formatting is missing",
    LineFlag.UNSURE: "the model was unsure",
    LineFlag.FALLBACK: "translated by a simpler model",
    LineFlag.UNTRANSLATED: "not translated",
}
"""What each flag says in a terminal."""
