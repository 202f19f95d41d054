"""Removes what nobody needs any more, once an hour. Several dispatchers may do so at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import structlog
from sqlalchemy import select

from api.platform.db import clock
from api.platform.db.engine import DATABASE_AWAY
from api.platform.retention.rules import Rule, RuleTools

EVERY_S = 3600.0
FIRST_AFTER_S = 60.0
"""A start has more urgent work."""

log = structlog.get_logger(__name__)


async def remove_forever(kept: RuleTools, rules: Sequence[Rule]) -> None:
    await asyncio.sleep(FIRST_AFTER_S)
    while True:
        await apply_rules(kept, rules)
        await asyncio.sleep(EVERY_S)


async def apply_rules(kept: RuleTools, rules: Sequence[Rule]) -> dict[str, int]:
    """Apply each rule once; return what each removed. A rule that fails is logged and holds up no other."""
    removed: dict[str, int] = {}
    for rule in rules:
        try:
            async with kept.database.read() as session:
                before = (await session.scalars(select(clock.now(-rule.keep.total_seconds())))).one()
            removed[rule.name] = await rule.remove(kept, before)
        except DATABASE_AWAY:
            log.warning("database.unavailable", rule=rule.name)
        except Exception:
            log.exception("retention.failed", rule=rule.name)
    if any(removed.values()):
        log.info("retention.removed", **{name.replace(" ", "_"): count for name, count in removed.items() if count})
    return removed
