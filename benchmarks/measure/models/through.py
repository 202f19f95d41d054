"""Where the product's model runs while it is measured."""

from __future__ import annotations

from enum import StrEnum


class Through(StrEnum):
    PROCESS = "process"
    CLUSTER = "cluster"
