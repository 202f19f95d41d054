"""The one table of how long text input and request bodies may be. Schemas and routes take their numbers from here."""

from __future__ import annotations

from pipelines.captions.limits import LINE_CHARS_MAX

PERSON_NAME_MAX = 200
EMAIL_MAX = 254
"""RFC 5321 allows a path of 256 octets, angle brackets included."""
PASSWORD_MIN = 8
PASSWORD_MAX = 200
FILE_TITLE_MAX = 500
"""The name people give a file; the name of the uploaded file itself has `FILE_NAME_MAX`."""
FILE_NAME_MAX = 255
LANGUAGE_CODE_MAX = 20
KEYWORD_MAX = 200
CAPTION_TEXT_MAX = LINE_CHARS_MAX
ERROR_REPORT_MAX = 10_000

BODY_BYTES_MAX = 1_000_000
"""Of any request that is neither an upload nor a subtitle file."""
IMPORT_BYTES_MAX = 6_000_000
"""Of a request that carries a subtitle file."""
BODY_WINDOW_S = 30.0
BODY_WINDOW_BYTES = 16 * 1024
"""A body that is not whole brings at least this much in each window; a 2G connection brings three times as much."""
HEAD_BYTES_MAX = 64 * 1024
"""Of a request line and its headers together."""
HEADERS_MAX = 100
"""Headers of one request. Browsers send about 20."""
HEAD_WITHIN_S = 15.0
"""From a connection's first moment, or the first byte of a further request, to the end of the head."""
UNREAD_BODY_WITHIN_S = 30.0
"""For the rest of a body that comes after its answer, which is thrown away."""
