"""How long we keep files in the bin and what makes exports faster."""

from __future__ import annotations

from datetime import datetime, timedelta

from api.content.exports import service as exports
from api.content.library.bin import service as file_bin
from api.platform.retention.rules import Rule, RuleTools

EXPORT_PARTS_DAYS = 30
"""Encoded parts, which only make the next export of the same file faster."""


async def _files(kept: RuleTools, before: datetime) -> int:
    return await file_bin.purge_expired(kept.database, before)


async def _outlived(kept: RuleTools, _before: datetime) -> int:
    return await file_bin.bin_outlived(kept.database, kept.types)


async def _export_parts(kept: RuleTools, before: datetime) -> int:
    return await exports.forget_parts(kept.database, before)


RULES = (
    Rule("files that outlived their team's days", timedelta(), _outlived),
    Rule("files in the bin", timedelta(days=file_bin.BIN_DAYS), _files),
    Rule("parts of exports", timedelta(days=EXPORT_PARTS_DAYS), _export_parts),
)
