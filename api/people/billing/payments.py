"""What every change of a subscription needs, and how routes get it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends
from starlette.requests import HTTPConnection

from api.people.billing.stripe.gateway import Gateway
from api.people.billing.stripe.prices import Prices
from api.platform.db.engine import Database
from api.platform.http.errors import NotFound
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings


@dataclass(frozen=True)
class Billing:
    settings: ApiSettings
    database: Database
    gateway: Gateway
    prices: Prices


def open_billing(state: AppState) -> Billing:
    """The billing of one web process. Opens no connection."""
    gateway = Gateway(state.settings)
    return Billing(state.settings, state.database, gateway, Prices(gateway))


# A coroutine: FastAPI would send a plain function through a thread, for each request.
async def _billing(connection: HTTPConnection) -> Billing:
    billing = cast(Billing, connection.app.state.billing)
    if not billing.settings.billing:
        raise NotFound
    return billing


Payments = Annotated[Billing, Depends(_billing)]
"""For routes. Where people need no plan, these routes do not exist."""
