"""Lists of files and uploads: in pages, sorted, filtered, searched, and counted, on both databases."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from api.content.arrivals.models import Upload, UploadStatus
from api.content.files.models import File, FileKind, FileStatus
from api.platform.db.base import utc_now
from api.platform.http.paging import PER_PAGE
from api.platform.http.state import AppState
from api.testing.browser import Browser

one_database = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def fill(state: AppState, browser: Browser, *rows: dict[str, Any]) -> None:
    """Files, oldest first."""
    begin = utc_now() - timedelta(days=1)
    async with state.database.write() as session:
        session.add_all(
            File(
                user_id=browser.user_id,
                filename="a.mp4",
                original_key="a",
                language="is-IS",
                created_at=begin + timedelta(seconds=number),
                **{"name": f"file {number}", **values},
            )
            for number, values in enumerate(rows)
        )


async def names(browser: Browser, call: str = "/api/files", **query: Any) -> tuple[list[str], int]:
    answer = await browser.get(call, params=query)
    assert answer.status_code == 200, answer.text
    return [file["name"] for file in answer.json()["data"]], answer.json()["meta"]["total"]


async def test_every_file_can_be_reached_beyond_the_first_hundred(ada: Browser, bob: Browser, state: AppState) -> None:
    count = PER_PAGE + 5
    await fill(state, ada, *({} for _ in range(count)))
    await fill(state, bob, {})
    first, total = await names(ada)
    assert (len(first), total, first[0]) == (PER_PAGE, count, f"file {count - 1}")
    seen: list[str] = []
    for page in range(1, 13):
        part, total = await names(ada, page=page, per_page=10)
        assert total == count
        seen += part
    assert seen == [f"file {number}" for number in reversed(range(count))]
    assert await names(ada, limit=3) == (first[:3], count)
    answer = (await ada.get("/api/files", params={"page": 2, "per_page": 30})).json()
    assert answer["meta"] == {"total": count, "page": 2, "per_page": 30}


@pytest.mark.long
@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("-created_at", "áb b A"),
        ("created_at", "A b áb"),
        ("-duration_ms", "b A áb"),
        ("duration_ms", "A b áb"),
        ("-size_bytes", "áb A b"),
        ("size_bytes", "b A áb"),
    ],
)
async def test_sorting_puts_unknown_values_last(ada: Browser, state: AppState, sort: str, order: str) -> None:
    await fill(
        state,
        ada,
        {"name": "A", "duration_ms": 5, "size_bytes": 20},
        {"name": "b", "duration_ms": 9, "size_bytes": 10},
        {"name": "áb", "size_bytes": 30},
    )
    assert (await names(ada, sort=sort))[0] == order.split()


@pytest.mark.long
async def test_names_are_sorted_whatever_their_case(ada: Browser, state: AppState) -> None:
    await fill(state, ada, {"name": "beta"}, {"name": "Gamma"}, {"name": "alpha"})
    assert (await names(ada, sort="name"))[0] == ["alpha", "beta", "Gamma"]
    assert (await names(ada, sort="-name"))[0] == ["Gamma", "beta", "alpha"]


@pytest.mark.long
async def test_status_and_words_narrow_the_list(ada: Browser, state: AppState) -> None:
    await fill(
        state,
        ada,
        {"name": "Þriðjudagur 100%", "status": FileStatus.COMPLETED},
        {"name": "Friday 1000", "status": FileStatus.FAILED},
        {"name": "Friday again", "status": FileStatus.TRANSCRIBING},
    )
    assert await names(ada, status="failed") == (["Friday 1000"], 1)
    assert await names(ada, status=["failed", "completed"]) == (["Friday 1000", "Þriðjudagur 100%"], 2)
    assert await names(ada, q=" þriðju\x00") == (["Þriðjudagur 100%"], 1)
    assert await names(ada, q="0%") == (["Þriðjudagur 100%"], 1)
    assert await names(ada, q="friday", status="transcribing") == (["Friday again"], 1)
    assert await names(ada, q="nothing") == ([], 0)
    assert await names(ada, q="friday", page=5, per_page=1) == ([], 2)


async def test_videos_are_videos_alone(ada: Browser, state: AppState) -> None:
    await fill(state, ada, *({"name": kind, "kind": kind} for kind in FileKind))
    assert await names(ada, "/api/files/videos") == ([FileKind.VIDEO], 1)
    assert (await names(ada))[1] == len(FileKind)


@pytest.mark.long
@one_database
@pytest.mark.parametrize(
    "query",
    ["page=0", "per_page=1001", "limit=0", "sort=id", "status=good", "page=99999999999999999999", "q=" + "x" * 201],
)
async def test_impossible_lists_are_refused(ada: Browser, query: str) -> None:
    assert (await ada.get(f"/api/files?{query}")).status_code == 422


async def test_uploads_come_in_pages_too(ada: Browser, state: AppState) -> None:
    async with state.database.write() as session:
        session.add_all(
            Upload(user_id=ada.user_id, filename=f"{number}", language="is-IS", status=UploadStatus.INCOMPLETE)
            for number in range(5)
        )
        await session.flush()
        await session.execute(update(Upload).where(Upload.filename == "4").values(is_displayed=False))
    seen = []
    for page in (1, 2):
        answer = (await ada.get("/api/files/uploads", params={"page": page, "per_page": 3})).json()
        assert answer["meta"]["total"] == 4
        seen += [upload["filename"] for upload in answer["data"]]
    assert sorted(seen) == ["0", "1", "2", "3"]
