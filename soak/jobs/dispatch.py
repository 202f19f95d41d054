"""`python -m soak.jobs.dispatch`: a real dispatcher process, except for its flows and shorter leases."""

from __future__ import annotations

from api.dispatcher import run
from api.jobs import dispatcher, queue
from api.settings import ApiSettings
from soak.jobs.flows import CHEAP_TYPES

LEASE_S = 8.0
BEAT_S = 2.0

if __name__ == "__main__":
    for module, name, value in (
        (queue, "LEASE_S", LEASE_S),
        (dispatcher, "BEAT_S", BEAT_S),
    ):
        setattr(module, name, value)
    run(ApiSettings(), CHEAP_TYPES)
