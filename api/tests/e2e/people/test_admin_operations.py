"""The admin pages of contents, invoices, models and figures, in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import delete, update

from api.content.files.models import File, FileStatus
from api.people.plans.models import Contract
from api.platform.capabilities.replica_recorder import ReplicaRecorder
from api.platform.capabilities.service import store
from api.testing.admins import promote
from api.testing.files.uploaded_file import uploaded_file
from api.testing.in_browser.axe import violations
from api.testing.in_browser.pages import WORK_MS, watched_page
from api.testing.sites.site import Person, Site
from serve.core.capability import Capability
from serve.core.messages import EngineInfo
from serve.core.replica_messages import BatchLimits, ReplicaReport, TaskReplicas
from serve.tasks.transcription.messages import TRANSCRIPTION
from serve.tasks.transcription.sherpa.families.parakeet import Parakeet
from serve.tasks.transcription.sherpa.families.parakeet_languages import EUROPEAN
from serve.tasks.transcription.sherpa.folder import SherpaFolder

LIMITS = BatchLimits(max_queued=600_000, max_batch=64, wait_ms=30)
REPLICA = ReplicaReport("a1", 1, "gpu-1", "10.0.0.4", "whisper", "large-v3", "cuda", False, None, limits=LIMITS)
REPLICAS = TaskReplicas((REPLICA,), profile_problem="The profile has wrong entries. The one read before stays in use.")


@pytest.fixture(scope="module")
def root(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Person:
    """An administrator of `site`."""
    cookies = tmp_path_factory.mktemp("cookies") / "root.json"
    person = Person(site.sign_up(f"Root{uuid4().hex[:8]}", cookies), cookies)
    site.call(promote(site.state, person.user_id))
    return person


@pytest.fixture
def office(chromium: Browser, site: Site, root: Person) -> Iterator[Page]:
    """The administrator's browser. What the page reports as an error fails the test."""
    with watched_page(chromium, site.url, cookies=root.cookies) as opened:
        opened.set_default_timeout(WORK_MS)
        yield opened


async def load(site: Site, engine: EngineInfo | None) -> None:
    async with site.state.database.write() as session:
        await store(session, Capability(TRANSCRIPTION, engine))


async def failed_file(site: Site, root: Person, name: str) -> None:
    file = await uploaded_file(site.state, root.user_id, filename=f"{name}.mp4")
    async with site.state.database.write() as session:
        change = update(File).where(File.id == file.id)
        await session.execute(change.values(status=FileStatus.FAILED, error="The sound could not be read."))


@pytest.mark.long
def test_a_failed_file_is_found_started_again_and_moved_to_the_bin(office: Page, site: Site, root: Person) -> None:
    name = f"Hearing {uuid4().hex[:8]}"
    site.call(failed_file(site, root, name))
    office.goto("/admin/contents")
    expect(office).to_have_title("Admin - Contents Management · Sagascript")
    office.get_by_role("searchbox").fill(name.upper())
    files = office.get_by_role("table", name="files").get_by_role("row")
    expect(files).to_have_count(2, timeout=WORK_MS)
    expect(files.nth(1)).to_contain_text("The sound could not be read.")
    office.get_by_role("button", name=name).click()
    detail = office.get_by_role("dialog")
    expect(detail.get_by_text("Preparing the file")).to_be_visible(timeout=WORK_MS)
    detail.get_by_role("button", name="Start again").click()
    expect(detail.get_by_role("button", name="Cancel work")).to_be_visible(timeout=WORK_MS)
    detail.get_by_role("button", name="Move to the bin").click()
    expect(detail.get_by_role("button", name="Restore")).to_be_visible(timeout=WORK_MS)
    office.keyboard.press("Escape")
    expect(detail).to_be_hidden()
    expect(office.get_by_text("No files")).to_be_visible(timeout=WORK_MS)
    office.get_by_role("switch", name="In the bin").click()
    expect(files).to_have_count(2, timeout=WORK_MS)


