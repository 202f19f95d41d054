from __future__ import annotations

from pipelines.testing.media.divided_film import film

__all__ = ["film"]
