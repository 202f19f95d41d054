"""Settings of the models, read where models are deployed; profiles hold the values for a whole class of machines."""

from __future__ import annotations

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class ModelSettings(BaseSettings):
    """Read from the environment, prefix `SAGASCRIPT_`."""

    model_config = SettingsConfigDict(env_prefix="SAGASCRIPT_", extra="ignore", frozen=True)

    whisper_model: str | None = Field(
        None, description="Whisper model for every language: a folder, a size (small, large-v3-turbo) or a hub name."
    )
    whisper_models: dict[str, str] = Field(
        default_factory=dict,
        description='Whisper models of single languages, as JSON: {"is": "/models/whisper-is"}; values as above.',
    )
    sherpa_models: tuple[str, ...] = Field(
        (),
        description="Speech models that sherpa-onnx runs, as JSON, the first one first where several know a language: "
        '["parakeet-tdt-0.6b-v3"]; values are folders or names in the models folder. Unset: all in the models folder.',
    )
    live_models: tuple[str, ...] = Field(
        (),
        description="Streaming speech models for live captions, as JSON, the first one first where several know a "
        "language; values are folders or names in the models folder. Unset: all in the models folder.",
    )
    translation_models: dict[str, str] = Field(
        default_factory=dict,
        description='Translation models, as JSON: {"en-is": "/models/quickmt-en-is"}, * for models of many languages; '
        "values are folders, names in the models folder or hub names.",
    )
    speaker_model: str | None = Field(
        None, description="Speaker model: a folder, or the name of one in the models folder."
    )
    allow_hub: bool | None = Field(
        None,
        description="Whether speech models may be downloaded from the model hub; the profile decides when unset.",
    )
    allow_noncommercial_models: bool = Field(
        False, description="Whether models may be used whose licence forbids commercial use."
    )
    avx512: bool = Field(
        True, description="Whether the speech model uses AVX512 where the processor has it; it is 5 to 7 % faster."
    )
    models_memory_mb: int = Field(
        8192,
        ge=0,
        description="Memory for the models of single languages together, in MB; the main model is not counted.",
    )
    hub_timeout_s: float = Field(
        4.0, gt=0, description="How long the hub may take to answer before it counts as absent."
    )
