"""Ending tasks that run beside others."""

from __future__ import annotations

import asyncio

import structlog

from cluster.background import end


async def goes_on_after_errors(errors: list[str]) -> None:
    """A loop whose driver answers the first cancellation with an error of its own."""
    while True:
        try:
            try:
                await asyncio.sleep(3_600)
            except asyncio.CancelledError:
                if not errors:
                    raise RuntimeError("The connection was closed.") from None
                raise
        except RuntimeError as error:
            errors.append(str(error))


def test_a_task_that_takes_its_cancellation_for_an_error_ends_all_the_same() -> None:
    async def scenario() -> list[str]:
        errors: list[str] = []
        task = asyncio.create_task(goes_on_after_errors(errors))
        await asyncio.sleep(0)
        await end(task)
        assert task.cancelled()
        return errors

    assert asyncio.run(scenario()) == ["The connection was closed."]


def test_what_a_task_failed_with_is_in_the_log_and_the_others_end() -> None:
    async def fails() -> None:
        raise ValueError("no such table")

    async def scenario() -> None:
        broken, other = asyncio.create_task(fails()), asyncio.create_task(asyncio.sleep(3_600))
        await asyncio.sleep(0)
        await end(broken, other)
        assert other.cancelled()

    with structlog.testing.capture_logs() as logged:
        asyncio.run(scenario())
    assert [each["event"] for each in logged] == ["background.failed"]
