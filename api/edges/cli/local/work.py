"""What commands that work on a local file share: how they run and end, and what they read."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from api.edges.cli.console import fail, sentences
from api.platform.settings import ApiSettings
from cluster.sizes import MB

CAPTION_BYTES_MAX = 6_000_000


@contextmanager
def work(name: str, settings: ApiSettings, *expected: type[Exception]) -> Iterator[None]:
    """The work of the command `name`. Expected errors, failed stages and signals end it with a sentence each."""
    # Imported here because commands check what they are given first, and these take a second.
    from cluster.logs.logging import configure_logging
    from pipelines.messages.attempt import StageFailed

    configure_logging(name, settings.model_copy(update={"log_level": "warning"}))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with sentences(*expected):
            yield
    except StageFailed as failed:
        raise fail(failed.reason) from None
    except KeyboardInterrupt:
        # Python remembers an interrupt of code run from a string, as in dataclasses during imports, and `python -m`
        # would then die by the signal whatever we return. Running another string clears that.
        exec("")
        raise fail("Stopped. Nothing was written.", 130) from None


def read_text_file(path: Path, *, what: str) -> bytes:
    """The bytes of captions or a script; `what` names its kind. Exits with a sentence where that is too large."""
    if not path.is_file() or not os.access(path, os.R_OK):
        raise fail(f"{path} is not a file that can be read.")
    if path.stat().st_size > CAPTION_BYTES_MAX:
        raise fail(f"{path} is larger than {CAPTION_BYTES_MAX // MB} MB, the most for a {what}.")
    return path.read_bytes()
