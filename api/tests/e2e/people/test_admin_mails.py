"""The admin pages of unsent mails and of replicas, in a browser."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from api.platform.capabilities.replica_recorder import ReplicaRecorder
from api.platform.jobs.models import OutboxMessage
from api.platform.mail.messages import ResetPassword
from api.platform.mail.outgoing import MAIL, stamped
from api.testing.in_browser.pages import WORK_MS
from api.testing.sites.site import Site
from serve.core.replica_messages import GpuMemory, ReplicaReport, TaskReplicas
from serve.tasks.transcription.messages import TRANSCRIPTION

GB = 1_000_000_000


async def failed_mail(site: Site, address: str) -> None:
    mail = ResetPassword(to=address, locale="en", name="Ada", link="http://localhost/reset/x", minutes=600)
    async with site.state.database.write() as session:
        session.add(
            OutboxMessage(
                topic=MAIL, payload=stamped(mail), attempts=1, failed_at=datetime.now(UTC), error="550 No such user"
            )
        )


def test_a_failed_mail_is_tried_again_and_discarded(office: Page, site: Site) -> None:
    address = f"gone.{uuid4().hex[:8]}@example.com"
    site.call(failed_mail(site, address))
    office.goto("/admin/mails?state=failed")
    row = office.get_by_role("row").filter(has_text=address)
    expect(row).to_contain_text("550 No such user", timeout=WORK_MS)
    row.get_by_role("button", name=f"Try the mail to {address} again").click()
    expect(row).to_have_count(0, timeout=WORK_MS)
    office.goto("/admin/mails?state=waiting")
    expect(row).to_contain_text("Waiting", timeout=WORK_MS)
    row.get_by_role("button", name=f"Discard the mail to {address}").click()
    office.get_by_role("dialog").get_by_role("button", name="Discard").click()
    expect(row).to_have_count(0, timeout=WORK_MS)


@pytest.mark.long
def test_a_replica_shows_where_it_runs_and_what_it_takes(office: Page, site: Site) -> None:
    gpu = GpuMemory(5 * GB, 80 * GB)
    replica = ReplicaReport("a1", 1, "gpu-1", "10.0.0.4", "whisper", "large-v3", "cuda", True, 3 * GB, gpu)
    site.call(ReplicaRecorder(site.state.database, lambda: {TRANSCRIPTION: TaskReplicas((replica,), 1)})())
    office.goto("/admin/models")
    card = office.get_by_role("article", name="Speech recognition")
    shown = card.get_by_test_id("replica")
    expect(shown).to_contain_text("gpu-1", timeout=WORK_MS)
    expect(shown).to_contain_text("Working")
    expect(shown).to_contain_text("3 GB of memory · GPU 5 GB of 80 GB in use · 10.0.0.4")
    expect(card).to_contain_text("1 replica starting")
