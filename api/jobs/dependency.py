"""The job types of the running web process, for routes that stop or describe jobs."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from api.jobs.job_type import JobTypes


# A coroutine: FastAPI would send a plain function through a thread, for each request.
async def _job_types(request: Request) -> JobTypes:
    types: JobTypes = request.app.state.job_types
    return types


Types = Annotated[JobTypes, Depends(_job_types)]
