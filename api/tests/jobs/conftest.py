from __future__ import annotations

from api.testing.jobs.fixtures import clip, head, jobs, place, recorder

__all__ = ["clip", "head", "jobs", "place", "recorder"]
