"""Search over the names and captions of files."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import Field

from api.content.search import queries
from api.content.search.schemas import FoundOut
from api.people.auth.limits import TryCounter
from api.people.auth.viewer import SignedIn
from api.platform.http.errors import Invalid, error_responses
from api.platform.http.limits import KEYWORD_MAX
from api.platform.http.paging import Page, PageQuery, page_of
from api.platform.http.state import ReadSession
from api.platform.http.text import clean_line
from cluster.wording.message import Message

SHORT_KEYWORD = Message("search.short_keyword", "Type at least 3 characters to search.")
FILES_MAX = 100

TRIES = 120
"""Searches of a person in a minute, in each web process. The page sends one when somebody pauses while typing. The
limit spares the process, so it is counted there: counting in the database would cost a write for each search."""

router = APIRouter(prefix="/api/files", tags=["search"])


searches = TryCounter(TRIES)


class SearchQuery(PageQuery):
    """The page, of fewer files than in other lists: each comes with lines."""

    per_page: int | None = Field(None, ge=1, le=FILES_MAX)
    limit: int = Field(20, ge=1, le=FILES_MAX)


# The converter lets a keyword hold a slash.
@router.get("/transcriptions/search/{keyword:path}", responses=error_responses(401, 422, 429))
async def search(
    keyword: Annotated[str, Path(max_length=KEYWORD_MAX)],
    viewer: SignedIn,
    session: ReadSession,
    page: Annotated[SearchQuery, Query()],
) -> Page[FoundOut]:
    """Files whose name or captions in any language contain all words of the keyword, newest first."""
    wanted = clean_line(keyword)
    if len(wanted) < queries.SEARCH_MIN:
        raise Invalid.field("keyword", SHORT_KEYWORD)
    searches.add(str(viewer.user_id))
    found, total = await queries.search(session, viewer, wanted, page)
    return page_of(found, page, total)
