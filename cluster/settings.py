"""Settings every process of an installation shares: where it stores things and how it reaches Ray.

Nothing here is secret from a GPU node; database, session and payment settings live in `api/platform/settings.py`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from cluster.data_folder import usual_data_dir

_BUCKET = re.compile(r"^s3://[a-z0-9][a-z0-9.\-]{1,62}(/[A-Za-z0-9_\-]+)*/?$")


class ClusterSettings(BaseSettings):
    """Read from the environment, prefix `SAGASCRIPT_`."""

    model_config = SettingsConfigDict(env_prefix="SAGASCRIPT_", extra="ignore")

    data_dir: Path = Field(
        default_factory=usual_data_dir,
        description="Folder of everything an installation keeps. From a wheel it is `sagascript` among the person's "
        "own data (`~/.local/share` on Linux), unless the working folder has a `.sagascript`.",
    )
    storage_dir: Path | None = Field(
        None, description="Folder of stored objects; `objects` in the data folder when unset."
    )
    storage_url: str | None = Field(
        None, description="Bucket of stored objects, `s3://bucket/prefix`, in place of the storage folder."
    )
    storage_endpoint: str | None = Field(
        None, description="Address of the S3-compatible service; Amazon's own when unset."
    )
    storage_region: str | None = Field(
        None, description="Region of the bucket; Amazon's usual variables and files name it when unset."
    )
    storage_public_endpoint: str | None = Field(
        None,
        description="Address at which browsers reach that service: videos then come straight from it by signed links.",
    )
    work_dir: Path | None = Field(None, description="Folder of running attempts; `work` in the data folder when unset.")
    profile: str = Field("auto", description="Model profile: embedded, cpu, gpu, auto, or the path of a YAML file.")
    models_dir: Path | None = Field(
        None, description="Folder with local models; `models` in the data folder when unset."
    )
    ray_address: str | None = Field(
        None, description="Address of a Ray cluster; when unset, one is started on this machine."
    )
    ffmpeg: str | None = Field(
        None, description="The ffmpeg program; when unset, the one on PATH, else imageio-ffmpeg's."
    )
    clamd: str | None = Field(
        None,
        pattern=r"^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):\d{1,5}$",
        description="A ClamAV daemon as `host:port`. When set, every upload passes it before anything reads it and "
        "anybody else gets it.",
    )
    log_level: str = Field("info", description="debug, info, warning or error.")
    log_format: str = Field("auto", description="json, console, or auto: console on a terminal, else json.")

    @field_validator("storage_url")
    @classmethod
    def _is_bucket(cls, url: str | None) -> str | None:
        if url is None or _BUCKET.match(url):
            return url
        raise ValueError(f"{url} is no bucket. Write s3://bucket or s3://bucket/prefix.")

    @property
    def storage_root(self) -> Path:
        return (self.storage_dir or self.data_dir / "objects").resolve()

    @property
    def work_root(self) -> Path:
        return (self.work_dir or self.data_dir / "work").resolve()

    @property
    def models_root(self) -> Path:
        return (self.models_dir or self.data_dir / "models").resolve()


@lru_cache
def get_cluster_settings() -> ClusterSettings:
    return ClusterSettings()
