"""What each flag of a translated line says, in words for a terminal."""

from __future__ import annotations

from pipelines.messages.translate import LineFlag

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