@pytest.mark.long
def test_the_dashboard_has_charts_tables_and_csv(office: Page) -> None:
    office.goto("/admin")
    expect(office).to_have_title("Admin - Dashboard · Sagascript")
    office.get_by_text("24 h").click()
    minutes = office.get_by_role("region", name="Minutes transcribed").first
    minutes.get_by_role("button", name="Show as table").click()
    expect(minutes.get_by_role("table").get_by_role("row")).to_have_count(25, timeout=WORK_MS)
    with office.expect_download() as download:
        office.get_by_role("link", name="New people as CSV").click()
    assert Path(download.value.path()).read_text("utf-8-sig").startswith("at,value")
    expect(office.get_by_role("list", name="Findings")).to_contain_text("ffmpeg", timeout=4 * WORK_MS)


def test_models_show_licences_and_the_gate(office: Page, site: Site) -> None:
    site.call(ReplicaRecorder(site.state.database, lambda: {TRANSCRIPTION: REPLICAS})())
    office.goto("/admin/models")
    expect(office).to_have_title("Admin - Models · Sagascript")
    nllb = office.get_by_test_id("model").filter(has_text="NLLB-200")
    expect(nllb).to_contain_text("Not for commercial use", timeout=WORK_MS)
    expect(nllb.get_by_role("button", name="Download NLLB-200")).to_be_disabled()
    speech = office.get_by_role("article", name="Speech recognition")
    expect(speech.get_by_test_id("replica")).to_contain_text("batches of up to 64, waiting 30 ms")
    expect(speech.get_by_role("alert")).to_have_text(REPLICAS.profile_problem)


@pytest.mark.long
def test_an_engine_for_some_languages_is_named_with_its_maker_and_its_limits(office: Page, site: Site) -> None:
    folder = Path("/models/sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8")
    special = Parakeet().info(SherpaFolder(folder, {}, EUROPEAN, licence="CC-BY-4.0"), str(folder), "Why.")
    whisper = EngineInfo(TRANSCRIPTION, "whisper", "/models/small", "cpu", "Why.", by_language=(special,))
    site.call(load(site, whisper))
    try:
        office.goto("/admin/models")
        speech = office.get_by_role("article", name="Speech recognition")
        expect(speech.get_by_text("Whisper small")).to_be_visible(timeout=WORK_MS)
        part = speech.get_by_role("region", name="Parakeet tdt-0.6b-v3-int8")
        expect(part).to_contain_text("takes bg, cs, da, de")
        expect(part).to_contain_text("CC-BY-4.0")
        expect(part).to_contain_text("model by NVIDIA")
        expect(part).to_contain_text("detects no language")
    finally:
        site.call(load(site, None))


@pytest.mark.long
def test_a_contract_invoice_is_drafted_changed_issued_and_paid(office: Page, site: Site, root: Person) -> None:
    site.call(give_contract(site, root))
    office.goto("/admin/invoices")
    expect(office).to_have_title("Admin - Invoices Management · Sagascript")
    office.get_by_role("button", name="Draft contract invoices").click()
    office.get_by_role("dialog").get_by_role("button", name="Draft", exact=True).click()
    # The dialog's own button has the same name.
    expect(office.get_by_role("dialog")).to_be_hidden()
    office.get_by_role("button", name="Draft", exact=True).first.click()
    sheet = office.get_by_role("dialog")
    sheet.get_by_label("Amount of line 1").fill("123.45")
    sheet.get_by_role("button", name="Save the draft").click()
    sheet.get_by_role("button", name="Issue").click()
    expect(sheet.get_by_text("Open", exact=True)).to_be_visible(timeout=WORK_MS)
    expect(sheet).to_contain_text("$123.45")
    sheet.get_by_role("button", name="Mark as paid").click()
    expect(sheet.get_by_text("Paid", exact=True)).to_be_visible(timeout=WORK_MS)
    office.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(office.get_by_role("table", name="Totals by month")).to_contain_text("$123.45", timeout=WORK_MS)
    # The totals scroll sideways on a phone, so the keyboard has to reach them.
    office.set_viewport_size({"width": 360, "height": 780})
    assert violations(office) == []


async def give_contract(site: Site, root: Person) -> None:
    async with site.state.database.write() as session:
        await session.execute(delete(Contract).where(Contract.user_id == root.user_id))
        session.add(Contract(user_id=root.user_id, price_monthly=9_900, starts_at=datetime(2020, 1, 1, tzinfo=UTC)))
