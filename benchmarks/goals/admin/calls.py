"""The calls that the administrators' pages make: every sort with every filter, the first page and a deep one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from urllib.parse import urlencode

PER_PAGE = 50
PAGES = ("1", "20", "200")
"""The last one ends where counting ends."""
Choice = Mapping[str, str]


def _calls(path: str, filters: list[Choice], sorts: tuple[str, ...], pages: tuple[str, ...] = PAGES) -> Iterator[str]:
    for chosen, sort, page in product(filters, sorts, pages):
        wanted = {**chosen, "sort": sort, "page": page, "per_page": str(PER_PAGE)}
        yield f"{path}?{urlencode({name: value for name, value in wanted.items() if value})}"


def _contents() -> Iterator[str]:
    filters: list[Choice] = [
        {},
        {"status": "failed"},
        {"status": "waiting"},
        {"status": "completed", "kind": "audio"},
        {"status": "completed", "kind": "image"},
        {"language": "is-IS"},
        {"language": "is-IS", "status": "failed"},
        {"language": "xx-XX"},
        {"in_bin": "true"},
        {"in_bin": "true", "status": "failed"},
        {"failed_within_h": "24"},
        {"failed_within_h": "720"},
        {"owner": "person77@example27.com"},
        {"owner": "person7@example7.com"},
        {"team": "Team 77"},
        {"q": "interview 12"},
        {"q": "lecture"},
        {"q": "zzz"},
        {"q": "slug4711"},
    ]
    return _calls("/api/admin/contents", filters, ("-created_at", "created_at", "name", "-duration_ms", "-size_bytes"))


def _users() -> Iterator[str]:
    filters: list[Choice] = [
        {},
        {"q": "erson 4711"},
        {"q": "xample2"},
        {"q": "Björn"},
        {"q": "BJÖRN Person 1"},
        {"q": "zzz"},
        {"q": "an"},
        {"plan": "none"},
        {"plan": "corporate"},
        {"plan": "creator"},
        {"plan": "enterprise"},
        {"plan": "creator", "q": "anna"},
        {"verified": "false"},
        {"verified": "true"},
        {"admin": "true"},
        {"deleted": "true"},
        {"deleted": "true", "q": "person"},
    ]
    return _calls("/api/admin/users", filters, ("-created_at", "created_at", "name", "-name", "email", "-email"))


def _companies() -> Iterator[str]:
    filters: list[Choice] = [
        {},
        {"q": "studio"},
        {"q": "Útgáfan 47"},
        {"q": "rn4711"},
        {"q": "zzz"},
        {"deleted": "true"},
    ]
    return _calls("/api/admin/companies", filters, ("name", "-name", "-created_at", "created_at"), ("1", "20", "90"))


def _invoices() -> Iterator[str]:
    filters: list[Choice] = [
        {},
        {"state": "draft"},
        {"state": "open"},
        {"state": "paid"},
        {"state": "void"},
        {"state": "uncollectible"},
        {"source": "contract"},
        {"source": "contract", "state": "open"},
        {"month": "2026-03"},
        {"month": "2026-03", "state": "open"},
        {"month": "2001-01"},
        {"q": "inv-4711"},
        {"q": "son 4711"},
        {"q": "example"},
        {"q": "zzz"},
        {"q": "12", "state": "void"},
    ]
    yield from _calls("/api/admin/invoices", filters, ("",))
    yield "/api/admin/invoices/totals"


def _audit() -> Iterator[str]:
    filters: list[Choice] = [
        {},
        {"actor": "person1"},
        {"actor": "person4711"},
        {"actor": "zzz"},
        {"subject": "person"},
        {"subject": "person4711"},
        {"action": "browse_as"},
        {"action": "browse_as.started"},
        {"action": "file.deleted"},
        {"action": "company.created"},
        {"action": "browse_as", "actor": "person2@"},
        {"since": "2026-05-01T00:00:00Z", "until": "2026-06-01T00:00:00Z"},
        {"since": "2001-05-01T00:00:00Z", "until": "2001-06-01T00:00:00Z"},
        {"since": "2026-05-01T00:00:00Z", "action": "password"},
    ]
    return _calls("/api/admin/audit", filters, ("",))


CALLS: Mapping[str, Callable[[], Iterator[str]]] = {
    "users": _users,
    "contents": _contents,
    "companies": _companies,
    "invoices": _invoices,
    "audit log": _audit,
}
