"""Follows the profile of an installation: a file that changes is read again."""

from __future__ import annotations

from pathlib import Path

from cluster.sentences import paragraph
from cluster.wording.message import Message
from serve.profile import BadProfile, Profile, load_profile

STAYS = Message("profile.stays", "The profile read before stays in use.")

_Signature = tuple[int, int, int] | None
"""Number, size and time of change of the file; None where there is none."""


class ProfileFile:
    """The profile by the name that `load_profile` takes. Those of the product never change. Raises BadProfile."""

    def __init__(self, name: str) -> None:
        self.profile: Profile = load_profile(name)
        self.problem = ""
        """Why the file as it is now cannot be used; `profile` is then the last one that could."""
        self._name = name
        self._used = self._seen = self._signature()

    def has_changed(self) -> bool:
        """Look at the file; whether `profile` or `problem` is new. Call it every few seconds.

        A file counts once it is the same at two looks: an editor may still be writing it.
        """
        before, self._seen = self._seen, self._signature()
        if self._seen in (None, self._used) or self._seen != before:
            return False
        self._used = self._seen
        known = (self.profile, self.problem)
        try:
            self.profile, self.problem = load_profile(self._name), ""
        except BadProfile as wrong:
            self.problem = paragraph(str(wrong), STAYS)
        return (self.profile, self.problem) != known

    def _signature(self) -> _Signature:
        try:
            found = Path(self._name).stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns
