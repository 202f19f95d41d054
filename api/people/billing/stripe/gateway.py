"""The one way to Stripe: the official client with our key, time limits and errors."""

from __future__ import annotations

import asyncio
import importlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

import structlog

from api.people.billing.errors import REFUSED, BadSignature, CardRefused, ChangeUnderWay, PaymentsAway, PaymentsNotSetUp
from api.people.billing.stripe.events import Event, read_event, signed_at
from api.platform.http.errors import Invalid
from api.platform.settings import ApiSettings

if TYPE_CHECKING:
    import aiohttp
    import stripe
    from stripe._v1_services import V1Services

ANSWER_WITHIN_S = 4.0
"""For one try. With one repeat a call stays within the time that a page waits."""
REPEATS = 1
TOLERANCE_S = 300
"""How far the signature of an event may be from our clock, on either side."""

log = structlog.get_logger(__name__)


class Gateway:
    """Stripe, opened with the first call. Most installations have none, so this module does not import its client."""

    def __init__(self, settings: ApiSettings) -> None:
        self._settings = settings
        self._client: stripe.StripeClient | None = None
        self._session: aiohttp.ClientSession | None = None

    @property
    def is_set_up(self) -> bool:
        return self._settings.billing and bool(self._settings.stripe_secret_key)

    @property
    def v1(self) -> V1Services:
        """Raises `PaymentsNotSetUp` without a secret key."""
        return self._open().v1

    def event(self, payload: bytes, signature: str | None) -> Event:
        """The event in a webhook's body.

        Raises `BadSignature` unless Stripe signed it within five minutes of now, and `BadEvent` for a signed body
        that is no event.
        """
        secret = self._settings.stripe_webhook_secret
        if not secret:
            raise PaymentsNotSetUp
        import stripe

        try:
            text = payload.decode()
            # The client's own limit looks back alone.
            if signature is None or signed_at(signature) - time.time() > TOLERANCE_S:
                raise BadSignature
            stripe.WebhookSignature.verify_header(text, signature, secret, TOLERANCE_S)
        except (stripe.SignatureVerificationError, ValueError):
            raise BadSignature from None
        return read_event(text)

    async def load(self) -> None:
        """Import the client in a thread, before the first request: for a second the event loop would answer nobody."""
        await asyncio.to_thread(importlib.import_module, "stripe")

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

    def _open(self) -> stripe.StripeClient:
        if self._client is None:
            if not self.is_set_up:
                raise PaymentsNotSetUp
            import aiohttp
            import stripe

            # Variables of the environment may name a proxy.
            self._session = aiohttp.ClientSession(trust_env=True)
            self._client = stripe.StripeClient(
                cast(str, self._settings.stripe_secret_key),
                base_addresses={"api": self._settings.stripe_api_url.rstrip("/")},
                http_client=stripe.AIOHTTPClient(timeout=ANSWER_WITHIN_S, session=self._session),
                max_network_retries=REPEATS,
            )
        return self._client


@contextmanager
def stripe_errors() -> Iterator[None]:
    """Turn the client's errors into ours. Nothing of the request, which may name cards and keys, is logged."""
    import stripe

    try:
        yield
    except stripe.CardError as error:
        raise CardRefused(error.user_message or None) from None
    except stripe.IdempotencyError:
        raise ChangeUnderWay from None
    except stripe.InvalidRequestError as error:
        log.warning("stripe.refused", code=error.code, param=error.param, request=error.request_id)
        raise Invalid(REFUSED) from None
    except (stripe.AuthenticationError, stripe.PermissionError) as error:
        log.error("stripe.key_refused", request=error.request_id)
        raise PaymentsAway from None
    except stripe.StripeError as error:
        log.error("stripe.unavailable", error=type(error).__name__, request=error.request_id)
        raise PaymentsAway from None
