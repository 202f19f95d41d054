"""What an entry says, as people read it. One sentence for each action; the details fill its gaps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from api.people.audit.actions import AuditAction
from api.platform.http.pages.language import in_page_language
from cluster.wording.message import Wording

_HOLES = re.compile(r"\{(\w+)\}")

SENTENCES: dict[str, Wording] = {
    AuditAction.PASSWORD_CHANGED: Wording("audit.password_changed", "Changed the password"),
    AuditAction.PASSWORD_RESET: Wording("audit.password_reset", "Set a new password by a link"),
    AuditAction.PASSWORD_REMOVED: Wording("audit.password_removed", "Removed the password"),
    AuditAction.EMAIL_VERIFIED: Wording("audit.email_verified", "Confirmed the e-mail address"),
    AuditAction.EMAIL_CHANGE_REQUESTED: Wording(
        "audit.email_change_requested", "Asked to change the e-mail address from {before} to {after}"
    ),
    AuditAction.EMAIL_CHANGED: Wording("audit.email_changed", "Changed the e-mail address from {before} to {after}"),
    AuditAction.SIGNED_IN: Wording("audit.signed_in", "Signed in"),
    AuditAction.SIGNED_IN_WITH: Wording("audit.signed_in_with", "Signed in with {provider}"),
    AuditAction.IDENTITY_LINKED: Wording("audit.identity_linked", "Linked the account to {provider}"),
    AuditAction.IDENTITY_REMOVED: Wording("audit.identity_removed", "Removed the link to {provider}"),
    AuditAction.PROVIDER_SIGNED_OUT: Wording(
        "audit.provider_signed_out", "Signed out {count} browsers, because {provider} ended the session"
    ),
    AuditAction.SECOND_FACTOR_ON: Wording("audit.second_factor_on", "Turned on the codes of an authenticator app"),
    AuditAction.SECOND_FACTOR_OFF: Wording("audit.second_factor_off", "Turned off the codes of the authenticator app"),
    AuditAction.SECOND_FACTOR_RESET: Wording(
        "audit.second_factor_reset", "Turned off the codes for somebody who had lost their app"
    ),
    AuditAction.RECOVERY_CODES_MADE: Wording("audit.recovery_codes_made", "Made new recovery codes"),
    AuditAction.PASSKEY_ADDED: Wording("audit.passkey_added", "Added the passkey {name}"),
    AuditAction.PASSKEY_REMOVED: Wording("audit.passkey_removed", "Removed the passkey {name}"),
    AuditAction.SESSION_ENDED: Wording("audit.session_ended", "Signed out another browser"),
    AuditAction.SESSIONS_ENDED: Wording("audit.sessions_ended", "Signed out {count} browsers"),
    AuditAction.DATA_EXPORTED: Wording("audit.data_exported", "Downloaded a copy of the data"),
    AuditAction.ACCOUNT_DELETED: Wording("audit.account_deleted", "Deleted the account"),
    AuditAction.ACCOUNT_ERASED: Wording(
        "audit.account_erased", "Erased the account with all its files; no copy is left but in backups"
    ),
    AuditAction.ACCOUNT_RESTORED: Wording("audit.account_restored", "Restored the account"),
    AuditAction.ACCOUNT_SUSPENDED: Wording("audit.account_suspended", "{by} turned the account off"),
    AuditAction.ACCOUNT_RESUMED: Wording("audit.account_resumed", "{by} turned the account on again"),
    AuditAction.API_KEY_CREATED: Wording("audit.api_key_created", "Made the API key {name} ({prefix}…) for {scopes}"),
    AuditAction.API_KEY_REVOKED: Wording("audit.api_key_revoked", "Revoked the API key {name} ({prefix}…)"),
    AuditAction.BROWSE_AS_STARTED: Wording(
        "audit.browse_as_started", "Started to use the account as support. Reason: {reason}"
    ),
    AuditAction.BROWSE_AS_UNLOCKED: Wording("audit.browse_as_unlocked", "Turned on changes in the account"),
    AuditAction.BROWSE_AS_LOCKED: Wording("audit.browse_as_locked", "Turned off changes in the account"),
    AuditAction.BROWSE_AS_OPENED: Wording("audit.browse_as_opened", "Opened {thing} as support"),
    AuditAction.BROWSE_AS_CHANGED: Wording("audit.browse_as_changed", "Changed {thing} as support"),
    AuditAction.BROWSE_AS_ENDED: Wording("audit.browse_as_ended", "Stopped using the account"),
    AuditAction.USER_CREATED: Wording("audit.user_created", "Created the account"),
    AuditAction.USER_UPDATED: Wording("audit.user_updated", "Changed the account: {fields}"),
    AuditAction.USER_PROMOTED: Wording("audit.user_promoted", "Made the account an administrator"),
    AuditAction.USER_DEMOTED: Wording("audit.user_demoted", "Took the administrator's rights from the account"),
    AuditAction.USER_RESET_SENT: Wording("audit.user_reset_sent", "Sent a link to set the password"),
    AuditAction.USER_SIGNED_OUT: Wording("audit.user_signed_out", "Signed the account out everywhere"),
    AuditAction.PROVIDER_ADDED: Wording("audit.provider_added", "Added the identity provider {name}"),
    AuditAction.PROVIDER_CHANGED: Wording("audit.provider_changed", "Changed the identity provider {name}: {fields}"),
    AuditAction.PROVIDER_REMOVED: Wording("audit.provider_removed", "Removed the identity provider {name}"),
    AuditAction.PROVISIONING_ON: Wording("audit.provisioning_on", "Made a token with which {name} provisions people"),
    AuditAction.PROVISIONING_OFF: Wording(
        "audit.provisioning_off", "Ended the token with which {name} provisioned people"
    ),
    AuditAction.CONTRACT_SET: Wording("audit.contract_set", "Set the contract"),
    AuditAction.CONTRACT_ENDED: Wording("audit.contract_ended", "Ended the contract"),
    AuditAction.GOODWILL_GRANTED: Wording("audit.goodwill_granted", "Gave {minutes} minutes. Reason: {reason}"),
    AuditAction.EXTRA_MINUTES_SET: Wording(
        "audit.extra_minutes_set", "Changed whether extra minutes may be used, and their limit"
    ),
    AuditAction.MINUTES_REFUNDED: Wording(
        "audit.minutes_refunded", "Gave back {seconds} seconds of a transcription. Reason: {reason}"
    ),
    AuditAction.MINUTES_CORRECTED: Wording(
        "audit.minutes_corrected", "Corrected a grant by {seconds} seconds. Reason: {reason}"
    ),
    AuditAction.COMPANY_CREATED: Wording("audit.company_created", "Created the company {name}"),
    AuditAction.COMPANY_UPDATED: Wording("audit.company_updated", "Changed the company {name}: {fields}"),
    AuditAction.COMPANY_DELETED: Wording("audit.company_deleted", "Deleted the company {name}"),
    AuditAction.COMPANY_RESTORED: Wording("audit.company_restored", "Restored the company {name}"),
    AuditAction.COMPANY_USERS: Wording("audit.company_users", "Changed the accounts of the company {name}"),
    AuditAction.COMPANY_TEAMS: Wording("audit.company_teams", "Changed the teams of the company {name}"),
    AuditAction.LIVE_ENDED: Wording("audit.live_ended", "Ended the live recording {name}"),
    AuditAction.MAIL_RETRIED: Wording("audit.mail_retried", "Sent a failed mail again: {kind} to {to}"),
    AuditAction.MAIL_DISCARDED: Wording("audit.mail_discarded", "Discarded an unsent mail: {kind} to {to}"),
    AuditAction.FILE_DELETED: Wording("audit.file_deleted", "Moved the file {name} to the bin"),
    AuditAction.FILE_INFECTED: Wording("audit.file_infected", "Removed what was uploaded as {name}: it is infected"),
    AuditAction.FILE_OUTLIVED: Wording(
        "audit.file_outlived", "Moved {name} to the bin, because the team keeps files for {days} days"
    ),
    AuditAction.FILE_RESTORED: Wording("audit.file_restored", "Took the file {name} out of the bin"),
    AuditAction.FILE_PURGED: Wording("audit.file_purged", "Deleted the file {name} for good"),
    AuditAction.TAG_DELETED: Wording("audit.tag_deleted", "Deleted the tag {name}"),
    AuditAction.FILE_RETRIED: Wording("audit.file_retried", "Started the file {name} again"),
    AuditAction.FILE_CANCELLED: Wording("audit.file_cancelled", "Cancelled the work on the file {name}"),
    AuditAction.MODEL_PULLED: Wording("audit.model_pulled", "Started to download the model {name}"),
    AuditAction.MODEL_REMOVED: Wording("audit.model_removed", "Removed the model {name}"),
    AuditAction.INVOICES_DRAFTED: Wording("audit.invoices_drafted", "Drafted {count} contract invoices for {month}"),
    AuditAction.INVOICE_CHANGED: Wording("audit.invoice_changed", "Changed the draft of an invoice"),
    AuditAction.INVOICE_DISCARDED: Wording("audit.invoice_discarded", "Discarded the draft of an invoice"),
    AuditAction.INVOICE_ISSUED: Wording("audit.invoice_issued", "Issued the invoice {number}"),
    AuditAction.INVOICE_PAID: Wording("audit.invoice_paid", "Marked the invoice {number} as paid"),
    AuditAction.INVOICE_VOIDED: Wording("audit.invoice_voided", "Voided the invoice {number}. Reason: {reason}"),
    AuditAction.TEAM_CREATED: Wording("audit.team_created", "Created the team {team}"),
    AuditAction.TEAM_CHANGED: Wording("audit.team_changed", "Changed the team {team}: {fields}"),
    AuditAction.TEAM_EXPORTED: Wording("audit.team_exported", "Downloaded a copy of what the team has"),
    AuditAction.TEAM_DELETED: Wording("audit.team_deleted", "Deleted the team {team}"),
    AuditAction.TEAM_ERASED: Wording(
        "audit.team_erased", "Erased the team with all its files; no copy is left but in backups"
    ),
    AuditAction.TEAM_RESTORED: Wording("audit.team_restored", "Restored the team {team}"),
    AuditAction.TEAM_PAYER_CHANGED: Wording("audit.team_payer_changed", "Took over the payment for {team}"),
    AuditAction.MEMBER_JOINED: Wording("audit.member_joined", "{name} joined {team} as {role}"),
    AuditAction.MEMBER_LEFT: Wording("audit.member_left", "{name} left {team}"),
    AuditAction.MEMBER_REMOVED: Wording("audit.member_removed", "Removed {name} from {team}"),
    AuditAction.MEMBER_ROLE_CHANGED: Wording(
        "audit.member_role_changed", "Made {name} {after} instead of {before} in {team}"
    ),
    AuditAction.INVITATION_SENT: Wording("audit.invitation_sent", "Invited {email} to {team} as {role}"),
    AuditAction.INVITATION_RESENT: Wording("audit.invitation_resent", "Sent the invitation of {email} to {team} again"),
    AuditAction.INVITATION_WITHDRAWN: Wording(
        "audit.invitation_withdrawn", "Withdrew the invitation of {email} to {team}"
    ),
    AuditAction.INVITATION_DECLINED: Wording("audit.invitation_declined", "{email} declined the invitation to {team}"),
    AuditAction.FILES_MOVED: Wording("audit.files_moved", "Moved {count} files: {names}"),
    AuditAction.REVIEW_LINK_CREATED: Wording(
        "audit.review_link_created", "Made a link to review {file} without an account, until {until}"
    ),
    AuditAction.REVIEW_LINK_OPENED: Wording("audit.review_link_opened", "{name} opened the link to review {file}"),
    AuditAction.REVIEW_LINK_REVOKED: Wording("audit.review_link_revoked", "Revoked a link to review {file}"),
    AuditAction.WEBHOOK_ADDED: Wording("audit.webhook_added", "Added a webhook to {host}"),
    AuditAction.WEBHOOK_CHANGED: Wording("audit.webhook_changed", "Changed the webhook to {host}: {fields}"),
    AuditAction.WEBHOOK_SECRET_CHANGED: Wording(
        "audit.webhook_secret_changed", "Made a new secret for the webhook to {host}"
    ),
    AuditAction.WEBHOOK_DELETED: Wording("audit.webhook_deleted", "Deleted the webhook to {host}"),
    AuditAction.WEBHOOK_TURNED_OFF: Wording(
        "audit.webhook_turned_off", "Turned off the webhook to {host}, which had failed for days or wanted no more"
    ),
    AuditAction.SUBSCRIBED: Wording("audit.subscribed", "Ordered the plan {plan}, paid {period}"),
    AuditAction.PLAN_CHANGED: Wording("audit.plan_changed", "Changed to the plan {plan}, paid {period}"),
    AuditAction.PLAN_CHANGE_TAKEN_BACK: Wording("audit.plan_change_taken_back", "Took back a change of the plan"),
    AuditAction.SUBSCRIPTION_CANCELLED: Wording("audit.subscription_cancelled", "Cancelled the subscription"),
    AuditAction.SUBSCRIPTION_KEPT: Wording("audit.subscription_kept", "Took back the cancellation of the subscription"),
    AuditAction.CARD_CHANGED: Wording("audit.card_changed", "Changed the card"),
}

_WORDY = frozenset({"thing", "role", "before", "after", "fields", "period"})
"""The details whose values are words of ours; all others are names, numbers or what people wrote."""
_WORDS = {
    name: wording
    for wording in (
        Wording("audit.word.a_page", "a page"),
        Wording("audit.word.a_file", "a file"),
        Wording("audit.word.captions", "captions"),
        Wording("audit.word.ai_texts", "AI texts"),
        Wording("audit.word.exports", "exports"),
        Wording("audit.word.uploads", "uploads"),
        Wording("audit.word.tags", "tags"),
        Wording("audit.word.caption_styles", "caption styles"),
        Wording("audit.word.quality_profiles", "quality profiles"),
        Wording("audit.word.the_glossary", "the glossary"),
        Wording("audit.word.the_list_of_files", "the list of files"),
        Wording("audit.word.teams", "teams"),
        Wording("audit.word.webhooks", "webhooks"),
        Wording("audit.word.minutes", "minutes"),
        Wording("audit.word.owner", "owner"),
        Wording("audit.word.admin", "admin"),
        Wording("audit.word.editor", "editor"),
        Wording("audit.word.member", "member"),
        Wording("audit.word.viewer", "viewer"),
        Wording("audit.word.monthly", "monthly"),
        Wording("audit.word.yearly", "yearly"),
        Wording("audit.word.name", "name"),
        Wording("audit.word.email", "email"),
        Wording("audit.word.locale", "locale"),
        Wording("audit.word.language", "language"),
        Wording("audit.word.country", "country"),
        Wording("audit.word.address", "address"),
        Wording("audit.word.city", "city"),
        Wording("audit.word.postal_code", "postal_code"),
        Wording("audit.word.registration_number", "registration_number"),
        Wording("audit.word.vat_number", "vat_number"),
        Wording("audit.word.notes", "notes"),
        Wording("audit.word.url", "url"),
        Wording("audit.word.events", "events"),
        Wording("audit.word.is_enabled", "is_enabled"),
        Wording("audit.word.is_active", "is_active"),
        Wording("audit.word.requires_factor", "second factor"),
        Wording("audit.word.session_hours", "length of sessions"),
        Wording("audit.word.email_domains", "allowed domains"),
        Wording("audit.word.keep_days", "how long files are kept"),
        Wording("audit.word.knows_voices", "known voices"),
    )
    # A field goes by its own name, other words by their English.
    for name in (wording.english, wording.code.rpartition(".")[2])
}


def sentence(action: str, details: Mapping[str, Any], object_kind: str | None = None) -> str:
    """In the language of the page. An action that has no sentence of its own shows its name in words."""
    wording = SENTENCES.get(action)
    if wording is None:
        subject, _, event = action.partition(".")
        return f"{subject} {event}".replace("_", " ").strip().capitalize()
    holes = dict.fromkeys(_HOLES.findall(wording.english), "…")
    values = {**holes, **details, "thing": object_kind or "a page"}
    return in_page_language(wording(**{name: _shown(name, value) for name, value in values.items()}))


def _shown(name: str, value: Any) -> Any:
    if isinstance(value, list):
        return ", ".join(str(_shown(name, each)) for each in value)
    if name in _WORDY and isinstance(value, str) and value in _WORDS:
        return in_page_language(_WORDS[value]())
    return value
