"""Mails as files, for installations without a mail server."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
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


def remove_older(folder: Path, before: datetime) -> int:
    """Remove the mails written before this time; return their number."""
    if not folder.is_dir():
        return 0
    old = [path for path in folder.glob(f"*{SUFFIX}") if path.stat().st_mtime < before.timestamp()]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)
