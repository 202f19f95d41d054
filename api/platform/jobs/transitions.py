"""Which state of a job may follow which."""

from __future__ import annotations

from api.platform.db.transitions import Transitions
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobState

_S = JobState

JOB_STATE = Transitions(
    Job,
    Job.state,
    {
        _S.READY: frozenset({_S.RUNNING, _S.CANCELLED}),
        # Running to running is the next claim of a job whose lease ended; back to ready, a retry or a hand-back.
        _S.RUNNING: frozenset({_S.RUNNING, _S.READY, _S.DONE, _S.FAILED, _S.CANCELLED}),
        _S.DONE: frozenset(),
        # Only a person's retry leads out of these two.
        _S.FAILED: frozenset({_S.READY}),
        _S.CANCELLED: frozenset({_S.READY}),
    },
)
