"""Reads a model's entry on the model hub: its files with sizes and checksums, and its licence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from urllib.parse import quote

import httpx2
from huggingface_hub import HfApi, constants
from huggingface_hub.errors import HfHubHTTPError, HFValidationError, OfflineModeIsEnabled

from serve.core.models.hub_access import hub_host
from serve.core.models.model_files import MODEL_FILE
from serve.download.problems import HubAway, HubRefused

NEEDED_FILES = ("config.json", "preprocessor_config.json", "model.bin", "tokenizer.json", "vocabulary.*")
"""Files of a repository that faster-whisper reads; others, such as a card and pictures, are not downloaded."""
LISTING_TIMEOUT_S = 20.0
_RETRYABLE = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of a repository. `digest` is the SHA-256 of a large file, for a small one its Git object id (SHA-1)."""

    path: str
    url: str
    size: int
    digest: str
    is_large: bool


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """A repository at one commit."""

    repository: str
    commit: str
    licence: str
    files: tuple[RemoteFile, ...]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


def repository_of(name: str) -> str:
    """The repository of a Whisper size (`base`, `large-v3-turbo`), as faster-whisper names it.

    A name with a slash is a repository already.
    """
    if "/" in name:
        return name
    if name in {"large-v3-turbo", "turbo"}:
        return "mobiuslabsgmbh/faster-whisper-large-v3-turbo"
    if name.startswith("distil-"):
        return f"Systran/faster-distil-whisper-{name.removeprefix('distil-')}"
    return f"Systran/faster-whisper-{'large-v3' if name == 'large' else name}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which files of a repository to get. `kind` says in a sentence what a repository without `required` is not."""

    repository: str
    patterns: tuple[str, ...]
    required: tuple[str, ...]
    kind: str
    revision: str = "main"
    local_name: Callable[[str], str] = str
    """The name that a file gets in the model's folder."""
    checksums: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of files that must be what the hub has."""


def remote_model(name: str) -> RemoteModel:
    """The newest version of a Whisper model. Raises HubAway when a retry may help, else HubRefused."""
    return remote_files([Wanted(repository_of(name), NEEDED_FILES, (MODEL_FILE,), "faster-whisper model")])


def remote_files(parts: Sequence[Wanted]) -> RemoteModel:
    """A model made of files of these repositories. Raises HubAway when a retry may help, else HubRefused."""
    found = [_part(wanted) for wanted in parts]
    return RemoteModel(
        repository=found[0].repository,
        commit="-".join(part.commit for part in found),
        licence=next((part.licence for part in found if forbids_commercial_use(part.licence)), found[0].licence),
        # The largest last: a model counts as present once its `model.bin` is there.
        files=tuple(sorted((file for part in found for file in part.files), key=lambda file: file.size)),
    )


def _part(wanted: Wanted) -> RemoteModel:
    repository = wanted.repository
    try:
        info = HfApi(endpoint=constants.ENDPOINT).model_info(
            repository, revision=wanted.revision, files_metadata=True, timeout=LISTING_TIMEOUT_S
        )
    except HfHubHTTPError as error:
        raise problem_of(error.response.status_code, f"the model “{repository}”") from error
    except (HFValidationError, OfflineModeIsEnabled) as error:
        raise HubRefused(f"“{repository}” cannot be downloaded: {error}") from error
    except (httpx2.HTTPError, OSError, ValueError, KeyError, TypeError) as error:
        # Not JSON, or unrelated JSON, such as the sign-in page of a hotel's network.
        raise HubAway(f"the hub at {hub_host()} gave no usable answer ({type(error).__name__})") from error
    commit = info.sha or wanted.revision
    files = [
        RemoteFile(
            sibling.rfilename,
            f"{constants.ENDPOINT}/{repository}/resolve/{quote(commit)}/{quote(sibling.rfilename)}",
            sibling.size or 0,
            sibling.lfs.sha256 if sibling.lfs else sibling.blob_id or "",
            is_large=sibling.lfs is not None,
        )
        for sibling in info.siblings or ()
        if any(fnmatch(sibling.rfilename, pattern) for pattern in wanted.patterns)
    ]
    if missing := [name for name in wanted.required if name not in {file.path for file in files}]:
        raise HubRefused(f"“{repository}” holds no {missing[0]}, so it is no {wanted.kind}. Name another model.")
    if unchecked := [file.path for file in files if not file.digest]:
        raise HubRefused(
            f"The hub at {hub_host()} names no checksum of {unchecked[0]} in “{repository}”, so what it sends cannot "
            "be checked. Set HF_ENDPOINT to another hub."
        )
    for file in files:
        if file.digest != wanted.checksums.get(file.path, file.digest):
            raise HubRefused(f"The hub at {hub_host()} has another {file.path} in “{repository}” than we know.")
    renamed = tuple(replace(file, path=wanted.local_name(file.path)) for file in files)
    return RemoteModel(repository, commit, _licence(info.tags), renamed)


def problem_of(status: int, what: str) -> HubAway | HubRefused:
    """The error to raise for an HTTP status of the hub."""
    if status in _RETRYABLE:
        return HubAway(f"the hub at {hub_host()} answers with error {status}")
    if status == 404:
        return HubRefused(f"The hub at {hub_host()} does not have {what}. Check its name.")
    if status in {401, 403}:
        return HubRefused(
            f"The hub at {hub_host()} does not give {what} without a token. Sign in with `hf auth login`."
        )
    return HubRefused(f"The hub at {hub_host()} does not give {what} (error {status}).")


def _licence(tags: list[str] | None) -> str:
    """The licence's identifier, such as `mit`; empty where the repository names none."""
    return next((tag.removeprefix("license:") for tag in tags or () if tag.startswith("license:")), "")


def forbids_commercial_use(licence: str) -> bool:
    """Whether a licence identifier of the hub, such as `cc-by-nc-4.0`, names a non-commercial licence."""
    parts = licence.lower().split("-")
    return "nc" in parts or "noncommercial" in parts or ("non" in parts and "commercial" in parts)
