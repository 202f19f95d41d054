"""`python -m api.testing.stripe.demo`: the product with billing, paid at the stand-in. It needs no internet.

`make run BILLING=demo` runs this. The stand-in keeps its customers in the data folder, beside the product's database.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from typing import Any

from api.people.billing.stripe.gateway import Gateway
from api.people.billing.stripe.prices import sync_prices
from api.platform.settings import ApiSettings
from api.testing.stripe.client import official_client
from api.testing.stripe.server import StripeServer
from cluster.ports import PortTaken, require_free

COUPONS = (
    {"id": "WELCOME", "percent_off": 20, "duration": "repeating", "duration_in_months": 3},
    {"id": "GIFT", "percent_off": 100, "duration": "once"},
)
CARDS = (
    ("4242 4242 4242 4242", "pays"),
    ("4000 0000 0000 3220", "the bank asks"),
    ("4000 0000 0000 0341", "can be saved, but payments fail"),
    ("4000 0000 0000 0002", "is declined"),
)
OFFSET = 100
"""From the product's port to that of the stand-in."""


def main(arguments: list[str]) -> int:
    settings = ApiSettings()
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    server = StripeServer(
        webhook=f"http://127.0.0.1:{settings.port}/api/billing/webhook",
        state=settings.data_dir.resolve() / "demo-stripe.json",
        port=_port(settings.port + OFFSET),
    )
    server.start()
    try:
        asyncio.run(_open_shop(server))
        _announce(server)
        return _run_product(server.settings, arguments)
    finally:
        server.stop()


def _port(wanted: int) -> int:
    try:
        require_free("127.0.0.1", wanted)
    except PortTaken:
        return 0
    return wanted


async def _open_shop(server: StripeServer) -> None:
    gateway = Gateway(ApiSettings(**server.settings))
    await sync_prices(gateway)
    await gateway.close()
    client = official_client(server)
    present = {coupon.id for coupon in client.v1.coupons.list({"limit": 100}).data}
    for coupon in COUPONS:
        if coupon["id"] not in present:
            client.v1.coupons.create(coupon)  # type: ignore[arg-type]


def _announce(server: StripeServer) -> None:
    lines = [
        "Billing is a demonstration: no card is charged, and nothing leaves this machine.",
        f"A stand-in for Stripe runs at {server.url}. Its cards, with any future date and any code:",
        *(f"  {number}  {what}" for number, what in CARDS),
        f"Coupons: {', '.join(str(coupon['id']) for coupon in COUPONS)}.",
        "",
    ]
    sys.stdout.write("\n".join(lines))
    sys.stdout.flush()


def _run_product(settings: dict[str, Any], arguments: list[str]) -> int:
    """`sagascript up` with these settings. It gets Ctrl-C from the terminal itself, and we wait for its end."""
    environment = {f"SAGASCRIPT_{name.upper()}": str(value) for name, value in settings.items()}
    command = [sys.executable, "-P", "-m", "api.main", "up", *arguments]
    with subprocess.Popen(command, env={**os.environ, **environment}) as product:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda number, _frame: product.send_signal(number))
        return product.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
