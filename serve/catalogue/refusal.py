"""Which models of the catalogue cannot be downloaded here, and why."""

from __future__ import annotations

from serve.catalogue.entry import Entry
from serve.core.settings import ModelSettings

ALLOW = "Allow such models with SAGASCRIPT_ALLOW_NONCOMMERCIAL_MODELS=true if your use is not commercial."


def refusal(entry: Entry, settings: ModelSettings) -> str | None:
    """Why an entry cannot be downloaded here, as a sentence for people; None when it can be tried."""
    if entry.is_noncommercial and not settings.allow_noncommercial_models:
        return f"The licence of “{entry.title}” ({entry.licence}) forbids commercial use. {ALLOW}"
    if entry.conversion is not None:
        return (
            f"“{entry.title}” is not published in a form that can be loaded. Make it with this command and put the "
            f"folder into the models folder: {entry.conversion}"
        )
    if settings.allow_hub is False:
        return "Downloads of models are off. Start without --offline and without SAGASCRIPT_ALLOW_HUB=false."
    return None
