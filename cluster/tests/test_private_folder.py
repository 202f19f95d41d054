"""Only their owner can access the folders of people's files and Ray's sockets."""

from __future__ import annotations

import os
import pwd
import stat
from pathlib import Path

import pytest

from cluster.private_folder import NotPrivate, make_private


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("before", [None, 0o777, 0o755, 0o700])
def test_only_its_owner_can_enter(tmp_path: Path, before: int | None) -> None:
    folder = tmp_path / "saga"
    if before is not None:
        folder.mkdir()
        folder.chmod(before)
    assert mode(make_private(folder)) == 0o700


def test_a_link_to_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "saga").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotPrivate, match="not a folder of this user"):
        make_private(tmp_path / "saga")


def test_a_folder_that_another_user_made_first_is_refused(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("Only root can make a folder for another user.")
    folder = tmp_path / "saga"
    folder.mkdir(mode=0o700)
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    with pytest.raises(NotPrivate):
        make_private(folder)
