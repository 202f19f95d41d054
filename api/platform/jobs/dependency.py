"""The web process's job types, for routes that stop or describe jobs."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from api.platform.jobs.job_type import JobTypes


# A coroutine, because FastAPI would run a plain function in a thread for each request.
async def _job_types(request: Request) -> JobTypes:
    types: JobTypes = request.app.state.job_types
    return types


Types = Annotated[JobTypes, Depends(_job_types)]
