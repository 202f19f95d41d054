"""Refusals of the ledger."""

from __future__ import annotations

from api.people.plans.errors import PlanRefusal
from api.platform.realtime.messages import QUOTA_EXCEEDED


class QuotaExceeded(PlanRefusal):
    code = QUOTA_EXCEEDED


class StorageExceeded(PlanRefusal):
    code = "storage_exceeded"
