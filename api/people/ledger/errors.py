"""Refusals of the ledger."""

from __future__ import annotations

from api.people.plans.errors import QUOTA_EXCEEDED, PlanRefusal


class QuotaExceeded(PlanRefusal):
    code = QUOTA_EXCEEDED


class StorageExceeded(PlanRefusal):
    code = "storage_exceeded"
