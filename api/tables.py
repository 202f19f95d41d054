"""Every table, imported so that the metadata is complete when a migration is written or checked."""

from __future__ import annotations

from api.account.models import EditorSettingsRow, PasswordReset
from api.ai_texts.models import AiText, AiTextVersion
from api.ai_texts.proofreading_models import Proofreading
from api.api_keys.models import ApiKey
from api.audit.models import AuditEntry
from api.auth.models import AttemptCount
from api.billing.models import BillingAccount, BillingChange, BillingEvent, Invoice, InvoiceNumber
from api.capabilities.models import CapabilityRow, ReplicaRow
from api.captions.models import (
    CaptionLineRow,
    CaptionLink,
    CaptionRevision,
    CaptionTrack,
    ReviewMark,
    Speaker,
)
from api.captions.notes.models import CaptionNote
from api.captions.reruns.models import CaptionProposal
from api.captions.versions.models import CaptionSnapshot
from api.companies.models import Company, CompanyTeam, CompanyUser, CustomerDetails
from api.db.base import Base
from api.exports.models import Export
from api.files.models import File, FileShots
from api.glossary.models import GlossaryTermRow, KnownWordRow, WordCorrectionRow
from api.jobs.models import Job, JobChunk, OutboxMessage
from api.ledger.models import Grant, LedgerAccount, Movement
from api.membership.models import Invitation
from api.plans.models import Contract, Subscription
from api.quality.models import QualityProfileRow
from api.speech.models import SpeechRequest
from api.styles.models import CaptionStyleRow, FileStyle
from api.tags.models import FileTag, Tag
from api.teams.models import Membership, Team
from api.uploads.models import TusUpload, Upload, UploadToken
from api.users.models import BrowserSession, User
from api.webhooks.models import WebhookDelivery, WebhookEndpoint

metadata = Base.metadata

__all__ = [
    "AiText",
    "AiTextVersion",
    "ApiKey",
    "AttemptCount",
    "AuditEntry",
    "BillingAccount",
    "BillingChange",
    "BillingEvent",
    "BrowserSession",
    "CapabilityRow",
    "CaptionLineRow",
    "CaptionLink",
    "CaptionNote",
    "CaptionProposal",
    "CaptionRevision",
    "CaptionSnapshot",
    "CaptionStyleRow",
    "CaptionTrack",
    "Company",
    "CompanyTeam",
    "CompanyUser",
    "Contract",
    "CustomerDetails",
    "EditorSettingsRow",
    "Export",
    "File",
    "FileShots",
    "FileStyle",
    "FileTag",
    "GlossaryTermRow",
    "Grant",
    "Invitation",
    "Invoice",
    "InvoiceNumber",
    "Job",
    "JobChunk",
    "KnownWordRow",
    "LedgerAccount",
    "Membership",
    "Movement",
    "OutboxMessage",
    "PasswordReset",
    "Proofreading",
    "QualityProfileRow",
    "ReplicaRow",
    "ReviewMark",
    "Speaker",
    "SpeechRequest",
    "Subscription",
    "Tag",
    "Team",
    "TusUpload",
    "Upload",
    "UploadToken",
    "User",
    "WebhookDelivery",
    "WebhookEndpoint",
    "WordCorrectionRow",
    "metadata",
]
