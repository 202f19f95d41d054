"""Contract invoices: drafts of a month, review, issue, payment and void, with numbers without gaps."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from api.edges.admin.invoices.service import NOT_DRAFT, NOT_OPEN, NOT_OVER, OF_STRIPE
from api.people.audit.actions import AuditAction
from api.people.audit.models import AuditEntry
from api.people.billing.models import Invoice, InvoiceSource, InvoiceState
from api.people.ledger.models import Funding, Movement, MovementKind
from api.people.ledger.month import Month
from api.people.plans.models import Contract
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.testing.browser import Browser, SignUp

URL = "/api/admin/invoices"


def last_month() -> Month:
    return Month.of(Month.of(utc_now()).start - timedelta(days=1))


async def contract_of(state: AppState, browser: Browser, **values: Any) -> None:
    async with state.database.write() as session:
        session.add(
            Contract(
                user_id=browser.user_id,
                **{"price_monthly": 50_000, "price_minutes": 10, "starts_at": datetime(2020, 1, 1, tzinfo=UTC)}
                | values,
            )
        )


async def draft(admin: Browser, month: Month) -> dict[str, Any]:
    answer = await admin.post(f"{URL}/drafts", json={"month": str(month)})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["data"]
    return found


async def listed(admin: Browser, **query: Any) -> list[dict[str, Any]]:
    answer = await admin.get(URL, params=query)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["data"]
    return found


async def drafted(admin: Browser, month: Month) -> str:
    await draft(admin, month)
    return str((await listed(admin, state="draft"))[0]["id"])


async def test_only_administrators_see_and_change_invoices(ada: Browser, visitor: Browser, state: AppState) -> None:
    invoice = await stripe_invoice(state, ada)
    for path in (URL, f"{URL}/totals", f"{URL}/{invoice}", f"{URL}/{invoice}/pdf"):
        assert (await visitor.get(path)).status_code == 401
        assert (await ada.get(path)).status_code == 403
    for path in ("drafts", f"{invoice}/issue", f"{invoice}/paid", f"{invoice}/void"):
        assert (await ada.post(f"{URL}/{path}", json={})).status_code == 403
    assert (await ada.put(f"{URL}/{invoice}", json={})).status_code == 403
    assert (await ada.delete(f"{URL}/{invoice}")).status_code == 403


async def stripe_invoice(state: AppState, browser: Browser) -> str:
    async with state.database.write() as session:
        invoice = Invoice(
            user_id=browser.user_id, source=InvoiceSource.STRIPE, state=InvoiceState.PAID, number="S-1", total=1_900,
            currency="usd", customer_email=browser.user["email"], issued_at=utc_now(), paid_at=utc_now(),
        )  # fmt: skip
        session.add(invoice)
    return str(invoice.id)


async def test_a_month_is_drafted_once_with_extra_minutes(admin: Browser, ada: Browser, state: AppState) -> None:
    month = last_month()
    await contract_of(state, ada)
    async with state.database.write() as session:
        session.add(
            Movement(
                payer_id=ada.user_id, user_id=ada.user_id, kind=MovementKind.SETTLE, funding=Funding.EXTRA, seconds=600,
                price_minute=10, work="transcribe", at=month.start + timedelta(days=3),
            )
        )  # fmt: skip
    assert await draft(admin, month) == {"drafted": 1, "skipped": 0}
    assert await draft(admin, month) == {"drafted": 0, "skipped": 1}
    (invoice,) = await listed(admin)
    assert (invoice["state"], invoice["number"], invoice["may_issue"]) == ("draft", None, True)
    assert [line["amount"] for line in invoice["lines"]] == [50_000, 100]
    assert invoice["total"] == 50_100
    to_come = Month.of(utc_now()).following
    assert (await admin.post(f"{URL}/drafts", json={"month": str(to_come)})).status_code == 422


async def test_part_of_a_month_costs_a_part(admin: Browser, ada: Browser, state: AppState) -> None:
    month = last_month()
    half = month.start + (month.end - month.start) / 2
    await contract_of(state, ada, starts_at=half)
    await draft(admin, month)
    assert (await listed(admin))[0]["total"] == 25_000


@pytest.mark.long
async def test_the_life_of_an_invoice(admin: Browser, ada: Browser, state: AppState) -> None:
    await contract_of(state, ada)
    one = await drafted(admin, last_month())
    changed = await admin.put(
        f"{URL}/{one}", json={"lines": [{"text": "Agreed price", "amount": 40_000}], "tax": 9_600}
    )
    assert (changed.json()["data"]["total"], changed.json()["data"]["tax"]) == (49_600, 9_600)
    nothing = await admin.put(f"{URL}/{one}", json={"lines": [{"text": "Gift", "amount": -1}]})
    assert nothing.status_code == 422
    assert (await admin.post(f"{URL}/{one}/paid", json={})).json()["message"] == NOT_OPEN
    issued = (await admin.post(f"{URL}/{one}/issue")).json()["data"]
    assert (issued["number"], issued["state"]) == (f"{utc_now().year}-00001", "open")
    assert (await admin.put(f"{URL}/{one}", json={"lines": [{"text": "x", "amount": 1}]})).json()[
        "message"
    ] == NOT_DRAFT
    assert (await admin.delete(f"{URL}/{one}")).status_code == 409
    document = await admin.get(f"{URL}/{one}/pdf")
    assert (document.headers["content-type"], document.content[:4]) == ("application/pdf", b"%PDF")
    voided = await admin.post(f"{URL}/{one}/void", json={"reason": "Wrong price"})
    assert voided.json()["data"]["state"] == "void"
    two = await drafted(admin, last_month())
    assert (await admin.post(f"{URL}/{two}/issue")).json()["data"]["number"].endswith("-00002")
    late = await admin.post(f"{URL}/{two}/paid", json={"paid_on": "2999-01-01"})
    assert late.status_code == 422
    paid = await admin.post(f"{URL}/{two}/paid", json={})
    assert (paid.json()["data"]["state"], paid.json()["data"]["paid_at"] is not None) == ("paid", True)
    (totals,) = (await admin.get(f"{URL}/totals")).json()["data"]
    assert (totals["invoices"], totals["paid"], totals["open"]) == (1, 50_000, 0)
    async with state.database.read() as session:
        ours = AuditEntry.action.startswith("invoice.")
        actions = (await session.scalars(select(AuditEntry.action).where(ours).order_by(AuditEntry.at))).all()
    assert actions == [
        AuditAction.INVOICE_CHANGED,
        AuditAction.INVOICE_ISSUED,
        AuditAction.INVOICE_VOIDED,
        AuditAction.INVOICE_ISSUED,
        AuditAction.INVOICE_PAID,
    ]


async def test_a_running_month_is_not_issued_and_a_draft_is_discarded(
    admin: Browser, ada: Browser, state: AppState
) -> None:
    await contract_of(state, ada)
    one = await drafted(admin, Month.of(utc_now()))
    assert (await admin.post(f"{URL}/{one}/issue")).json()["message"] == NOT_OVER
    assert (await admin.delete(f"{URL}/{one}")).status_code == 204
    assert (await admin.get(f"{URL}/{one}")).status_code == 404


async def test_stripes_invoices_follow_stripe(admin: Browser, ada: Browser, state: AppState) -> None:
    one = await stripe_invoice(state, ada)
    assert (await admin.post(f"{URL}/{one}/void", json={"reason": "x"})).json()["message"] == OF_STRIPE
    assert [each["id"] for each in await listed(admin, source="stripe", q="ADA@")] == [one]
    assert await listed(admin, source="contract") == []
    assert await listed(admin, state=["draft", "open"]) == []
    assert len(await listed(admin, month=str(Month.of(utc_now())))) == 1
    assert await listed(admin, month=str(last_month())) == []
    assert (await admin.get(URL, params={"month": "2026-13"})).status_code == 422
    text = (await admin.get(URL, params={"format": "csv"})).text
    assert (len(text.splitlines()), "S-1" in text) == (2, True)


@pytest.mark.long
async def test_many_at_once_leave_no_gap(admin: Browser, sign_up: SignUp, state: AppState) -> None:
    for name in ("one", "two", "three", "four"):
        await contract_of(state, await sign_up(name))
    both = await asyncio.gather(draft(admin, last_month()), draft(admin, last_month()))
    assert sorted(each["drafted"] for each in both) == [0, 4]
    ids = [each["id"] for each in await listed(admin)]
    answers = await asyncio.gather(*(admin.post(f"{URL}/{each}/issue") for each in [*ids, *ids]))
    assert sorted(answer.status_code for answer in answers) == [200] * 4 + [409] * 4
    numbers = sorted(each["number"][-5:] for each in await listed(admin))
    assert numbers == ["00001", "00002", "00003", "00004"]
    async with state.database.read() as session:
        assert await session.scalar(select(func.count()).select_from(Invoice)) == 4
