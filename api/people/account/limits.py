"""How often account calls may be made, over all web processes. Every number of this room stands here."""

from __future__ import annotations

from api.people.auth.attempts import Limit

FORGOT_ADDRESS = Limit("forgot address", 10, 60.0)
FORGOT_MAIL = Limit("forgot mail", 1, 60.0)
FORGOT_MAILS = Limit("forgot mails", 10, 3600.0)
RESET_ADDRESS = Limit("reset address", 10, 60.0)
VERIFY_ADDRESS = Limit("verify address", 30, 60.0)
VERIFY_MAIL = Limit("verification mail", 1, 60.0)
VERIFY_MAILS = Limit("verification mails", 10, 3600.0)
PASSWORD_CHECK = Limit("password of a signed-in account", 10, 600.0)
"""For calls that ask for the password again. A stolen session must not become a way to guess it."""
PROFILE = Limit("profile", 60, 60.0)
PICTURE = Limit("profile picture", 20, 600.0)
"""Each one is decoded in a process of its own."""
SIGN_OUT = Limit("sign out elsewhere", 60, 60.0)
EXPORT = Limit("account export", 5, 3600.0)

RESET_MINUTES = 60
VERIFY_HOURS = 48
RESTORE_DAYS = 30
"""How long a deleted account can be restored."""
