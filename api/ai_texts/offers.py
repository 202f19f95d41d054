"""Which types and languages of text can be written now, and why the others cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from api.ai_texts.schemas import TYPE_DESCRIPTIONS, TYPE_LABELS, AiTextOptions, LanguageChoice, TypeOption
from api.capabilities.queries import capability_of
from api.captions.tracks import TracksOfFile, same_language
from api.http.errors import Conflict, Invalid
from pipelines.flows.minutes_messages import TextType
from pipelines.languages import BROAD, REGIONAL, is_known, language_label, whisper_code
from serve.capability import TEXT, TRANSLATION, Capability, engine_label, knows_language, pair_from_to

ONLY_SELECTS = "No language model is loaded, so a text consists of sentences selected from the transcript."
NO_SUCH_LANGUAGE = "We do not know this language. Choose one from the list."
NAMES_MAX = 6


@dataclass(frozen=True, slots=True)
class Offer:
    """What the installation offers for a file whose captions are in `tracks`, the transcript first."""

    text: Capability
    translation: Capability
    tracks: tuple[str, ...] = ()

    @property
    def only_selects(self) -> bool:
        return self.text.loaded is not None and self.text.loaded.only_selects

    @property
    def engine(self) -> str | None:
        loaded = self.text.loaded
        return engine_label(loaded.engine, loaded.model) if loaded is not None else None

    def reason(self) -> str | None:
        """Why nothing can be written at all."""
        return None if self.text.may_work else self.text.sentence or "No engine for AI text runs here."

    def type_reason(self, wanted: TextType) -> str | None:
        loaded = self.text.loaded
        if loaded is None or not loaded.text_types or wanted in loaded.text_types:
            return None
        works = [TYPE_LABELS[each].lower() for each in TextType if each in loaded.text_types]
        return f"{self.engine} does not make this type. It makes: {', '.join(works)}."

    def language_reason(self, wanted: str) -> str | None:
        loaded = self.text.loaded
        if loaded is None:
            return None
        code = whisper_code(wanted)
        if not loaded.only_selects:
            if code is None or knows_language(loaded, code):
                return None
            works = _names([language_label(each) for each in sorted(loaded.languages)])
            return f"{self.engine} does not write {language_label(wanted)}. It writes {works}."
        if not self.tracks or any(same_language(wanted, track) for track in self.tracks):
            return None
        if self._is_translated(self.tracks[0], wanted):
            return None
        works = _names([language_label(each) for each in self.tracks])
        return (
            f"Sentences are only selected from captions, and there are none in {language_label(wanted)}. "
            f"Choose {works}, or translate the captions first."
        )

    def require(self, wanted: str, types: Sequence[TextType]) -> None:
        """Raise for the first part of a request that cannot be met."""
        if (reason := self.reason()) is not None:
            raise Conflict(reason)
        if not is_known(wanted) and wanted not in self.tracks:
            raise Invalid.field("language", NO_SUCH_LANGUAGE)
        if (reason := self.language_reason(wanted)) is not None:
            raise Invalid.field("language", reason)
        for each in types:
            if (reason := self.type_reason(each)) is not None:
                raise Invalid.field("types", reason)

    def describe(self) -> AiTextOptions:
        codes = dict.fromkeys((*self.tracks, *(option.value for option in (*REGIONAL, *BROAD))))
        return AiTextOptions(
            state=self.text.state,
            engine=self.engine,
            is_selection=self.only_selects,
            note=ONLY_SELECTS if self.only_selects else None,
            reason=self.reason(),
            language=self.tracks[0] if self.tracks else None,
            types=[
                TypeOption(
                    value=each,
                    label=TYPE_LABELS[each],
                    description=TYPE_DESCRIPTIONS[each],
                    available=self.reason() is None and self.type_reason(each) is None,
                    reason=self.reason() or self.type_reason(each),
                )
                for each in TextType
            ],
            languages=[
                LanguageChoice(
                    value=code,
                    label=language_label(code),
                    available=self.language_reason(code) is None,
                    reason=None if self.language_reason(code) is None else self._reason_of_many,
                )
                for code in codes
            ],
        )

    @property
    def _reason_of_many(self) -> str:
        """The reason in a few words, the same for every language that cannot be chosen."""
        return "No captions in this language: translate them first" if self.only_selects else "Not known to the model"

    def _is_translated(self, source: str, target: str) -> bool:
        """Whether the flow can translate the sentences it selects."""
        loaded = self.translation.loaded
        codes = whisper_code(source), whisper_code(target)
        if loaded is None or not self.translation.may_work or codes[0] is None or codes[1] is None:
            return False
        return pair_from_to(loaded, codes[0], codes[1]) is not None


async def offer_of(session: AsyncSession, tracks: TracksOfFile | None) -> Offer:
    """What can be written about a file, or about any file."""
    text, translation = await capability_of(session, TEXT), await capability_of(session, TRANSLATION)
    return Offer(text, translation, () if tracks is None else _languages(tracks))


def _languages(tracks: TracksOfFile) -> tuple[str, ...]:
    source = tracks.transcription
    first = tracks.file.language if source is None else source.language
    return tuple(dict.fromkeys((first, *(track.language for track in tracks.tracks))))


def _names(labels: Sequence[str]) -> str:
    """`English`, `English or Icelandic`, and at most `NAMES_MAX` names in all."""
    shown = list(labels[:NAMES_MAX])
    if len(labels) > NAMES_MAX:
        return f"{', '.join(shown)} and {len(labels) - NAMES_MAX} more"
    return " or ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)
