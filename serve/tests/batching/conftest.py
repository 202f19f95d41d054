"""A scheduler over an engine whose speed the tests control."""

from __future__ import annotations

from serve.testing.batches import batcher, engine

__all__ = ["batcher", "engine"]
