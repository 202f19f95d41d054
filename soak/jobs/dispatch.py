"""`python -m soak.jobs.dispatch`: a real dispatcher process, but for its flows and the length of its leases."""

from __future__ import annotations

from functools import partial

from api.jobs import dispatcher, process, queue
from api.jobs.attempt import Tools
from api.settings import ApiSettings
from soak.jobs.flows import cheap_attempt

LEASE_S = 8.0
BEAT_S = 2.0

if __name__ == "__main__":
    for module, name, value in (
        (queue, "LEASE_S", LEASE_S),
        (dispatcher, "BEAT_S", BEAT_S),
        (process, "Tools", partial(Tools, task=cheap_attempt)),
    ):
        setattr(module, name, value)
    process.run(ApiSettings())
