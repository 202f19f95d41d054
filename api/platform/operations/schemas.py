from __future__ import annotations

from pydantic import BaseModel


class Readiness(BaseModel):
    """`checks` names what was looked at."""

    status: str
    checks: list[str]


class Liveness(BaseModel):
    status: str
