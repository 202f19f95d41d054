"""The limits of text input and request bodies. Schemas and routes take their numbers from here."""

from __future__ import annotations

from pipelines.captions.limits import LINE_CHARS_MAX

PERSON_NAME_MAX = 200
TEAM_NAME_MAX = 200
EMAIL_MAX = 254
"""RFC 5321 allows a path of 256 octets, angle brackets included."""
USER_AGENT_MAX = 300
PASSWORD_MIN = 8
PASSWORD_MAX = 200
FILE_TITLE_MAX = 500
"""For the name people give a file. The name of the uploaded file itself has `FILE_NAME_MAX`."""
FILE_NAME_MAX = 255
LANGUAGE_CODE_MAX = 20
KEYWORD_MAX = 200
TAG_NAME_MAX = 60
TOKEN_MAX = 200
"""For the secret of a link in a mail."""
CAPTION_TEXT_MAX = LINE_CHARS_MAX
REVISION_LABEL_MAX = 200
"""For what a person's history calls a change of many lines."""
AI_TEXT_MAX = 200_000
"""For an AI text as Markdown, about 30,000 words."""
EXPORT_LANGUAGES_MAX = 30
"""Subtitle tracks of one exported file."""
SNAPSHOT_NAME_MAX = 200
"""For the name of a version of captions."""
CAPTION_NOTE_MAX = 2_000
GLOSSARY_TERM_MAX = 200
STYLE_NAME_MAX = 100
STYLE_ID_MAX = 60
GLOSSARY_NOTE_MAX = 500
KNOWN_WORD_MAX = 100
SEARCH_TEXT_MAX = 300
"""For what find and replace searches for, and for its replacement."""
REVIEW_KEY_MAX = 200
REVIEWED_SPOTS_MAX = 2_000
"""Places that one call marks as reviewed: “keep all alike” names many."""
INVOICE_LINES_MAX = 50
COUNTED_MAX = 10_000
"""Up to here the lists of the admin area count what matches; beyond it they say "more than"."""
QUALITY_SOURCE_MAX = 300
LEDGER_NOTE_MAX = 500
COUPON_MAX = 100
STRIPE_ID_MAX = 100
ERROR_REPORT_MAX = 10_000
REASON_MIN = 3
REASON_MAX = 300
COMPANY_NAME_MAX = 200
COMPANY_NUMBER_MAX = 40
"""For registration, VAT and telephone numbers."""
ADDRESS_MAX = 500
ADMIN_NOTE_MAX = 2_000
PERSONAL_NUMBER_MAX = 40

BODY_BYTES_MAX = 1_000_000
"""For any request that is neither an upload nor a subtitle file."""
IMPORT_BYTES_MAX = 12_000_000
"""For a request that carries a subtitle file. 10,000 lines of 8 words, each with its time, take 8.4 MB as our JSON."""
IMPORT_FRAME_BYTES = 10_000
"""Of these, what the form around the file and its name may take."""
PICTURE_BYTES_MAX = 10_000_000
"""For the picture of a person. Phones take pictures of 5 MB."""
PICTURE_FORM_BYTES_MAX = PICTURE_BYTES_MAX + 100_000
BODY_WINDOW_S = 30.0
BODY_WINDOW_BYTES = 16 * 1024
"""An unfinished body must deliver at least this much in each window. A 2G connection delivers three times as much."""
HEAD_BYTES_MAX = 64 * 1024
"""For a request line and its headers together."""
HEADERS_MAX = 100
"""Headers in one request. Browsers send about 20."""
HEAD_WITHIN_S = 15.0
"""From opening the connection, or from the first byte of a later request, to the end of the head."""
UNREAD_BODY_WITHIN_S = 30.0
"""For the rest of a body that arrives after its answer and is discarded."""
SOCKET_MESSAGE_BYTES_MAX = 2_000_000
"""One message of a websocket that the application answers: half a minute of sound in base64."""
