"""Every router of the JSON API, in one list."""

from __future__ import annotations

from fastapi import APIRouter

from api.content.ai_texts.proofreading.routes import router as proofreading
from api.content.ai_texts.routes import router as ai_texts
from api.content.belongings.routes import account as account_data
from api.content.belongings.routes import teams as team_files
from api.content.captions.editing.presence import router as caption_presence
from api.content.captions.notes.routes import router as caption_notes
from api.content.captions.replace.routes import router as caption_replacement
from api.content.captions.reruns.routes import router as caption_reruns
from api.content.captions.review.outside import router as outside_review
from api.content.captions.review.routes import router as caption_review
from api.content.captions.routes import router as captions
from api.content.captions.subtitle_files.archive_routes import router as caption_archive
from api.content.captions.term_uses import router as term_uses
from api.content.captions.versions.routes import router as caption_versions
from api.content.exports.routes import router as exports
from api.content.files.media import router as file_media
from api.content.glossary.routes import router as glossary
from api.content.library.bin.routes import router as file_bin
from api.content.library.routes import router as files
from api.content.library.tag_routes import router as file_tags
from api.content.live.hls import router as live_hls
from api.content.live.routes import router as live
from api.content.live.watching import router as live_watching
from api.content.quality.profile_routes import router as quality_profiles
from api.content.quality.routes import router as quality
from api.content.review_links.reviewer_routes import router as reviewing
from api.content.review_links.routes import router as review_links
from api.content.search.routes import router as search
from api.content.speakers.routes import router as speakers
from api.content.speakers.voices.routes import router as voices
from api.content.styles.routes import router as caption_styles
from api.content.tags.routes import router as tags
from api.content.translations.routes import router as translations
from api.content.uploads.routes import router as uploads
from api.edges.admin.audit.routes import router as admin_audit
from api.edges.admin.browse_as_routes import router as browse_as
from api.edges.admin.companies.routes import router as admin_companies
from api.edges.admin.contents.routes import router as admin_contents
from api.edges.admin.dashboard.routes import router as admin_dashboard
from api.edges.admin.invoices.routes import router as admin_invoices
from api.edges.admin.live.routes import router as admin_live
from api.edges.admin.mails.routes import router as admin_mails
from api.edges.admin.models.catalogue_routes import router as catalogue
from api.edges.admin.models.routes import router as admin_models
from api.edges.admin.providers.routes import router as admin_providers
from api.edges.admin.system.routes import router as admin_system
from api.edges.admin.users.account_routes import router as admin_accounts
from api.edges.admin.users.contract_routes import router as admin_contracts
from api.edges.admin.users.routes import router as admin_users
from api.edges.ledger.routes import router as ledger
from api.edges.pages.account_log import router as account_log
from api.edges.pages.channels import router as realtime
from api.edges.pages.current_state import router as current_state
from api.edges.pages.error_log import router as error_log
from api.edges.pages.models import router as capabilities
from api.edges.pages.public_config import router as public_config
from api.edges.pages.sample import router as sample
from api.edges.pages.security_txt import router as security_txt
from api.edges.rest.caption_routes import router as rest_captions
from api.edges.rest.export_routes import router as rest_exports
from api.edges.rest.file_routes import router as rest_files
from api.edges.rest.live_routes import router as rest_live
from api.edges.rest.webhook_routes import router as rest_webhooks
from api.edges.speech.realtime.routes import router as speech_live
from api.edges.speech.routes import router as speech
from api.people.account.browser_key import router as browser_key
from api.people.account.editor_settings_routes import router as editor_settings
from api.people.account.passkey_routes import router as passkeys
from api.people.account.routes import router as account
from api.people.account.second_factor_routes import router as second_factor
from api.people.account.settings_routes import router as account_settings
from api.people.api_keys.routes import router as api_keys
from api.people.auth.current_user import router as users
from api.people.auth.routes import router as auth
from api.people.billing.invoices.routes import router as invoices
from api.people.billing.routes import router as billing
from api.people.membership.invitation_routes import router as invitations
from api.people.membership.log_routes import router as team_log
from api.people.membership.routes import router as teams
from api.people.provisioning.routes import router as provisioning
from api.people.single_sign_on.identity_routes import router as identities
from api.people.single_sign_on.routes import router as single_sign_on
from api.people.webhooks.routes import router as webhooks
from api.platform.operations.routes import router as operations

# `files` comes after them, because its `/api/files/{slug}` would match the other paths under `/api/files`.
ROUTERS: tuple[APIRouter, ...] = (
    public_config,
    security_txt,
    error_log,
    auth,
    account,
    account_settings,
    second_factor,
    passkeys,
    single_sign_on,
    identities,
    provisioning,
    editor_settings,
    account_data,
    browser_key,
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
    team_log,
    teams,
    admin_contracts,
    admin_accounts,
    realtime,
    current_state,
    capabilities,
    sample,
    catalogue,
    admin_contents,
    admin_dashboard,
    admin_invoices,
    admin_live,
    admin_mails,
    admin_models,
    admin_providers,
    admin_system,
    glossary,
    term_uses,
    ledger,
    translations,
    search,
    caption_archive,
    caption_replacement,
    caption_review,
    outside_review,
    review_links,
    reviewing,
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
    voices,
    exports,
    uploads,
    tags,
    file_tags,
    file_bin,
    file_media,
    live,
    # Before the captions as a file, whose address is like that of the playlist.
    live_hls,
    live_watching,
    files,
    webhooks,
    rest_exports,
    rest_captions,
    rest_live,
    rest_webhooks,
    rest_files,
    operations,
    speech,
    speech_live,
)
