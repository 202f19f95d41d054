"""Mails as files, for installations without a mail server."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from cluster.private_folder import make_private

SUFFIX = ".eml"


def write_letter(folder: Path, payload: Mapping[str, Any], message: EmailMessage) -> Path:
    """Write a mail under a name made of its time, kind and id, so that a repeat replaces it. Mode 600."""
    make_private(folder)
    stamp = "".join(letter for letter in str(payload["at"])[:26] if letter.isdigit())
    path = folder / f"{stamp}-{payload['kind']}-{payload['id']}{SUFFIX}"
    draft = path.with_suffix(f".{os.getpid()}.draft")
    draft.touch(mode=0o600)
    draft.write_bytes(message.as_bytes())
    draft.replace(path)
    return path


def remove_older(folder: Path, age_s: float) -> int:
    """Remove the mails written more than `age_s` ago; return their number."""
    if not folder.is_dir():
        return 0
    before = time.time() - age_s
    old = [path for path in folder.glob(f"*{SUFFIX}") if path.stat().st_mtime < before]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)
