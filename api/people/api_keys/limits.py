"""Every number of this room."""

from __future__ import annotations

SECRET_BYTES = 32
SHOWN_CHARS = 6
"""Letters of the secret that lists show, after its mark."""
NAME_MAX = 100
KEYS_MAX = 50
"""Keys of one person, those for teams included."""
EXPIRES_DAYS_MAX = 3_650
REQUESTS_MINUTE = 60
REQUESTS_MINUTE_MAX = 6_000
MINUTES_MONTH_MAX = 1_000_000
WINDOW_S = 60.0
LAST_USE_S = 60.0
"""How exactly we store when a key was last used. Each write takes SQLite's lock."""
EXPIRED_DAYS = 30
"""How long lists show a key that has expired."""
