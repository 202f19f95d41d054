"""Every number of this room. The largest file is a setting."""

from __future__ import annotations

WORKING_MAX = 1_000
"""Calls that may wait for their answers at once, over all programs."""
WORKING_OF_ONE_MAX = 100
"""The same, of one person's programs."""
RETRY_S = 5
"""When a program should try again that called while so many wait."""
RETRY_QUOTA_S = 3_600
"""When minutes are used up, waiting rarely helps soon."""
POLL_S = 0.1
"""How often a web process looks for answers, while somebody waits. A look without commits reads no table."""
AWAY_S = 1.0
DECODING_WAIT_S = 10.0
"""How long a short sound waits for others that this process decodes. Then it becomes a job."""
KEEP_ALIVE_S = 15.0
"""A stream without news carries a comment this often, so that proxies keep it open."""
FIELDS_MAX = 100
"""Each keyword is a field of its own."""
FIELD_BYTES_MAX = 20_000
FORM_BYTES_MAX = 100_000
"""For everything in the body but the file and the references."""
REFERENCES_MAX = 4
"""People whom a program may name by their voices, as with OpenAI."""
REFERENCE_CHARS_MAX = 2_500_000
"""Of a data URL: 10 s of stereo sound as a CD has it."""
KEEP_HOURS = 24
"""For requests whose program never took the answer."""
