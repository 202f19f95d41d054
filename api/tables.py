"""Every table, imported so that the metadata is complete when a migration is written or checked."""

from __future__ import annotations

from api.content.ai_texts.models import AiText, AiTextVersion
from api.content.ai_texts.proofreading.models import Proofreading
from api.content.arrivals.models import TusUpload, Upload, UploadToken
from api.content.captions.models import (
    CaptionLineRow,
    CaptionLink,
    CaptionRevision,
    CaptionTrack,
    ReviewMark,
    Speaker,
)
from api.content.captions.notes.models import CaptionNote
from api.content.captions.reruns.models import CaptionProposal
from api.content.captions.stored.snapshots import CaptionSnapshot
from api.content.exports.models import Export
from api.content.files.models import File, FileShots
from api.content.glossary.models import GlossaryTermRow, KnownWordRow, WordCorrectionRow
from api.content.live.models import LiveSession
from api.content.quality.models import QualityProfileRow
from api.content.speakers.voices.models import SpeakerVoice
from api.content.styles.models import CaptionStyleRow, FileStyle
from api.content.tags.models import FileTag, Tag
from api.edges.speech.models import SpeechRequest
from api.people.account.models import EditorSettingsRow, PasswordReset
from api.people.api_keys.models import ApiKey
from api.people.audit.models import AuditEntry
from api.people.auth.models import AttemptCount
from api.people.billing.models import BillingAccount, BillingChange, BillingEvent, Invoice, InvoiceNumber
from api.people.companies.models import Company, CompanyTeam, CompanyUser, CustomerDetails
from api.people.ledger.models import LedgerAccount, Movement
from api.people.membership.models import Invitation
from api.people.passkeys.models import PasskeyChallenge
from api.people.plans.minutes import Grant
from api.people.plans.models import Contract, Subscription
from api.people.providers.models import Identity, ProviderRow, ProviderSession, SignInRequest
from api.people.providers.provisioned import (
    ProvisionedGroup,
    ProvisionedMember,
    ProvisionedPerson,
    ProvisioningToken,
)
from api.people.reviewers.models import Reviewer, ReviewLink
from api.people.second_factor.models import AuthenticatorApp, RecoveryCode, TrustedBrowser, WaitingSignIn
from api.people.teams.models import Membership, Team
from api.people.users.models import BrowserSession, User
from api.people.users.passkeys import Passkey
from api.people.webhooks.models import WebhookDelivery, WebhookEndpoint
from api.platform.capabilities.models import CapabilityRow, EvidenceRow, ReplicaRow
from api.platform.db.base import Base
from api.platform.jobs.models import Job, JobChunk, OutboxMessage

metadata = Base.metadata

__all__ = [
    "AiText",
    "AiTextVersion",
    "ApiKey",
    "AttemptCount",
    "AuditEntry",
    "AuthenticatorApp",
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
    "EvidenceRow",
    "Export",
    "File",
    "FileShots",
    "FileStyle",
    "FileTag",
    "GlossaryTermRow",
    "Grant",
    "Identity",
    "Invitation",
    "Invoice",
    "InvoiceNumber",
    "Job",
    "JobChunk",
    "KnownWordRow",
    "LedgerAccount",
    "LiveSession",
    "Membership",
    "Movement",
    "OutboxMessage",
    "Passkey",
    "PasskeyChallenge",
    "PasswordReset",
    "Proofreading",
    "ProviderRow",
    "ProviderSession",
    "ProvisionedGroup",
    "ProvisionedMember",
    "ProvisionedPerson",
    "ProvisioningToken",
    "QualityProfileRow",
    "RecoveryCode",
    "ReplicaRow",
    "ReviewLink",
    "ReviewMark",
    "Reviewer",
    "SignInRequest",
    "Speaker",
    "SpeakerVoice",
    "SpeechRequest",
    "Subscription",
    "Tag",
    "Team",
    "TrustedBrowser",
    "TusUpload",
    "Upload",
    "UploadToken",
    "User",
    "WaitingSignIn",
    "WebhookDelivery",
    "WebhookEndpoint",
    "WordCorrectionRow",
    "metadata",
]
