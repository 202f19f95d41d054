"""The other servers that pages use, as the settings name them."""

from __future__ import annotations

from api.platform.http.pages.content_security import OtherOrigins, origin_of
from api.platform.realtime.browser_address import browser_address
from api.platform.settings import ApiSettings

STRIPE = "https://js.stripe.com"
STRIPE_MORE_SCRIPTS = "https://*.js.stripe.com"
STRIPE_MORE_FRAMES = "https://hooks.stripe.com"
STRIPE_API = "https://api.stripe.com"
"""What Stripe.js needs beside its own address, as Stripe's security guide lists it."""


def page_origins(settings: ApiSettings) -> OtherOrigins:
    """The upload server, relay and storage where these are elsewhere, and Stripe where there is billing."""
    connect = browser_address(settings).origins
    if "://" in settings.uploads_endpoint:
        connect = (*connect, origin_of(settings.uploads_endpoint))
    public_storage = settings.storage_public_endpoint
    media = () if public_storage is None else (origin_of(public_storage),)
    if not settings.billing:
        return OtherOrigins(connect=connect, media=media)
    script = origin_of(settings.stripe_js_url)
    if script != STRIPE:
        # A stand-in serves everything from one address.
        return OtherOrigins(connect=(*connect, script), media=media, scripts=(script,), frames=(script,))
    return OtherOrigins(
        connect=(*connect, STRIPE_API),
        media=media,
        scripts=(script, STRIPE_MORE_SCRIPTS),
        frames=(script, STRIPE_MORE_SCRIPTS, STRIPE_MORE_FRAMES),
    )
