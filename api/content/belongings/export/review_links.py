"""What a copy says about review links, and who opened them."""

from __future__ import annotations

import uuid

from sqlalchemy import select

from api.content.files.models import File
from api.people.account.export.json_parts import json_bytes
from api.people.account.export.scope import Scope
from api.people.reviewers.models import Reviewer, ReviewLink
from api.platform.db.engine import Database


async def review_links(database: Database, scope: Scope) -> bytes:
    """Without their secrets."""
    statement = (
        select(ReviewLink, File.slug, Reviewer)
        .join(File, File.id == ReviewLink.file_id)
        .outerjoin(Reviewer, Reviewer.link_id == ReviewLink.id)
        .where(scope.on_files(ReviewLink, File))
        .order_by(ReviewLink.created_at, ReviewLink.id, Reviewer.entered_at)
    )
    async with database.read() as session:
        rows = (await session.execute(statement)).tuples().all()
    found: dict[uuid.UUID, dict[str, object]] = {}
    opened: dict[uuid.UUID, list[dict[str, object]]] = {}
    for link, slug, reviewer in rows:
        reviewers = opened.setdefault(link.id, [])
        if reviewer is not None:
            reviewers.append({"name": reviewer.name, "entered_at": reviewer.entered_at, "seen_at": reviewer.seen_at})
        found[link.id] = {
            "file": slug,
            "rights": link.rights,
            "has_password": link.password_hash is not None,
            "created_at": link.created_at,
            "expires_at": link.expires_at,
            "revoked_at": link.revoked_at,
            "reviewers": reviewers,
        }
    return json_bytes(list(found.values()))
