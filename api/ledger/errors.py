"""Refusals of the ledger."""

from __future__ import annotations

from api.plans.errors import PlanRefusal

QUOTA_EXCEEDED = "quota_exceeded"
"""The code of the refusal, and of a file that waits for minutes."""


class QuotaExceeded(PlanRefusal):
    code = QUOTA_EXCEEDED


class StorageExceeded(PlanRefusal):
    code = "storage_exceeded"
