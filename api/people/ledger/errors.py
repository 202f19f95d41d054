"""Refusals of the ledger."""

from __future__ import annotations

from api.people.ledger.sentences import NO_PLAN
from api.people.plans.enforcement import PlanRefusal
from api.platform.realtime.messages import QUOTA_EXCEEDED
from cluster.sentences import paragraph
from cluster.wording.message import Message

NO_ROOM_WITHOUT_PLAN = paragraph(
    NO_PLAN,
    Message(
        "ledger.files_need_plan",
        "Files need a plan with room for them: choose one, or ask the person who pays for your team.",
    ),
)


class QuotaExceeded(PlanRefusal):
    code = QUOTA_EXCEEDED


class StorageExceeded(PlanRefusal):
    code = "storage_exceeded"
