from __future__ import annotations

from api.testing.jobs.fixtures import clip, head, installation

__all__ = ["clip", "head", "installation"]
