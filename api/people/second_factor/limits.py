from __future__ import annotations

from api.people.auth.attempts import Limit

CODE_ACCOUNT = Limit("second factor of an account", 10, 3600.0)
"""Three of a million codes are right at any time, so a day of guesses finds one in 1,400 cases; the password comes
first."""
CODE_LENGTH_MAX = 30
RECOVERY_CODES = 10
RECOVERY_BYTES = 8
WAITING_S = 600
"""The time somebody has between the password and the code."""
TRUSTED_DAYS = 30
STEP_S = 30
STEPS_AROUND = 1
"""How many codes before and after the present one are taken: clocks differ (RFC 6238, 5.2)."""
