"""Every router of the JSON API, in one list."""

from __future__ import annotations

from fastapi import APIRouter

from api.account.data_routes import router as account_data
from api.account.editor_settings_routes import router as editor_settings
from api.account.routes import router as account
from api.account.settings_routes import router as account_settings
from api.account_log import router as account_log
from api.admin.audit.routes import router as admin_audit
from api.admin.browse_as_routes import router as browse_as
from api.admin.companies.routes import router as admin_companies
from api.admin.contents.routes import router as admin_contents
from api.admin.dashboard.routes import router as admin_dashboard
from api.admin.invoices.routes import router as admin_invoices
from api.admin.mails.routes import router as admin_mails
from api.admin.models.routes import router as admin_models
from api.admin.system.routes import router as admin_system
from api.admin.users.account_routes import router as admin_accounts
from api.admin.users.contract_routes import router as admin_contracts
from api.admin.users.routes import router as admin_users
from api.ai_texts.proofreading_routes import router as proofreading
from api.ai_texts.routes import router as ai_texts
from api.api_keys.routes import router as api_keys
from api.auth.current_user import router as users
from api.auth.routes import router as auth
from api.billing.invoice_routes import router as invoices
from api.billing.routes import router as billing
from api.capabilities.catalogue_routes import router as catalogue
from api.capabilities.routes import router as capabilities
from api.captions.archive_routes import router as caption_archive
from api.captions.notes.routes import router as caption_notes
from api.captions.replace_routes import router as caption_replacement
from api.captions.presence import router as caption_presence
from api.captions.reruns.routes import router as caption_reruns
from api.captions.review_routes import router as caption_review
from api.captions.routes import router as captions
from api.captions.versions.routes import router as caption_versions
from api.current_state import router as current_state
from api.error_log import router as error_log
from api.exports.routes import router as exports
from api.files.bin_routes import router as file_bin
from api.files.media import router as file_media
from api.files.routes import router as files
from api.files.tag_routes import router as file_tags
from api.glossary.routes import router as glossary
from api.ledger.routes import router as ledger
from api.membership.file_routes import router as team_files
from api.membership.invitation_routes import router as invitations
from api.membership.routes import router as teams
from api.operations.routes import router as operations
from api.public_config import router as public_config
from api.quality.profile_routes import router as quality_profiles
from api.quality.routes import router as quality
from api.realtime.routes import router as realtime
from api.rest.caption_routes import router as rest_captions
from api.rest.export_routes import router as rest_exports
from api.rest.file_routes import router as rest_files
from api.rest.webhook_routes import router as rest_webhooks
from api.search.routes import router as search
from api.speakers.routes import router as speakers
from api.speech.routes import router as speech
from api.styles.routes import router as caption_styles
from api.tags.routes import router as tags
from api.translations.routes import router as translations
from api.uploads.routes import router as uploads
from api.webhooks.routes import router as webhooks

# `files` comes after them, because its `/api/files/{slug}` would match the other paths under `/api/files`.
ROUTERS: tuple[APIRouter, ...] = (
    public_config,
    error_log,
    auth,
    account,
    account_settings,
    editor_settings,
    account_data,
    api_keys,
    users,
    billing,
    invoices,
    account_log,
    browse_as,
    admin_audit,
    admin_companies,
    admin_users,
    invitations,
    team_files,
    teams,
    admin_contracts,
    admin_accounts,
    realtime,
    current_state,
    capabilities,
    catalogue,
    admin_contents,
    admin_dashboard,
    admin_invoices,
    admin_mails,
    admin_models,
    admin_system,
    glossary,
    ledger,
    translations,
    search,
    caption_archive,
    caption_replacement,
    caption_review,
    proofreading,
    caption_notes,
    caption_presence,
    caption_reruns,
    caption_versions,
    caption_styles,
    quality_profiles,
    quality,
    captions,
    ai_texts,
    speakers,
    exports,
    uploads,
    tags,
    file_tags,
    file_bin,
    file_media,
    files,
    webhooks,
    rest_exports,
    rest_captions,
    rest_webhooks,
    rest_files,
    operations,
    speech,
)
