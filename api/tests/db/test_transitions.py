"""Statuses move by one table each, which raises; nothing else in the product writes a status."""

from __future__ import annotations

import ast
import uuid
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

import api
from api.content.ai_texts.models import AiTextStatus
from api.content.ai_texts.transitions import AI_TEXT_STATUS
from api.content.arrivals.models import UploadStatus
from api.content.arrivals.transitions import UPLOAD_STATUS
from api.content.exports.models import ExportStatus
from api.content.exports.transitions import EXPORT_STATUS
from api.content.files.models import FileStatus
from api.content.files.transitions import FILE_STATUS
from api.platform.db.transitions import IllegalTransition, Transitions
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobState
from api.platform.jobs.transitions import JOB_STATE
from api.testing.jobs.fixtures import jobs
from api.testing.jobs.job_queue import Jobs

__all__ = ["jobs"]

TABLES: list[tuple[Transitions[Any, Any], type[StrEnum]]] = [
    (FILE_STATUS, FileStatus),
    (UPLOAD_STATUS, UploadStatus),
    (EXPORT_STATUS, ExportStatus),
    (AI_TEXT_STATUS, AiTextStatus),
    (JOB_STATE, JobState),
]
STATUS_COLUMNS = {table.column.key for table, _ in TABLES}
PRODUCT = Path(api.__file__).parent
NOT_PRODUCT = ("tests", "testing", "migrations")
THE_ONE_PLACE = "db/transitions.py"


@pytest.mark.parametrize(("table", "statuses"), TABLES, ids=lambda value: getattr(value, "__name__", ""))
def test_each_table_names_every_status_and_refuses_what_it_does_not_list(
    table: Transitions[Any, Any], statuses: type[StrEnum]
) -> None:
    assert set(table.allowed) == set(statuses)
    for source in statuses:
        for target in statuses:
            row = table.model(**{table.column.key: source})
            if target in table.allowed[source]:
                table.move(row, target)
                assert getattr(row, table.column.key) == target
                assert source in table.sources(target)
            else:
                assert not table.try_move(row, target)
                with pytest.raises(IllegalTransition, match=f"from {source} to {target}"):
                    table.move(row, target)
                assert getattr(row, table.column.key) == source
                assert source not in table.sources(target)


async def test_an_update_of_many_rows_moves_only_those_whose_status_allows_it(jobs: Jobs) -> None:
    ids = {state: await jobs.put(state) for state in JobState}
    for state, job_id in ids.items():
        await jobs.change(job_id, state=state)
    async with jobs.database.write() as session:
        await session.execute(JOB_STATE.update_to(JobState.CANCELLED))
    found = {state: (await jobs.get(job_id)).state for state, job_id in ids.items()}
    cancelled = {state for state, now in found.items() if now is JobState.CANCELLED}
    assert cancelled == {JobState.READY, JobState.RUNNING, JobState.CANCELLED}
    assert found[JobState.DONE] is JobState.DONE


async def test_a_status_is_stored_as_its_plain_word_and_read_as_a_member(jobs: Jobs) -> None:
    job_id: uuid.UUID = await jobs.put("one")
    async with jobs.database.read() as session:
        assert await session.scalar(text("SELECT state FROM jobs")) == "ready"
        assert await session.scalar(select(Job.state).where(Job.id == job_id)) is JobState.READY


@pytest.mark.long
def test_no_status_is_written_past_the_tables() -> None:
    files = [
        path
        for path in PRODUCT.rglob("*.py")
        if not set(path.relative_to(PRODUCT).parts) & set(NOT_PRODUCT) and path != PRODUCT / THE_ONE_PLACE
    ]
    assert len(files) > 100
    found = [f"{path.relative_to(PRODUCT)}:{line}" for path in files for line in _writes(ast.parse(path.read_text()))]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "job.state = JobState.DONE",
        "file.status, file.error = status, None",
        "row.file.status: FileStatus = status",
        "setattr(file, 'status', status)",
        "update(File).where(File.id == 1).values(status='failed')",
        "update(File).values({'status': 'failed'})",
        "update(File).values({File.status: 'failed'})",
    ],
)
def test_the_search_finds_such_writes(code: str) -> None:
    assert list(_writes(ast.parse(code))) == [1]


def _writes(tree: ast.Module) -> Iterator[int]:
    """Lines that write a status. An object's own field (`self.state`) is none: models have no methods that do it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
            if isinstance(node.ctx, ast.Store) and node.attr in STATUS_COLUMNS and not is_own:
                yield node.lineno
        elif isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if (name == "values" and _names(node) & STATUS_COLUMNS) or (
                name == "setattr" and isinstance(node.args[1], ast.Constant) and node.args[1].value in STATUS_COLUMNS
            ):
                yield node.lineno


def _names(call: ast.Call) -> set[str]:
    """The columns that a call of `values` names, as keywords or as keys of a dictionary."""
    keys = [key for each in call.args if isinstance(each, ast.Dict) for key in each.keys]
    named = {key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
    named |= {key.attr for key in keys if isinstance(key, ast.Attribute)}
    return named | {keyword.arg for keyword in call.keywords if keyword.arg is not None}
