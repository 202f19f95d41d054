"""10. Every write by an administrator, and every write while browsing as somebody, left its entry, with both ids."""

from __future__ import annotations

import uuid
from collections import Counter

from api.people.audit.actions import AuditAction
from api.people.plans.minutes import GrantSource
from benchmarks.soak.durability.evidence import Evidence, Row
from benchmarks.soak.durability.invariants.verdict import Verdict
from benchmarks.soak.durability.journal import Entry, Event

ACTIONS = {
    "rename": AuditAction.USER_UPDATED,
    "goodwill": AuditAction.GOODWILL_GRANTED,
    "contract": AuditAction.CONTRACT_SET,
    "browse": AuditAction.BROWSE_AS_STARTED,
    "open": AuditAction.BROWSE_AS_OPENED,
    "unlock": AuditAction.BROWSE_AS_UNLOCKED,
    "change": AuditAction.BROWSE_AS_CHANGED,
}
SHOWN_ONCE = {"open"}
"""One look into an account records each page once."""
TOLD_BY = {"goodwill": "reason", "browse": "reason", "open": "path", "change": "path"}
"""The detail of an entry that says what the act was about."""

Key = tuple[str, uuid.UUID | None, uuid.UUID | None, str]


def judge(evidence: Evidence) -> Verdict:
    verdict = Verdict(10, "every admin's write and every browse-as write has its audit row, with both ids")
    entries = evidence.tables["audit_entries"]
    admins = {user["id"] for user in evidence.tables["users"] if user["is_admin"]}
    _judge_promises(verdict, evidence, entries)
    _judge_names(verdict, evidence, entries)
    _judge_gifts(verdict, evidence, entries)
    _judge_sessions(verdict, evidence, entries)
    for entry in entries:
        if entry["action"] in ACTIONS.values():
            both = entry["actor_id"] in admins and entry["subject_id"] not in (None, entry["actor_id"])
            verdict.expect(both, f"Entry {entry['id']} ({entry['action']}) does not name who acted on whom.")
    return verdict


def _judge_promises(verdict: Verdict, evidence: Evidence, entries: list[Row]) -> None:
    """There are at least as many entries as acts that were answered with success."""
    kept: Counter[Key] = Counter()
    for row in entries:
        for act, action in ACTIONS.items():
            if row["action"] == action:
                about = str(row["details"].get(TOLD_BY[act], "")) if act in TOLD_BY else ""
                kept[act, row["actor_id"], row["subject_id"], about] += 1
    promised = Counter(map(_key, evidence.entries_of(Event.ADMIN_DONE)))
    for key, count in promised.items():
        expected = 1 if key[0] in SHOWN_ONCE else count
        verdict.expect(
            kept[key] >= expected,
            f"Admin {key[1]} did {key[0]!r} to user {key[2]} {count} times ({key[3]}); recorded are {kept[key]}.",
        )


def _key(entry: Entry) -> Key:
    about = str(entry["about"]) if entry["act"] in TOLD_BY else ""
    return entry["act"], uuid.UUID(entry["admin_id"]), uuid.UUID(entry["user_id"]), about


def _judge_names(verdict: Verdict, evidence: Evidence, entries: list[Row]) -> None:
    """Whether or not its answer arrived, each committed change of a name is recorded. Only administrators rename."""
    renamed = Counter(
        change.row_id
        for change in evidence.changes_of("users")
        if change.old is not None and change.new is not None and change.old["name"] != change.new["name"]
    )
    noted = Counter(row["subject_id"] for row in entries if "name" in (row["details"].get("fields") or ()))
    for user_id in renamed.keys() | noted.keys():
        verdict.expect(
            renamed[user_id] == noted[user_id],
            f"The name of user {user_id} was changed {renamed[user_id]} times and recorded {noted[user_id]} times.",
        )
    mended = Counter(
        change.old["slug"]
        for change in evidence.changes_of("files")
        if change.old is not None and change.new is not None and change.old["name"] != change.new["name"]
    )
    changed = Counter(row["object_id"] for row in entries if row["action"] == AuditAction.BROWSE_AS_CHANGED)
    for slug, count in mended.items():
        # The entry is there before the change, which may then fail.
        verdict.expect(
            count <= changed[slug], f"File {slug} was renamed {count} times and recorded {changed[slug]} times."
        )


def _judge_gifts(verdict: Verdict, evidence: Evidence, entries: list[Row]) -> None:
    given = Counter(
        (grant["payer_id"], grant["note"])
        for grant in evidence.tables["ledger_grants"]
        if grant["source"] == GrantSource.GOODWILL
    )
    noted = Counter(
        (row["subject_id"], row["details"]["reason"])
        for row in entries
        if row["action"] == AuditAction.GOODWILL_GRANTED
    )
    for key in given.keys() | noted.keys():
        verdict.expect(
            given[key] == noted[key],
            f"User {key[0]} got minutes {given[key]} times ({key[1]}), recorded are {noted[key]}.",
        )


def _judge_sessions(verdict: Verdict, evidence: Evidence, entries: list[Row]) -> None:
    """Nobody is in another account without an entry about it."""
    begun = {
        (row["details"]["browse_as"], row["actor_id"], row["subject_id"])
        for row in entries
        if row["action"] == AuditAction.BROWSE_AS_STARTED
    }
    unlocked = {
        (row["actor_id"], row["subject_id"]) for row in entries if row["action"] == AuditAction.BROWSE_AS_UNLOCKED
    }
    for session in evidence.tables["browser_sessions"]:
        if session["browse_id"] is None:
            continue
        both = (session["user_id"], session["browse_user_id"])
        is_known = (str(session["browse_id"]), *both) in begun
        verdict.expect(is_known, f"User {both[0]} uses the account of {both[1]}, and no entry says since when.")
        if session["browse_may_change"]:
            verdict.expect(both in unlocked, f"User {both[0]} may change things of {both[1]}, and no entry says so.")
