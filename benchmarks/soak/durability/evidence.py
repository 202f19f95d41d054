"""Everything the checker may look at: the clients' journal, the database, and the disk."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlalchemy import select, text

from api.content.uploads.incoming import INCOMING
from api.people.ledger.invariants import violations
from api.platform.db.base import utc_now
from api.platform.db.engine import Database
from api.platform.settings import ApiSettings
from api.tables import metadata
from benchmarks.soak.durability import journal
from benchmarks.soak.durability.journal import Entry, Event
from benchmarks.soak.durability.watch import SEPARATOR, TABLE, WATCHED

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Change:
    """One committed change of a watched row. `old` is None for a new row, `new` for one that was deleted."""

    table: str
    row_id: uuid.UUID
    old: Row | None
    new: Row | None

    @property
    def status(self) -> str:
        """The name of the row's status column."""
        return WATCHED[self.table][0]


@dataclass(frozen=True)
class Evidence:
    entries: list[Entry]
    tables: dict[str, list[Row]]
    changes: list[Change]
    now: datetime
    """The database's time at the reading."""
    lease_s: float
    storage: Path
    work: Path
    ledger: list[str] = field(default_factory=list)
    """What does not add up in the ledger, as sentences."""
    shop: dict[str, list[Row]] = field(default_factory=dict)
    """What the stand-in for Stripe holds, by kind: customers, subscriptions, invoices and so on."""

    def entries_of(self, *events: Event) -> Iterator[Entry]:
        """Journal entries of these kinds, in order."""
        return (entry for entry in self.entries if entry["event"] in events)

    def slugs(self, *events: Event) -> set[str]:
        return {entry["slug"] for entry in self.entries_of(*events)}

    def changes_of(self, table: str) -> Iterator[Change]:
        return (change for change in self.changes if change.table == table)

    @cached_property
    def purged(self) -> set[str]:
        """Files that somebody wanted to delete for good."""
        return self.slugs(Event.PURGE_ASKED)

    @cached_property
    def objects(self) -> dict[str, int]:
        """Size in bytes of each stored object by its key."""
        found = {}
        for path in self.storage.rglob("*"):
            key = path.relative_to(self.storage)
            if path.is_file() and not key.parts[0].startswith("."):
                found[str(key)] = path.stat().st_size
        return found

    @cached_property
    def incoming(self) -> dict[str, Path]:
        """Files in the upload server's folder by name."""
        folder = self.storage / INCOMING
        return {path.name: path for path in folder.iterdir() if path.is_file()} if folder.is_dir() else {}

    @cached_property
    def slug_of_file(self) -> dict[uuid.UUID, str]:
        """Deleted files included."""
        return {change.row_id: str((change.new or change.old or {})["slug"]) for change in self.changes_of("files")}


async def gather(settings: ApiSettings, journal_path: Path, shop: dict[str, list[Row]], *, lease_s: float) -> Evidence:
    database = Database(settings.db_url)
    try:
        async with database.read() as session:
            tables: dict[str, list[Row]] = {
                name: [row._asdict() for row in await session.execute(select(table))]
                for name, table in metadata.tables.items()
            }
            ledger = await violations(session)
            changed = (await session.execute(text(f"SELECT tbl, row_id, old, new FROM {TABLE} ORDER BY id"))).tuples()
            changes = [
                Change(table, uuid.UUID(row_id), _values(table, old), _values(table, new))
                for table, row_id, old, new in changed
            ]
    finally:
        await database.close()
    return Evidence(
        journal.read(journal_path),
        tables,
        changes,
        # The checker, the product and the database share this machine's clock.
        utc_now(),
        lease_s,
        settings.storage_root,
        settings.work_root,
        ledger,
        shop,
    )


def _values(table: str, joined: str | None) -> Row | None:
    return None if joined is None else dict(zip(WATCHED[table], joined.split(SEPARATOR), strict=True))
