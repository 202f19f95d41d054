"""What customers paid and how much they store."""

from __future__ import annotations

import asyncio
import shutil
from collections import defaultdict
from datetime import UTC, date, datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.exports.models import Export
from api.content.files.models import File
from api.edges.admin.dashboard.ranges import DAY_S
from api.edges.admin.dashboard.schemas import RevenueMonth, StorageFigures
from api.people.billing.models import Invoice, InvoiceSource, InvoiceState
from api.people.plans.tiers import CURRENCY
from api.platform.db.expressions import epoch_s
from cluster.settings import ClusterSettings

MONTHS = 12


async def revenue(session: AsyncSession, now: datetime) -> list[RevenueMonth]:
    """Paid invoices of the last twelve months, by the month of their payment in UTC."""
    months = _months(now)
    day = epoch_s(Invoice.paid_at) // DAY_S
    rows = await session.execute(
        select(day, Invoice.source, Invoice.currency, func.sum(Invoice.total))
        .where(Invoice.state == InvoiceState.PAID, Invoice.paid_at >= datetime(*months[0].timetuple()[:3], tzinfo=UTC))
        .group_by(day, Invoice.source, Invoice.currency)
    )
    paid: dict[tuple[str, date, str], int] = defaultdict(int)
    for number, source, currency, total in rows.tuples():
        month = datetime.fromtimestamp(number * DAY_S, UTC).date().replace(day=1)
        paid[currency, month, source] += int(total or 0)
    currencies = sorted({currency for currency, *_ in paid}) or [CURRENCY]
    return [
        RevenueMonth(
            month=month,
            currency=currency,
            stripe=paid[currency, month, InvoiceSource.STRIPE],
            contract=paid[currency, month, InvoiceSource.CONTRACT],
        )
        for currency in currencies
        for month in months
    ]


async def storage(session: AsyncSession, settings: ClusterSettings) -> StorageFigures:
    total = func.coalesce(func.sum(File.size_bytes), 0)
    files, originals = (await session.execute(select(func.count(), total))).tuples().one()
    in_bin = await session.scalar(select(total).where(File.deleted_at.is_not(None)))
    exports = await session.scalar(select(func.coalesce(func.sum(Export.size_bytes), 0)))
    free = None
    if settings.storage_url is None:
        free = (await asyncio.to_thread(shutil.disk_usage, _existing(settings))).free
    return StorageFigures(
        files=files,
        original_bytes=int(originals or 0),
        export_bytes=int(exports or 0),
        bin_bytes=int(in_bin or 0),
        free_bytes=free,
    )


def _existing(settings: ClusterSettings) -> str:
    folder = settings.storage_root.resolve()
    while not folder.exists():
        folder = folder.parent
    return str(folder)


def _months(now: datetime) -> list[date]:
    """The first days of the last twelve months, this one included."""
    count = now.year * 12 + now.month - 1
    return [date(each // 12, each % 12 + 1, 1) for each in range(count - MONTHS + 1, count + 1)]
