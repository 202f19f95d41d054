"""The languages of the published Parakeet models, which their files do not name."""

from __future__ import annotations

ENGLISH = frozenset({"en"})
EUROPEAN = frozenset(
    (
        *("bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "hr", "hu", "it", "lt", "lv", "mt", "nl", "pl"),
        *("pt", "ro", "ru", "sk", "sl", "sv", "uk"),
    )
)
"""The 25 languages of parakeet-tdt-0.6b-v3, by its model card. Icelandic is not among them."""
_BY_MARK = {"-v3": EUROPEAN, "-ja": frozenset({"ja"})}
"""What the names of models for other languages than English hold."""


def languages_of(*names: str) -> frozenset[str]:
    """Whisper codes of the languages that a model knows, by its folder's name and its own `url`."""
    for mark, languages in _BY_MARK.items():
        if any(mark in name.lower() for name in names):
            return languages
    return ENGLISH
