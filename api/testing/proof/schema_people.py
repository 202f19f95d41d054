"""Who makes the generated calls: a user and an administrator where nobody pays, and a team's owner who pays."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from api.testing.proof.schema_calls import Caller, make_caller
from api.testing.proof.world import World, opened_world
from api.testing.stripe.server import StripeServer, running_stripe


@contextmanager
def opened_people(folder: Path, runner: asyncio.Runner) -> Iterator[list[Caller]]:
    with (
        running_stripe() as bank,
        _running(runner, folder / "free") as free,
        _running(runner, folder / "paid", bank) as paid,
    ):
        # What an administrator does to an account must not end the calls of the others.
        customer = str(free.people["vera"].user_id)
        yield [
            make_caller("user", free, "ada"),
            make_caller("admin", free, "root", user_id=customer, id=customer),
            make_caller("owner", paid, "ada"),
        ]


@contextmanager
def _running(runner: asyncio.Runner, folder: Path, bank: StripeServer | None = None) -> Iterator[World]:
    opening = opened_world(folder, bank)
    yield runner.run(opening.__aenter__())
    runner.run(opening.__aexit__(None, None, None))
