"""What an entry says, as people read it. One sentence for each action; the details fill its gaps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from api.people.audit.actions import AuditAction
from api.platform.http.icelandic import audit as icelandic
from api.platform.http.pages.language import page_is_icelandic

SENTENCES: dict[str, str] = {
    AuditAction.PASSWORD_CHANGED: "Changed the password",
    AuditAction.PASSWORD_RESET: "Set a new password by a link",
    AuditAction.EMAIL_VERIFIED: "Confirmed the e-mail address",
    AuditAction.EMAIL_CHANGE_REQUESTED: "Asked to change the e-mail address from {before} to {after}",
    AuditAction.EMAIL_CHANGED: "Changed the e-mail address from {before} to {after}",
    AuditAction.SIGNED_IN: "Signed in",
    AuditAction.SESSION_ENDED: "Signed out another browser",
    AuditAction.SESSIONS_ENDED: "Signed out {count} browsers",
    AuditAction.DATA_EXPORTED: "Downloaded a copy of the data",
    AuditAction.ACCOUNT_DELETED: "Deleted the account",
    AuditAction.ACCOUNT_RESTORED: "Restored the account",
    AuditAction.API_KEY_CREATED: "Made the API key {name} ({prefix}…) for {scopes}",
    AuditAction.API_KEY_REVOKED: "Revoked the API key {name} ({prefix}…)",
    AuditAction.BROWSE_AS_STARTED: "Started to use the account as support. Reason: {reason}",
    AuditAction.BROWSE_AS_UNLOCKED: "Turned on changes in the account",
    AuditAction.BROWSE_AS_LOCKED: "Turned off changes in the account",
    AuditAction.BROWSE_AS_OPENED: "Opened {thing} as support",
    AuditAction.BROWSE_AS_CHANGED: "Changed {thing} as support",
    AuditAction.BROWSE_AS_ENDED: "Stopped using the account",
    AuditAction.USER_CREATED: "Created the account",
    AuditAction.USER_UPDATED: "Changed the account: {fields}",
    AuditAction.USER_PROMOTED: "Made the account an administrator",
    AuditAction.USER_DEMOTED: "Took the administrator's rights from the account",
    AuditAction.USER_RESET_SENT: "Sent a link to set the password",
    AuditAction.USER_SIGNED_OUT: "Signed the account out everywhere",
    AuditAction.CONTRACT_SET: "Set the contract",
    AuditAction.CONTRACT_ENDED: "Ended the contract",
    AuditAction.GOODWILL_GRANTED: "Gave {minutes} minutes. Reason: {reason}",
    AuditAction.EXTRA_MINUTES_SET: "Changed whether extra minutes may be used, and their limit",
    AuditAction.MINUTES_REFUNDED: "Gave back {seconds} seconds of a transcription. Reason: {reason}",
    AuditAction.MINUTES_CORRECTED: "Corrected a grant by {seconds} seconds. Reason: {reason}",
    AuditAction.COMPANY_CREATED: "Created the company {name}",
    AuditAction.COMPANY_UPDATED: "Changed the company {name}: {fields}",
    AuditAction.COMPANY_DELETED: "Deleted the company {name}",
    AuditAction.COMPANY_RESTORED: "Restored the company {name}",
    AuditAction.COMPANY_USERS: "Changed the accounts of the company {name}",
    AuditAction.COMPANY_TEAMS: "Changed the teams of the company {name}",
    AuditAction.MAIL_RETRIED: "Sent a failed mail again: {kind} to {to}",
    AuditAction.MAIL_DISCARDED: "Discarded an unsent mail: {kind} to {to}",
    AuditAction.FILE_DELETED: "Moved the file {name} to the bin",
    AuditAction.FILE_RESTORED: "Took the file {name} out of the bin",
    AuditAction.FILE_PURGED: "Deleted the file {name} for good",
    AuditAction.TAG_DELETED: "Deleted the tag {name}",
    AuditAction.FILE_RETRIED: "Started the file {name} again",
    AuditAction.FILE_CANCELLED: "Cancelled the work on the file {name}",
    AuditAction.MODEL_PULLED: "Started to download the model {name}",
    AuditAction.MODEL_REMOVED: "Removed the model {name}",
    AuditAction.INVOICES_DRAFTED: "Drafted {count} contract invoices for {month}",
    AuditAction.INVOICE_CHANGED: "Changed the draft of an invoice",
    AuditAction.INVOICE_DISCARDED: "Discarded the draft of an invoice",
    AuditAction.INVOICE_ISSUED: "Issued the invoice {number}",
    AuditAction.INVOICE_PAID: "Marked the invoice {number} as paid",
    AuditAction.INVOICE_VOIDED: "Voided the invoice {number}. Reason: {reason}",
    AuditAction.TEAM_CREATED: "Created the team {team}",
    AuditAction.TEAM_CHANGED: "Changed the team {team}: {fields}",
    AuditAction.TEAM_DELETED: "Deleted the team {team}",
    AuditAction.TEAM_RESTORED: "Restored the team {team}",
    AuditAction.TEAM_PAYER_CHANGED: "Took over the payment for {team}",
    AuditAction.MEMBER_JOINED: "{name} joined {team} as {role}",
    AuditAction.MEMBER_LEFT: "{name} left {team}",
    AuditAction.MEMBER_REMOVED: "Removed {name} from {team}",
    AuditAction.MEMBER_ROLE_CHANGED: "Made {name} {after} instead of {before} in {team}",
    AuditAction.INVITATION_SENT: "Invited {email} to {team} as {role}",
    AuditAction.INVITATION_RESENT: "Sent the invitation of {email} to {team} again",
    AuditAction.INVITATION_WITHDRAWN: "Withdrew the invitation of {email} to {team}",
    AuditAction.INVITATION_DECLINED: "{email} declined the invitation to {team}",
    AuditAction.FILES_MOVED: "Moved {count} files: {names}",
    AuditAction.WEBHOOK_ADDED: "Added a webhook to {host}",
    AuditAction.WEBHOOK_CHANGED: "Changed the webhook to {host}: {fields}",
    AuditAction.WEBHOOK_SECRET_CHANGED: "Made a new secret for the webhook to {host}",
    AuditAction.WEBHOOK_DELETED: "Deleted the webhook to {host}",
    AuditAction.WEBHOOK_TURNED_OFF: "Turned off the webhook to {host}, which had failed for days or wanted no more",
    AuditAction.SUBSCRIBED: "Ordered the plan {plan}, paid {period}",
    AuditAction.PLAN_CHANGED: "Changed to the plan {plan}, paid {period}",
    AuditAction.PLAN_CHANGE_TAKEN_BACK: "Took back a change of the plan",
    AuditAction.SUBSCRIPTION_CANCELLED: "Cancelled the subscription",
    AuditAction.SUBSCRIPTION_KEPT: "Took back the cancellation of the subscription",
    AuditAction.CARD_CHANGED: "Changed the card",
}


class _Details(dict[str, Any]):
    def __missing__(self, name: str) -> str:
        return "…"


def sentence(action: str, details: Mapping[str, Any], object_kind: str | None = None) -> str:
    """In the language of the page. An action that has no sentence of its own shows its name in words."""
    form = SENTENCES.get(action)
    if form is None:
        subject, _, event = action.partition(".")
        return f"{subject} {event}".replace("_", " ").strip().capitalize()
    values = {**details, "thing": object_kind or "a page"}
    if page_is_icelandic():
        form = icelandic.FORMS.get(form, form)
        values |= {name: _in_icelandic(values[name]) for name in icelandic.WORDY & values.keys()}
    shown = {name: ", ".join(map(str, value)) if isinstance(value, list) else value for name, value in values.items()}
    return form.format_map(_Details(shown))


def _in_icelandic(value: Any) -> Any:
    """Words of ours in Icelandic, one or a list; any other value as it is."""
    if isinstance(value, list):
        return [_in_icelandic(each) for each in value]
    return icelandic.WORDS.get(value, value) if isinstance(value, str) else value
