"""Which handler a kind of job has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from api.jobs.handlers import Handler


@lru_cache
def all_handlers() -> Mapping[str, Handler]:
    # Imported when asked for: the domains import the queue, which must not import them back.
    from api.captions.jobs import HANDLERS as CAPTIONS
    from api.exports.jobs import HANDLERS as EXPORTS
    from api.files.jobs import HANDLERS as FILES

    return {**FILES, **CAPTIONS, **EXPORTS}
