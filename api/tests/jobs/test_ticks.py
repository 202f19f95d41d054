"""Live progress for the page: no tick arrives after the end."""

from __future__ import annotations

import uuid

from api.platform.jobs.attempts.ticks import Ticks
from api.platform.realtime.messages import Action, PollingMessage, Topic
from api.platform.realtime.notices import Audience, Notice
from api.platform.realtime.publisher import Publisher
from api.platform.settings import ApiSettings


async def test_only_the_newest_tick_of_a_job_is_kept_and_none_after_its_end() -> None:
    settings = ApiSettings(realtime_url="http://127.0.0.1:9", realtime_secret="s")
    async with Publisher(settings) as publisher:
        collected = Ticks(publisher)
        job, other, user = uuid.uuid4(), uuid.uuid4(), uuid.uuid4()
        for percent in (10, 20):
            message = PollingMessage(
                queue=Topic.UPLOAD, action=Action.PROGRESS, name="talk", slug="s", progress=percent
            )
            notice = Notice(Audience((user,)), message)
            collected.offer(job, [notice], 7)
            collected.offer(other, [notice.with_fields(eta_s=3)], 7)
        await collected.drop(job)
        assert [event.data for event in collected.take()] == [
            {
                "queue": "Upload",
                "action": "Progress",
                "slug": "s",
                "name": "talk",
                "child": None,
                "progress": 20,
                "eta_s": 3,
            }
        ]
        assert collected.take() == []
