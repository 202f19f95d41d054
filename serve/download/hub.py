"""Reads a model's entry on the model hub: its files with sizes and checksums, and its licence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from urllib.parse import quote

import httpx2
from huggingface_hub import HfApi, constants
from huggingface_hub.errors import HfHubHTTPError, HFValidationError, OfflineModeIsEnabled

from cluster.wording.message import Wording
from serve.core.models.hub_access import hub_host
from serve.core.models.model_files import MODEL_FILE
from serve.download.problems import HubAway, HubRefused

NEEDED_FILES = ("config.json", "preprocessor_config.json", "model.bin", "tokenizer.json", "vocabulary.*")
"""Files of a repository that faster-whisper reads; others, such as a card and pictures, are not downloaded."""
LISTING_TIMEOUT_S = 20.0

THE_MODEL = Wording("hub.the_model", "the model “{name}”")
THE_FILE = Wording("hub.the_file", "the file {name}")
NOT_DOWNLOADED = Wording("hub.not_downloaded", "“{name}” cannot be downloaded: {error}")
UNUSABLE = Wording("hub.unusable", "the hub at {host} gave no usable answer ({error})")
LACKS_FILE = Wording("hub.lacks_file", "“{name}” holds no {file}, so it is no {kind}. Name another model.")
NO_CHECKSUM = Wording(
    "hub.no_checksum",
    "The hub at {host} names no checksum of {file} in “{name}”, so what it sends cannot be checked. "
    "Set HF_ENDPOINT to another hub.",
)
OTHER_FILE = Wording("hub.other_file", "The hub at {host} has another {file} in “{name}” than we know.")
HUB_ERROR = Wording("hub.error", "the hub at {host} answers with error {status}")
NOT_THERE = Wording("hub.not_there", "The hub at {host} does not have {what}. Check its name.")
NEEDS_TOKEN = Wording(
    "hub.needs_token", "The hub at {host} does not give {what} without a token. Sign in with `hf auth login`."
)
NOT_GIVEN = Wording("hub.not_given", "The hub at {host} does not give {what} (error {status}).")
NONCOMMERCIAL = Wording(
    "hub.noncommercial",
    "The model “{name}” is not used: its licence ({licence}) forbids commercial use. Name another model.",
)
BROKE = Wording("hub.broke", "the connection to {host} broke ({error})")
ENDED_EARLY = Wording("hub.ended_early", "the connection to {host} ended early")
WRONG_CHECKSUM = Wording("hub.wrong_checksum", "{file} arrived with a wrong checksum")
NO_ROOM = Wording(
    "hub.no_room",
    "The model needs {needed:.1f} GB of free disk space in its folder, where {free:.1f} GB are free. "
    "Make room, and the download resumes by itself.",
)

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
        raise problem_of(error.response.status_code, THE_MODEL(name=repository)) from error
    except (HFValidationError, OfflineModeIsEnabled) as error:
        raise HubRefused(NOT_DOWNLOADED(name=repository, error=str(error))) from error
    except (httpx2.HTTPError, OSError, ValueError, KeyError, TypeError) as error:
        # Not JSON, or unrelated JSON, such as the sign-in page of a hotel's network.
        raise HubAway(UNUSABLE(host=hub_host(), error=type(error).__name__)) from error
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
        raise HubRefused(LACKS_FILE(name=repository, file=missing[0], kind=wanted.kind))
    if unchecked := [file.path for file in files if not file.digest]:
        raise HubRefused(NO_CHECKSUM(host=hub_host(), file=unchecked[0], name=repository))
    for file in files:
        if file.digest != wanted.checksums.get(file.path, file.digest):
            raise HubRefused(OTHER_FILE(host=hub_host(), file=file.path, name=repository))
    renamed = tuple(replace(file, path=wanted.local_name(file.path)) for file in files)
    return RemoteModel(repository, commit, _licence(info.tags), renamed)


def problem_of(status: int, what: str) -> HubAway | HubRefused:
    """The error to raise for an HTTP status of the hub."""
    if status in _RETRYABLE:
        return HubAway(HUB_ERROR(host=hub_host(), status=str(status)))
    if status == 404:
        return HubRefused(NOT_THERE(host=hub_host(), what=what))
    if status in {401, 403}:
        return HubRefused(NEEDS_TOKEN(host=hub_host(), what=what))
    return HubRefused(NOT_GIVEN(host=hub_host(), what=what, status=str(status)))


def _licence(tags: list[str] | None) -> str:
    """The licence's identifier, such as `mit`; empty where the repository names none."""
    return next((tag.removeprefix("license:") for tag in tags or () if tag.startswith("license:")), "")


def forbids_commercial_use(licence: str) -> bool:
    """Whether a licence identifier of the hub, such as `cc-by-nc-4.0`, names a non-commercial licence."""
    parts = licence.lower().split("-")
    return "nc" in parts or "noncommercial" in parts or ("non" in parts and "commercial" in parts)
