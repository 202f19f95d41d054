"""Which types and languages of text can be written now, and why the others cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.ai_texts.schemas import TYPE_DESCRIPTIONS, TYPE_LABELS, AiTextOptions, LanguageChoice, TypeOption
from api.content.captions.tracks import TracksOfFile, same_language
from api.people.auth.viewer import Viewer
from api.platform.capabilities.advice import capability_for
from api.platform.http.errors import Conflict, Invalid
from cluster.wording.message import Message
from pipelines.ai_text.refusal import text_refusal
from pipelines.language_choice import FALLBACK
from pipelines.languages import AUTO, BROAD, REGIONAL, is_known, language_label
from pipelines.messages.minutes import TextType
from serve.core.capability import Capability
from serve.tasks.engine_labels import engine_label
from serve.tasks.text.messages import TEXT
from serve.tasks.translation.messages import TRANSLATION

ONLY_SELECTS = Message(
    "ai_texts.only_selects",
    "No language model is loaded, so a text consists of sentences selected from the transcript.",
)
NO_SUCH_LANGUAGE = Message("ai_texts.no_such_language", "We do not know this language. Choose one from the list.")


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
        return (
            None
            if self.text.may_work
            else self.text.sentence or Message("ai_texts.no_engine", "No engine for AI text runs here.")
        )

    def refusal(self, type_: TextType, language: str) -> str | None:
        """Why a text of this type cannot be written in this language, and what works."""
        loaded = self.text.loaded
        if loaded is None:
            return None
        translator = self.translation.loaded if self.translation.may_work else None
        return text_refusal(loaded, translator, type=type_, language=language, source=self.source(language))

    def source(self, language: str) -> str:
        """The language of the captions that a text in this language is made from.

        The transcript is closest to what was said. An engine that only selects takes captions in the text's language.
        """
        same = next((track for track in self.tracks if same_language(track, language)), None)
        return same if same is not None and self.only_selects else next(iter(self.tracks), language)

    def require(self, wanted: str, types: Sequence[TextType]) -> None:
        """Raise for the first part of a request that cannot be met."""
        if (reason := self.reason()) is not None:
            raise Conflict(reason)
        if not is_known(wanted) and wanted not in self.tracks:
            raise Invalid.field("language", NO_SUCH_LANGUAGE)
        for each in types:
            if (reason := self.refusal(each, wanted)) is not None:
                raise Invalid(reason)

    def describe(self) -> AiTextOptions:
        codes = dict.fromkeys((*self.tracks, *(option.value for option in (*REGIONAL, *BROAD))))
        return AiTextOptions(
            state=self.text.state,
            engine=self.engine,
            is_selection=self.only_selects,
            note=ONLY_SELECTS if self.only_selects else None,
            reason=self.reason(),
            language=self.tracks[0] if self.tracks else None,
            types=[self._type(each) for each in TextType],
            languages=[self._language(code) for code in codes],
        )

    def _type(self, type_: TextType) -> TypeOption:
        language = self.tracks[0] if self.tracks else FALLBACK
        reason = self.reason() or self.refusal(type_, self.source(language))
        return TypeOption(
            value=type_,
            label=TYPE_LABELS[type_],
            description=TYPE_DESCRIPTIONS[type_],
            available=reason is None,
            reason=reason,
        )

    def _language(self, code: str) -> LanguageChoice:
        loaded = self.text.loaded
        known = TextType.SHORT if loaded is None else next(iter(sorted(loaded.text_types)), TextType.SHORT)
        is_available = self.refusal(TextType(known), code) is None
        return LanguageChoice(
            value=code,
            label=language_label(code),
            available=is_available,
            reason=None if is_available else self._reason_of_many,
        )

    @property
    def _reason_of_many(self) -> str:
        """The reason in a few words, the same for every language that cannot be chosen."""
        return (
            Message("ai_texts.translate_first", "No captions in this language: translate them first")
            if self.only_selects
            else Message("ai_texts.unknown_to_model", "Not known to the model")
        )


async def offer_of(session: AsyncSession, viewer: Viewer, tracks: TracksOfFile | None) -> Offer:
    """What can be written about a file, or about any file."""
    text = await capability_for(session, TEXT, is_admin=viewer.is_admin)
    translation = await capability_for(session, TRANSLATION, is_admin=viewer.is_admin)
    return Offer(text, translation, () if tracks is None else _languages(tracks))


def _languages(tracks: TracksOfFile) -> tuple[str, ...]:
    source = tracks.transcription
    first = (tracks.file.language,) if source is None else (source.language,)
    codes = dict.fromkeys((*first, *(track.language for track in tracks.tracks)))
    return tuple(code for code in codes if code != AUTO)
