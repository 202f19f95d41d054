"""What a backup is: a folder with the database, the stored objects, the secrets, and this description."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ValidationError

MANIFEST = "manifest.json"
OBJECTS = "objects"
SECRETS = "secrets.json"
FORMAT = 1


class BackupFailed(Exception):
    """The text is a sentence that says why and what to do."""


class DatabaseForm(StrEnum):
    """The database of a backup; the value is its file."""

    SQLITE = "database.sqlite"
    POSTGRESQL = "database.dump"


class Manifest(BaseModel):
    """`schema_revision` is the schema of the database; `has_secrets` says whether the installation made its own."""

    format: int = FORMAT
    made_at: datetime
    database: DatabaseForm
    schema_revision: str
    objects: int
    object_bytes: int
    has_secrets: bool


@dataclass(frozen=True, slots=True)
class BackupFolder:
    root: Path

    @property
    def objects(self) -> Path:
        return self.root / OBJECTS

    @property
    def secrets(self) -> Path:
        return self.root / SECRETS

    def database(self, form: DatabaseForm) -> Path:
        return self.root / form.value

    def write(self, manifest: Manifest) -> None:
        (self.root / MANIFEST).write_text(manifest.model_dump_json(indent=1) + "\n")

    def manifest(self) -> Manifest:
        """Raises `BackupFailed` if this is no complete backup."""
        try:
            manifest = Manifest.model_validate_json((self.root / MANIFEST).read_text())
        except (OSError, ValidationError):
            raise BackupFailed(f"{self.root} is no complete backup. Name one that `sagascript backup` wrote.") from None
        if manifest.format > FORMAT:
            raise BackupFailed("A newer version of Sagascript wrote this backup. Install that version first.")
        return manifest


def now() -> datetime:
    return datetime.now(UTC)
