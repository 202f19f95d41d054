"""Apart from the decoder, so that the web process never loads one."""

from __future__ import annotations


class UnreadablePicture(Exception):
    """The message is a sentence for the person."""
