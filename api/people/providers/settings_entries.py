"""The identity providers that stand in the settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from api.people.providers.provider import ConfiguredProvider, Provider
from api.platform.settings import ApiSettings

SETTING = "SAGASCRIPT_IDENTITY_PROVIDERS"


@dataclass(frozen=True, slots=True)
class ProviderEntry:
    """`is_configured`: it stands in the settings, so no page can change it. It hides a row of the same slug."""

    provider: Provider
    secret: str | None
    is_enabled: bool
    is_configured: bool


def entries_of_settings(settings: ApiSettings) -> Sequence[ProviderEntry]:
    """The providers of the settings. Raises `ValueError` with a sentence that says what is wrong."""
    found: dict[str, ProviderEntry] = {}
    for number, entry in enumerate(settings.identity_providers, start=1):
        try:
            described = ConfiguredProvider.model_validate(entry)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "the entry"
            raise ValueError(f"Provider {number} in {SETTING}: {place}: {first['msg']}") from None
        if described.slug in found:
            raise ValueError(f"{SETTING} names the provider {described.slug} twice.")
        provider = Provider.model_validate(described.model_dump(exclude={"client_secret"}))
        found[provider.slug] = ProviderEntry(provider, described.client_secret, is_enabled=True, is_configured=True)
    return list(found.values())
