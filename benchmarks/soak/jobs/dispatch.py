"""`python -m benchmarks.soak.jobs.dispatch`: a real dispatcher process, except for its flows and shorter leases."""

from __future__ import annotations

from dataclasses import replace

from api.dispatcher import run
from api.job_types import JOB_TYPES
from api.platform.jobs import queue
from api.platform.jobs.dispatch import dispatcher
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.states import JobKind
from api.platform.settings import ApiSettings
from benchmarks.soak.jobs import flows

_FLOWS = {JobKind.UPLOAD: flows.upload, JobKind.ENCODING: flows.encoding, JobKind.TRANSCRIBE: flows.transcribe}
CHEAP_TYPES: JobTypes = {
    kind: replace(job_type, flow=f"{flows.__name__}:{_FLOWS[JobKind(kind)].__name__}") if kind in _FLOWS else job_type
    for kind, job_type in JOB_TYPES.items()
}
LEASE_S = 8.0
BEAT_S = 2.0

if __name__ == "__main__":
    for module, name, value in (
        (queue, "LEASE_S", LEASE_S),
        (dispatcher, "BEAT_S", BEAT_S),
    ):
        setattr(module, name, value)
    run(ApiSettings(), CHEAP_TYPES)
