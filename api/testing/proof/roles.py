"""Who tries to reach what is not theirs, and what each of them must be refused."""

from __future__ import annotations

import re
from dataclasses import dataclass

from api.people.auth.viewer import CHANGING_METHODS
from api.testing.browser import Browser
from api.testing.proof.calls import Operation
from api.testing.proof.world import OWNERS, World

_SWITCHES = "/api/browse-as"
_OF_ROOT = ("/api/admin/", _SWITCHES, "/api/models", "/api/user/create")
_NO_CHANGES = re.compile(
    r"POST /api/(?:broadcasting/auth|error/log|files/captions/[^/]+/presence|ledger/quote|caption-styles/script)"
    r"|POST /api/captions/replace/preview|POST /api/files/captions/[^/]+/outside-review|[A-Z]+ /(?:api/)?v1/.*"
)
"""Changing methods that change nothing, and calls that look at a key alone."""
_NEVER_BY_OTHERS = re.compile(
    r"(?:POST|PUT|PATCH|DELETE) /api/(?:user|email|billing|admin|account|keys|webhooks)(?:/.*)?"
    r"|(?:POST|PUT|PATCH|DELETE) /api/ledger/(?!quote).*"
    r"|GET /api/user/(?:stripe/intent|subscription/cancel|subscription/uncancel|export)"
    r"|DELETE /api/teams/\{team_id\}"
    r"|POST /api/teams/(?:invitations/(?:accept|decline)|\{team_id\}/(?:payer|leave|restore))"
    r"|DELETE /api/files/bin|POST /api/files/bin/purge"
)
"""Password, e-mail, sessions, payment, administration, and what ends an account or a team."""
_UNTOUCHABLE = frozenset(
    {
        "users",
        "api_keys",
        "authenticator_apps",
        "identities",
        "passkeys",
        "provisioned_people",
        "provisioning_tokens",
        "recovery_codes",
        "trusted_browsers",
        "password_resets",
        "subscriptions",
        "contracts",
        "customer_details",
        "invoices",
        "billing_accounts",
        "ledger_grants",
        "companies",
        "company_users",
        "company_teams",
        "webhook_endpoints",
    }
)
"""Tables in which no administrator changes a customer's rows while browsing as them."""
_HOLDS = frozenset({"held", "available"})
"""Work that is started or cancelled for the customer holds minutes of theirs, and gives them back."""


@dataclass(frozen=True, slots=True)
class Role:
    """`person` makes the calls. `forms`: how many of each id they try; None for all.

    `breaks_ids`: also texts that are no ids, in every call or, where the forms have a limit, once for each parameter.
    """

    person: str
    forms: int | None = 0
    may_read: frozenset[str] = frozenset()
    is_member: bool = False
    breaks_ids: bool = False

    async def enter(self, world: World) -> Browser:
        return world.people[self.person]

    def skips(self, operation: Operation) -> bool:
        return False

    def watched(self, world: World) -> frozenset[str]:
        """The rows that must stay as they are."""
        return world.rows.naming(world.own["ada"].words + world.own["oscar"].words)

    def judge(self, operation: Operation, status: int) -> str | None:
        return None


class Visitor(Role):
    def judge(self, operation: Operation, status: int) -> str | None:
        return f"a visitor got {status}" if operation.needs_sign_in and status not in (401, 419) else None


class Viewer(Role):
    """A member who may only look."""

    def skips(self, operation: Operation) -> bool:
        return operation.path == "/api/teams/{team_id}/leave"


class Administrator(Role):
    """Outside their own area, an administrator is nobody special."""

    def skips(self, operation: Operation) -> bool:
        return operation.path.startswith(_OF_ROOT)


@dataclass(frozen=True, slots=True)
class BrowseAs(Role):
    """An administrator in Ada's account, who may change things after the second switch."""

    may_change: bool = False

    async def enter(self, world: World) -> Browser:
        browser = world.people[self.person]
        body = {"id": str(world.people["ada"].user_id), "reason": "To see what can be reached from here"}
        assert (await browser.post("/api/browse-as", json=body)).status_code == 200
        if self.may_change:
            assert (await browser.post("/api/browse-as/changes", json={"may_change": True})).status_code == 200
        return browser

    def skips(self, operation: Operation) -> bool:
        return operation.path.startswith(_SWITCHES)

    def watched(self, world: World) -> frozenset[str]:
        ada, oscar = world.own["ada"].words, world.own["oscar"].words
        if self.may_change:
            return world.rows.naming(oscar) | world.rows.naming(ada, _UNTOUCHABLE, without=_HOLDS)
        return world.rows.naming(ada + oscar)

    def judge(self, operation: Operation, status: int) -> str | None:
        call = f"{operation.method} {operation.path}"
        is_change = operation.method in CHANGING_METHODS and operation.needs_sign_in and not _NO_CHANGES.fullmatch(call)
        if status == 403 or not operation.needs_sign_in:
            return None
        if _NEVER_BY_OTHERS.fullmatch(call):
            return f"an administrator in somebody's account got {status}"
        return f"a change before the second switch got {status}" if is_change and not self.may_change else None


ROLES: dict[str, Role] = {
    "eve": Role("eve", forms=4, may_read=frozenset({OWNERS["eve"]}), breaks_ids=True),
    "patient eve": Role("eve", may_read=frozenset({OWNERS["eve"]}), forms=None, breaks_ids=True),
    "visitor": Visitor("visitor"),
    "vera": Viewer("vera", forms=2, may_read=frozenset({OWNERS["ada"]}), is_member=True),
    "root": Administrator("root", forms=2),
    "looking": BrowseAs("root", may_read=frozenset({OWNERS["ada"]}), is_member=True),
    "changing": BrowseAs("root", forms=1, may_read=frozenset({OWNERS["ada"]}), is_member=True, may_change=True),
}
