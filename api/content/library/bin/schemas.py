from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, StringConstraints

from api.content.files.models import FileKind
from api.platform.http.limits import KEYWORD_MAX
from api.platform.http.paging import PageQuery
from api.platform.http.text import CLEAN_LINE


class BinQuery(PageQuery):
    """`q` is matched against names."""

    q: Annotated[str, StringConstraints(max_length=KEYWORD_MAX), CLEAN_LINE] = ""


class BinnedFile(BaseModel):
    """A file in the bin. `days_left`: days until it is deleted for good, the one that has begun included.

    `may_change`: whether the viewer may restore it; `may_purge`: whether they may delete it for good. Both are true
    except for support in somebody's account.
    """

    id: uuid.UUID
    slug: str
    name: str
    kind: FileKind
    team_id: uuid.UUID | None
    duration_ms: int | None
    size_bytes: int | None
    created_at: datetime
    deleted_at: datetime
    days_left: int
    may_change: bool
    may_purge: bool


class PurgeCount(BaseModel):
    """The number of files deleted for good."""

    deleted: int
