"""Which models of the catalogue cannot be downloaded here, and why."""

from __future__ import annotations

from cluster.wording.message import Message, Wording
from serve.catalogue.entry import Entry
from serve.core.settings import ModelSettings

NONCOMMERCIAL = Wording(
    "catalogue.noncommercial",
    "The licence of “{title}” ({licence}) forbids commercial use. Allow such models with "
    "SAGASCRIPT_ALLOW_NONCOMMERCIAL_MODELS=true if your use is not commercial.",
)
CONVERTED = Wording(
    "catalogue.converted",
    "“{title}” is not published in a form that can be loaded. Make it with this command and put the folder into the "
    "models folder: {command}",
)
DOWNLOADS_OFF = Message(
    "catalogue.downloads_off",
    "Downloads of models are off. Start without --offline and without SAGASCRIPT_ALLOW_HUB=false.",
)


def refusal(entry: Entry, settings: ModelSettings) -> str | None:
    """Why an entry cannot be downloaded here, as a sentence for people; None when it can be tried."""
    if entry.is_noncommercial and not settings.allow_noncommercial_models:
        return NONCOMMERCIAL(title=entry.title, licence=entry.licence)
    if entry.conversion is not None:
        return CONVERTED(title=entry.title, command=entry.conversion)
    if settings.allow_hub is False:
        return DOWNLOADS_OFF
    return None
