"""Why a sign-in with a provider did not work, as the person reads it. The log has what the provider said."""

from __future__ import annotations

from api.platform.http.errors import Invalid, Unavailable
from cluster.wording.message import Message, Wording

STALE = Message(
    "single_sign_on.stale",
    "This sign-in took too long, was used already, or began in another browser. Start again from the sign-in page.",
)
REFUSED = Wording(
    "single_sign_on.refused", "{provider} did not let you in. Try again, or ask the people who run it why."
)
UNTRUSTED = Wording(
    "single_sign_on.untrusted",
    "The answer of {provider} could not be trusted, so nobody was signed in. Try again; if it happens again, tell the "
    "people who run this service.",
)
AWAY = Wording("single_sign_on.away", "{provider} does not answer. Try again in a moment.")
NO_EMAIL = Wording(
    "single_sign_on.no_email",
    "{provider} did not say what your email address is. Ask the people who run it to send the claim “email”.",
)
OTHER_DOMAIN = Wording(
    "single_sign_on.other_domain", "{provider} is for other addresses than {email}. Choose another way to sign in."
)
NO_ACCOUNT = Wording(
    "single_sign_on.no_account",
    "{email} has no account here, and {provider} makes none. Ask an administrator for an account.",
)
TAKEN = Wording(
    "single_sign_on.taken",
    "This person of {provider} belongs to another account here. Sign in to that one, or remove them there first.",
)
OTHER_PERSON = Wording(
    "single_sign_on.other_person", "You signed in to {provider} as somebody else. Use the person of this account."
)
NOT_ANEW = Wording(
    "single_sign_on.not_anew",
    "{provider} did not say that you signed in just now, so it is no proof. Set a password by “Forgot your password?”, "
    "and use that instead.",
)
UNKNOWN_IDENTITY = Message("single_sign_on.unknown_identity", "This is not linked to your account any more.")


class StaleSignIn(Invalid):
    code = "sign_in_stale"
    message = STALE


class ProviderRefused(Invalid):
    code = "provider_refused"


class ProviderAway(Unavailable):
    """The provider, not we, is down; trying again soon may help."""
