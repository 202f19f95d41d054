"""Sends what ffmpeg decodes to an installation, which captions it: `sagascript live INPUT --to ADDRESS`.

The sound is in a journal on this machine until the installation has kept it, so a connection that is away costs none.
"""

from __future__ import annotations

import tempfile
import time
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx2
import typer

from api.edges.cli.console import err
from api.edges.cli.local.live_run import FILE_ID, LiveInput, recording_of
from cluster.settings import get_cluster_settings
from cluster.storage.folder import LocalStorage
from cluster.storage.objects import Storage
from pipelines.media.sound.journal import Journal, journal_of, piece_key
from pipelines.messages.attempt import StageFailed

TIMEOUT_S = 30.0
LOOK_EVERY_S = 1.0
IDLE_S = 0.1
RETRY_S = 1.0
NOT_THERE = "No installation answers at {address}. Check the address and the connection."
DELETED = "Somebody has cancelled or deleted the recording there, so it is not kept."
AWAY = "The installation cannot be reached. The sound is kept here and sent when it answers."


@dataclass(frozen=True, slots=True)
class Receiver:
    """An installation, and a key of somebody there with the scope `transcribe`."""

    address: str
    key: str


@dataclass(frozen=True, slots=True)
class About:
    """What the installation is told of the recording."""

    language: str
    name: str | None
    translate_to: list[str]


def send_live(taken: LiveInput, about: About, receiver: Receiver) -> str:
    """Print the final words as they come, and return the address of the file. Raises `StageFailed`."""
    root, journal = get_cluster_settings().work_root, journal_of(FILE_ID)
    root.mkdir(parents=True, exist_ok=True)
    headers = {"Authorization": f"Bearer {receiver.key}"}
    with (
        httpx2.Client(base_url=receiver.address, headers=headers, timeout=TIMEOUT_S) as client,
        # A folder of its own: two of these may run at once, and an earlier one may have been killed.
        tempfile.TemporaryDirectory(prefix="live-", dir=root) as folder,
    ):
        storage = LocalStorage(Path(folder, "objects"))
        sending = _Sending(client, about)
        with recording_of(taken, storage, journal, Path(folder)) as recording:
            sending.send(storage, journal)
        if recording.problem:
            err.print(recording.problem, markup=False, soft_wrap=True)
        sending.finish()
    typer.echo("")
    return f"{receiver.address.rstrip('/')}/captions/{sending.slug}"


class _Sending:
    def __init__(self, client: httpx2.Client, about: About) -> None:
        """Begins the recording."""
        self._client = client
        self._source = str(uuid.uuid4())
        self._after = 0
        self._look_at = 0.0
        self._is_away = False
        self._has_ended = False
        body = {**asdict(about), "source": self._source}
        self.slug: str = self._call("POST", "", waits=False, json=body)["slug"]

    def send(self, storage: Storage, folder: str) -> None:
        """Send each piece until it is kept there, and forget it here, to the end of the journal or of the recording."""
        journal = Journal(storage, folder, time.monotonic)
        while not self._has_ended:
            piece = journal.next()
            if piece is not None:
                self._keep(journal.read - 1, piece)
                storage.delete(piece_key(folder, journal.read - 1))
            elif journal.is_read:
                return
            else:
                time.sleep(IDLE_S)
            if time.monotonic() >= self._look_at:
                self._look()

    def finish(self) -> None:
        """End the recording, and wait until it is kept. Raises `StageFailed`."""
        self._call("POST", f"/{self.slug}/end")
        while not (live := self._look())["is_over"]:
            time.sleep(LOOK_EVERY_S)
        if not live["is_kept"]:
            raise StageFailed("live", DELETED, retryable=False)

    def _keep(self, number: int, piece: bytes) -> None:
        try:
            url = f"/{self.slug}/sound/{number}"
            self._call("PUT", url, params={"source": self._source}, content=piece)
        except _Refused as refused:
            if refused.code != "live_ended":
                raise
            # By its minutes, an administrator, or somebody on its page, who reads why.
            err.print(f"\n{refused.reason}", markup=False, soft_wrap=True)
            self._has_ended = True

    def _look(self) -> dict[str, Any]:
        """Print the words that are final since the last look."""
        self._look_at = time.monotonic() + LOOK_EVERY_S
        found = self._call("GET", f"/{self.slug}", params={"after": self._after})
        self._after = found["next"]
        for word in found["words"]:
            typer.echo(f"{word['text']} ", nl=False)
        live: dict[str, Any] = found["live"]
        if live["error"]:
            raise StageFailed("live", live["error"], retryable=False)
        return live

    def _call(self, method: str, path: str, *, waits: bool = True, **options: Any) -> dict[str, Any]:
        """The answer's data. With `waits`, also when the installation is away or asks to wait. Raises `_Refused`."""
        while True:
            try:
                answer = self._client.request(method, f"/api/v1/live{path}", **options)
            except httpx2.TransportError as error:
                if not waits:
                    raise _Refused(NOT_THERE.format(address=self._client.base_url), "") from error
                self._wait(RETRY_S)
                continue
            if answer.status_code in (httpx2.codes.TOO_MANY_REQUESTS, *range(500, 600)) and waits:
                self._wait(_seconds(answer))
                continue
            self._is_away = False
            content = _json(answer)
            if answer.status_code == httpx2.codes.NOT_FOUND and waits and content:
                raise _Refused(DELETED, "")
            if answer.is_success and "data" in content:
                data: dict[str, Any] = content["data"]
                return data
            sentence = content.get("message") or f"This is no address of Sagascript (it answers {answer.status_code})."
            raise _Refused(str(sentence), str(content.get("code", "")))

    def _wait(self, seconds: float) -> None:
        if not self._is_away:
            self._is_away = True
            err.print(f"\n{AWAY}", soft_wrap=True)
        time.sleep(seconds)


class _Refused(StageFailed):
    """The installation says no."""

    def __init__(self, sentence: str, code: str) -> None:
        super().__init__("live", sentence, retryable=False)
        self.code = code


def _seconds(answer: httpx2.Response) -> float:
    """How long the installation asks to wait."""
    after = answer.headers.get("retry-after", "")
    return float(after) if after.isdecimal() and int(after) <= TIMEOUT_S else RETRY_S


def _json(answer: httpx2.Response) -> dict[str, Any]:
    try:
        content = answer.json()
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}
