"""One id follows a request: into its answer, its log lines and the jobs that it queues."""

from __future__ import annotations

import pytest
import structlog
from sqlalchemy import event, select

from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.testing.browser import Browser
from api.testing.files.uploaded_file import uploaded_file

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

ID = "order-4711.retry_1"


async def test_a_well_formed_id_is_answered_and_others_are_replaced(visitor: Browser) -> None:
    assert (await visitor.get("/healthz", headers={"X-Request-Id": ID})).headers["x-request-id"] == ID
    made = [(await visitor.get("/healthz")).headers["x-request-id"] for _ in range(2)]
    assert len(set(made)) == 2
    for strange in ("short", "x" * 65, "with space in it", "semi;colons"):
        answer = await visitor.get("/healthz", headers=[("X-Request-Id", strange)])
        assert answer.headers["x-request-id"] != strange
    # Refusals of the outer layers have one too.
    assert (await visitor.get("/api/user", headers={"Host": "evil.example", "X-Request-Id": ID})).headers[
        "x-request-id"
    ] == ID


async def test_log_lines_of_a_request_name_it_and_its_person(ada: Browser, state: AppState) -> None:
    lines: list[dict[str, object]] = []

    def keep(_logger: object, _method: str, line: structlog.typing.EventDict) -> str:
        lines.append(dict(line))
        raise structlog.DropEvent

    structlog.configure(processors=[structlog.contextvars.merge_contextvars, keep])
    event.listen(state.database.engine.sync_engine, "checkin", lambda *_: structlog.get_logger("test").info("looked"))
    await ada.get("/api/files", headers={"X-Request-Id": ID})
    await ada.get("/healthz")
    # The web process looks at its database without a request too, when it sweeps uploads.
    assert {line["request_id"] for line in lines if "request_id" in line} == {ID}
    assert [line["request_id"] for line in lines if line.get("user_id") == str(ada.user_id)]


async def test_a_job_carries_the_id_of_the_request_that_queued_it(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    answer = await ada.post(f"/api/files/{file.slug}/cancel", headers={"X-Request-Id": "the-cancel-1"})
    assert answer.status_code == 200, answer.text
    again = await ada.post(f"/api/files/{file.slug}/retry", headers={"X-Request-Id": ID})
    assert again.status_code == 200, again.text
    async with state.database.read() as session:
        jobs = (await session.scalars(select(Job.request_id).where(Job.file_id == file.id))).all()
    assert ID in jobs
