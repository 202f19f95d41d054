"""What we say where the pages are not built. Commands that import this need not load a web server."""

from __future__ import annotations

HOW_TO_BUILD = (
    "In a checkout `make run` builds them. Elsewhere set SAGASCRIPT_UI_DIR to the folder ui/dist of a checkout where "
    "they are built."
)
NOT_BUILT = f"The pages are not built, so only the API answers. {HOW_TO_BUILD}"
