"""Settings every process of an installation shares: where it stores things and how it reaches Ray.

Nothing here is secret from a GPU node; database, session and payment settings live in `api/settings.py`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class ClusterSettings(BaseSettings):
    """Read from the environment, prefix `SAGASCRIPT_`."""

    model_config = SettingsConfigDict(env_prefix="SAGASCRIPT_", extra="ignore")

    data_dir: Path = Field(Path(".sagascript"), description="Folder of everything an installation keeps.")
    storage_dir: Path | None = Field(
        None, description="Folder of stored objects; `objects` in the data folder when unset."
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
    log_level: str = Field("info", description="debug, info, warning or error.")
    log_format: str = Field("auto", description="json, console, or auto: console on a terminal, else json.")

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
