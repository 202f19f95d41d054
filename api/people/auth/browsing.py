"""What an administrator may do while browsing as a customer. Everything they open or change is recorded."""

from __future__ import annotations

import re
import uuid
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime

from starlette.requests import HTTPConnection

from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.platform.db.engine import Database
from api.platform.http.errors import Conflict, Forbidden
from cluster.wording.message import Message

PATH_MAX = 200
"""Letters of a path that an entry holds."""
REMEMBERED = 20_000
"""Openings that a process remembers, so that a video in 500 parts is one entry."""

OWN_CALLS = re.compile(
    r"/api/(?:browse-as(?:/.*)?|broadcasting/auth|error/log|polling/initiate|config|user|user/log"
    r"|files/captions/[^/]+/presence|caption-styles/script)"
)
"""Calls that show and change nothing private."""
CHANGING = re.compile(r"/api/user/(?:subscription/(?:cancel|uncancel)|stripe/intent)")
"""Calls that change something although their method is GET."""
NEVER = re.compile(
    r"/api/user/(?:subscription/(?:cancel|uncancel)|stripe/intent|export|browser-key)(?:/.*)?"
    r"|/api/account/(?:export|data)(?:/.*)?"
)
"""Calls that no administrator makes for a customer, whatever their method."""
READING = re.compile(r"POST /api/(?:captions/replace/preview|files/captions/[^/]+/outside-review|ledger/quote)")
"""Calls that change nothing although their method is POST, as method and path."""
MAY_CHANGE = re.compile(
    r"[A-Z]+ /tus(?:/.*)?"
    r"|(?:POST|PUT) /api/files/upload(?:/token)?|DELETE /api/files/(?:upload/[^/]+|delete-multiple)"
    r"|POST /api/files/(?:improve|tags|bin/restore)|PUT /api/files/style/[^/]+"
    r"|[A-Z]+ /api/files/(?:aitext|captions|minutes|speakers)/.+"
    r"|(?:PUT|DELETE) /api/files/(?!bin$|upload$)[^/]+"
    r"|POST /api/files/[^/]+/(?:cancel|playback|retry|shots|transcribe)"
    r"|[A-Z]+ /api/(?:caption-styles|captions/profiles|glossary|tags)(?:/.*)?"
    r"|POST /api/captions/replace"
    r"|[A-Z]+ /api/video/exports?/.+"
)
"""What the second switch allows: work on media, captions and what belongs to them. All other changes are the owner's:
they last longer than the look into the account, reach other people, cost money or cannot be undone."""

_KINDS = {
    "captions": re.compile(r"/api/(?:files/captions|speakers|files/transcriptions|translation)(?:/([^/]+))?.*"),
    "AI texts": re.compile(r"/api/files/(?:aitext|minutes)(?:/([^/]+))?.*"),
    "exports": re.compile(r"/api/video/exports?(?:/([^/]+))?.*"),
    "uploads": re.compile(r"/(?:api/content/files/uploads?|tus)(?:/([^/]+))?.*"),
    "tags": re.compile(r"/api/tags(?:/([^/]+))?.*"),
    "caption styles": re.compile(r"/api/(?:caption-styles|files/style)(?:/([^/]+))?.*"),
    "quality profiles": re.compile(r"/api/captions/profiles(?:/([^/]+))?.*"),
    "the glossary": re.compile(r"/api/glossary(?:/([^/]+))?.*"),
    "a file": re.compile(r"/api/files/([^/]+).*"),
    "the list of files": re.compile(r"/api/files()"),
    "teams": re.compile(r"/api/teams(?:/([^/]+))?.*"),
    "webhooks": re.compile(r"/api/webhooks(?:/([^/]+))?.*"),
    "minutes": re.compile(r"/api/ledger(?:/([^/]+))?.*"),
}


@dataclass(frozen=True, slots=True)
class Browsing:
    """An administrator's session while they use a customer's account. `id` names it in the audit log."""

    id: uuid.UUID
    admin_id: uuid.UUID
    subject_id: uuid.UUID
    ends_at: datetime
    may_change: bool
    has_ended: bool


class BrowseAsEnded(Conflict):
    """The page still shows the customer's account, but a call would now be the administrator's own."""

    code = "browse_as_ended"
    message = Message(
        "auth.browse_as_ended", "Your time in this account is over. Reload the page to return to your own."
    )


class OnlyLooking(Forbidden):
    code = "browse_as_read_only"
    message = Message("auth.only_looking", "You are looking at somebody else's account. Turn on changes first.")


class NotForOthers(Forbidden):
    code = "browse_as_never"
    message = Message(
        "auth.not_for_others",
        "Only the account's owner can do this: passwords, e-mail, payment, teams, keys and deletion are theirs.",
    )


_opened: OrderedDict[tuple[uuid.UUID, str], None] = OrderedDict()


async def admit(connection: HTTPConnection, database: Database, browsing: Browsing, *, network: str) -> None:
    """Refuse what an administrator may not do in somebody's account, and record the rest before it happens."""
    path, method = connection.url.path, str(connection.scope.get("method", "GET"))
    if OWN_CALLS.fullmatch(path) and (method in ("GET", "HEAD") or not path.startswith("/api/user")):
        return
    if browsing.has_ended:
        raise BrowseAsEnded
    is_changing = changes_something(method, path)
    if NEVER.fullmatch(path) or (is_changing and not MAY_CHANGE.fullmatch(f"{method} {path}")):
        raise NotForOthers
    if is_changing and not browsing.may_change:
        raise OnlyLooking
    opening = (browsing.id, path)
    # One call may ask twice: in front of a large body, and for the route.
    if connection.scope.get("browse_as_recorded") or (not is_changing and opening in _opened):
        return
    kind, key = _object_of(path)
    async with database.write() as session:
        record(
            session,
            AuditAction.BROWSE_AS_CHANGED if is_changing else AuditAction.BROWSE_AS_OPENED,
            actor_id=browsing.admin_id,
            subject_id=browsing.subject_id,
            object_kind=kind,
            object_id=key,
            network=network,
            browse_as=str(browsing.id),
            method=method,
            path=path[:PATH_MAX],
        )
    connection.scope["browse_as_recorded"] = True
    if not is_changing:
        _opened[opening] = None
        while len(_opened) > REMEMBERED:
            _opened.popitem(last=False)


def changes_something(method: str, path: str) -> bool:
    if method in ("GET", "HEAD", "OPTIONS"):
        return CHANGING.fullmatch(path) is not None
    return READING.fullmatch(f"{method} {path}") is None


def _object_of(path: str) -> tuple[str | None, str | None]:
    """What a path is about, in words, and the id that it holds."""
    for kind, pattern in _KINDS.items():
        match = pattern.fullmatch(path)
        if match is not None:
            return kind, (match.group(1) or "")[:100] or None
    return None, None
