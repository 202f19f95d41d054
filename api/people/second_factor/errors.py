from __future__ import annotations

from api.platform.http.errors import Conflict, Invalid
from cluster.wording.message import Message

WRONG_CODE = Message(
    "second_factor.wrong_code",
    "This code is not right, or it was used already. Wait for the next one in your app, or use a recovery code.",
)
NOT_BEGUN = Message("second_factor.not_begun", "Begin again: scan the new code with your app first.")
IS_ON = Message("second_factor.is_on", "You have an authenticator app already. Turn it off first to use another.")
RECOVERY_CODE_NEEDED = Message(
    "second_factor.recovery_code_needed",
    "You removed the password of this account. Enter one of your recovery codes to set a new one.",
)
IS_OFF = Message("second_factor.is_off", "This account has no authenticator app.")


class CodeNeeded(Conflict):
    """The password was right. The page asks for a code."""

    code = "code_needed"
    message = Message("second_factor.code_needed", "Enter the code that your authenticator app shows.")


class CodeStale(Invalid):
    """The page goes back to the password."""

    code = "code_stale"
    message = Message("second_factor.stale", "This took too long. Enter your password again.")
