"""`sagascript billing`: the prices at Stripe."""

from __future__ import annotations

import asyncio

import typer

from api.edges.cli.console import fail, out
from api.edges.cli.settings import settings_with

app = typer.Typer(help="Plans and payments.", no_args_is_help=True)


@app.callback()
def about() -> None:
    """Plans and payments."""


@app.command("sync-prices")
def sync_prices() -> None:
    """Create the products and prices of all plans at Stripe. Running subscriptions keep their price."""
    settings = settings_with()
    if not settings.billing or not settings.stripe_secret_key:
        raise fail("Set SAGASCRIPT_BILLING=true and SAGASCRIPT_STRIPE_SECRET_KEY first.")
    from api.people.billing.stripe.gateway import Gateway
    from api.people.billing.stripe.prices import sync_prices as sync
    from api.platform.http.errors import ApiError

    async def run() -> list[str]:
        gateway = Gateway(settings)
        try:
            return await sync(gateway)
        finally:
            await gateway.close()

    try:
        done = asyncio.run(run())
    except ApiError as error:
        raise fail(error.message) from None
    for sentence in done:
        out.print(sentence, soft_wrap=True)
    out.print("The prices at Stripe are those of the plans.")
