"""Each rule removes what is older than it says, and nothing younger."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import structlog
from sqlalchemy import func, select, update

from api.content.files.models import File
from api.job_types import JOB_TYPES
from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.people.passkeys.models import ChallengeUse, PasskeyChallenge
from api.people.providers.models import Purpose, SignInRequest
from api.people.second_factor.models import TrustedBrowser, WaitingSignIn
from api.platform.db.base import Base
from api.platform.db.engine import Database
from api.platform.http.state import AppState
from api.platform.mail.folder import SUFFIX
from api.platform.retention.loop import apply_rules
from api.platform.retention.rules import Rule, RuleTools
from api.platform.settings import ApiSettings
from api.retention import RULES
from api.tables import AuditEntry, BrowserSession, User
from api.testing.browser import Browser
from api.testing.files.uploaded_file import uploaded_file
from api.testing.mailbox import Mailbox

MAILS = "mails in the folder"
DAY = timedelta(days=1)
KEEP = {rule.name: rule.keep for rule in RULES}


@pytest.fixture
def kept(settings: ApiSettings, database: Database) -> RuleTools:
    return RuleTools(settings, database, JOB_TYPES)


async def count(database: Database, table: type[Base], *where: Any) -> int:
    async with database.read() as session:
        return int(await session.scalar(select(func.count()).select_from(table).where(*where)) or 0)


async def age(database: Database, table: type[Base], column: str, rule: str, *, is_over: bool) -> None:
    """Make all rows of a table a day older or younger than the rule's limit."""
    then = datetime.now(UTC) - KEEP[rule] + (-DAY if is_over else DAY)
    async with database.write() as session:
        await session.execute(update(table).values({column: then}).execution_options(synchronize_session=False))


@pytest.mark.parametrize("is_over", [False, True])
async def test_files_leave_the_bin_for_good_after_their_time(
    ada: Browser, state: AppState, kept: RuleTools, is_over: bool
) -> None:
    file = await uploaded_file(state, ada.user_id)
    await ada.delete(f"/api/files/{file.slug}")
    await age(state.database, File, "deleted_at", "files in the bin", is_over=is_over)
    assert (await apply_rules(kept, RULES))["files in the bin"] == int(is_over)
    assert await count(state.database, File) == int(not is_over)


@pytest.mark.long
@pytest.mark.parametrize("is_over", [False, True])
async def test_deleted_accounts_end_after_their_time(
    ada: Browser, state: AppState, kept: RuleTools, is_over: bool
) -> None:
    await uploaded_file(state, ada.user_id)
    await age(state.database, User, "deleted_at", "deleted accounts", is_over=is_over)
    assert (await apply_rules(kept, RULES))["deleted accounts"] == int(is_over)
    assert await count(state.database, User) == int(not is_over)


@pytest.mark.long
async def test_old_audit_entries_sessions_and_mails_go(ada: Browser, state: AppState, kept: RuleTools) -> None:
    database = state.database
    async with database.write() as session:
        record(session, AuditAction.PASSWORD_CHANGED, actor_id=ada.user_id)
    await age(database, AuditEntry, "at", "audit entries", is_over=False)
    await age(database, BrowserSession, "expires_at", "ended sessions", is_over=False)
    assert not any((await apply_rules(kept, RULES)).values())
    await age(database, AuditEntry, "at", "audit entries", is_over=True)
    await age(database, BrowserSession, "expires_at", "ended sessions", is_over=True)
    await Mailbox(state).deliver()
    folder = state.settings.mail_dir
    folder.mkdir(exist_ok=True)
    (folder / f"old{SUFFIX}").write_text("old")
    removed = await apply_rules(kept, [replace(rule, keep=-DAY) if rule.name == MAILS else rule for rule in RULES])
    assert removed["audit entries"] >= 1
    assert removed["ended sessions"] >= 1
    assert removed[MAILS] >= 1
    assert await count(database, AuditEntry) == 0
    assert list(folder.glob(f"*{SUFFIX}")) == []


async def test_a_rule_that_fails_holds_up_no_other(kept: RuleTools) -> None:
    async def fails(_kept: RuleTools, _before: datetime) -> int:
        raise ZeroDivisionError

    with structlog.testing.capture_logs() as logs:
        removed = await apply_rules(kept, [Rule("broken", timedelta(), fails), *RULES])
    assert set(removed) == set(KEEP)
    assert [log["rule"] for log in logs if log["event"] == "retention.failed"] == ["broken"]


@pytest.mark.long
@pytest.mark.parametrize("is_over", [False, True])
async def test_what_a_sign_in_waited_for_goes(ada: Browser, state: AppState, kept: RuleTools, is_over: bool) -> None:
    now = datetime.now(UTC)
    rows: dict[str, Base] = {
        "sign-ins that were begun with a provider": SignInRequest(
            state_hash="x",
            browser_hash="x",
            provider="work",
            purpose=Purpose.SIGN_IN,
            nonce="x",
            verifier="x",
            redirect_uri="x",
            expires_at=now,
        ),
        "sign-ins that waited for a code": WaitingSignIn(browser_hash="x", user_id=ada.user_id, expires_at=now),
        "challenges of passkeys": PasskeyChallenge(
            browser_hash="x", challenge=b"x", used_for=ChallengeUse.SIGN_IN, expires_at=now
        ),
        "browsers that needed no code": TrustedBrowser(token_hash="x", user_id=ada.user_id, expires_at=now),
    }
    async with state.database.write() as session:
        session.add_all(rows.values())
    for rule, row in rows.items():
        await age(state.database, type(row), "expires_at", rule, is_over=is_over)
    removed = await apply_rules(kept, RULES)
    assert [removed[rule] for rule in rows] == [int(is_over)] * len(rows)
