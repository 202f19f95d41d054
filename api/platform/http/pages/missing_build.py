"""What we say where the pages are not built. Commands that import this need not load a web server."""

from __future__ import annotations

from cluster.sentences import paragraph
from cluster.wording.message import Message

HOW_TO_BUILD = Message(
    "pages.how_to_build",
    "In a checkout `make run` builds them. Elsewhere set SAGASCRIPT_UI_DIR to the folder ui/dist of a checkout where "
    "they are built.",
)
NOT_BUILT = paragraph(Message("pages.not_built", "The pages are not built, so only the API answers."), HOW_TO_BUILD)
