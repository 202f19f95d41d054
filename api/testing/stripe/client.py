"""What a person's browser does at the stand-in, for tests without a browser."""

from __future__ import annotations

from typing import Any

import httpx2
import stripe

from api.testing.stripe.app import PUBLISHABLE_KEY, SECRET_KEY
from api.testing.stripe.server import StripeServer
from cluster.testing.patience import PATIENCE_S

PAYS = "4242 4242 4242 4242"
ASKS = "4000 0000 0000 3220"
FAILS = "4000 0000 0000 0341"
REFUSED = "4000 0000 0000 0002"


def official_client(server: StripeServer) -> stripe.StripeClient:
    """The official client on the stand-in."""
    return stripe.StripeClient(SECRET_KEY, base_addresses={"api": server.url})


async def save_card(server: StripeServer, intent: dict[str, Any], number: str = PAYS) -> dict[str, Any]:
    """Type a card into the form and confirm, with the bank's question if it has one."""
    saved = await _js(server, "setup_intents", intent, "confirm", number=number, month=12, year=2034)
    if saved.get("status") == "requires_action":
        return await _js(server, "setup_intents", intent, "authenticate", success=True)
    return saved


async def confirm_payment(
    server: StripeServer, step: dict[str, Any], *, success: bool = True, method: str | None = None
) -> dict[str, Any]:
    """Confirm a payment as the page does. `success` answers the bank's question."""
    paid = await _js(server, "payment_intents", step, "confirm", payment_method=method or step["payment_method"])
    if paid.get("status") == "requires_action":
        return await _js(server, "payment_intents", step, "authenticate", success=success)
    return paid


async def _js(server: StripeServer, kind: str, intent: dict[str, Any], verb: str, **given: Any) -> dict[str, Any]:
    secret = intent["client_secret"]
    intent_id = secret.partition("_secret_")[0]
    body = {"key": PUBLISHABLE_KEY, "client_secret": secret, **given}
    async with httpx2.AsyncClient(trust_env=False, timeout=PATIENCE_S) as client:
        answer = await client.post(f"{server.url}/_js/{kind}/{intent_id}/{verb}", json=body)
    return dict(answer.json())
