"""Where a person's picture is stored, and the address from which pages fetch it."""

from __future__ import annotations

import secrets
import uuid

from api.people.users.models import User

FOLDER = "avatars"


def new_avatar_key(user_id: uuid.UUID) -> str:
    """A new name for each picture, so that browsers may keep what they have."""
    return f"{FOLDER}/{user_id.hex}/{secrets.token_hex(8)}.jpg"


def avatar_folder(user_id: uuid.UUID) -> str:
    return f"{FOLDER}/{user_id.hex}"


def avatar_url(user: User) -> str | None:
    if user.avatar_key is None:
        return None
    version = user.avatar_key.rpartition("/")[2].removesuffix(".jpg")
    return f"/api/users/{user.id}/avatar/{version}"
