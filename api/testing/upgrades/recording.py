"""Have a person use a running installation, and note all that it answers: what a later version must still know.

Speaks HTTP alone, so that it can look at any version:

    python -m api.testing.upgrades.recording http://127.0.0.2:8080 known.json
"""

from __future__ import annotations

import base64
import hashlib
import json
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx2

from api.testing.browser import PASSWORD
from api.testing.files.spoken_video import make_video
from cluster.testing.patience import PATIENCE_S

LOOK_EVERY_S = 0.3
TUS = {"Tus-Resumable": "1.0.0"}


class Person:
    """Somebody at a browser. `known` grows by each answer that is noted, `files` by the digest of each file."""

    def __init__(self, client: httpx2.Client, email: str) -> None:
        self.client = client
        self.email = email
        self.known: dict[str, Any] = {}
        self.files: dict[str, str] = {}

    def register(self, name: str) -> None:
        body = {"name": name, "email": self.email, "password": PASSWORD, "password_confirmation": PASSWORD}
        self.call("POST", "/register", body)

    def call(self, method: str, path: str, body: Any = None) -> Any:
        if "XSRF-TOKEN" not in self.client.cookies:
            self.client.get("/sanctum/csrf-cookie")
        answer = self.client.request(method, path, json=body, headers=self._forgery_header())
        if answer.is_error:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text[:300]}")
        return answer.json() if answer.content else None

    def _forgery_header(self) -> dict[str, str]:
        return {"X-XSRF-TOKEN": unquote(self.client.cookies["XSRF-TOKEN"])}

    def until(self, path: str, is_over: Any) -> Any:
        end = time.monotonic() + PATIENCE_S
        while not is_over(data := self.call("GET", path)["data"]):
            assert time.monotonic() < end, f"{path} never ended: {str(data)[:500]}"
            time.sleep(LOOK_EVERY_S)
        return data

    def note(self, path: str) -> Any:
        self.known[path] = self.call("GET", path)
        return self.known[path]["data"]

    def note_file(self, path: str) -> str:
        answer = self.client.get(path, follow_redirects=True).raise_for_status()
        self.files[path] = hashlib.sha256(answer.content).hexdigest()
        return self.files[path]

    def create(self, name: str, length: int) -> str:
        token = self.call("POST", "/api/files/upload/token")["token"]
        values = {"filename": f"{name}.mp4", "filetype": "video/mp4", "language": "en-US"}
        metadata = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in values.items())
        headers = {"Authorization": f"Bearer {token}", "Upload-Length": str(length), "Upload-Metadata": metadata}
        answer = self.client.post("/tus/", headers=TUS | headers | self._forgery_header()).raise_for_status()
        return str(httpx2.URL(answer.headers["Location"]).path)

    def send(self, place: str, content: bytes, offset: int = 0) -> None:
        headers = {"Content-Type": "application/offset+octet-stream", "Upload-Offset": str(offset)}
        self.client.patch(place, headers=TUS | headers | self._forgery_header(), content=content).raise_for_status()

    def upload(self, name: str, content: bytes) -> str:
        """The slug of the file, once it is transcribed."""
        self.send(self.create(name, len(content)), content)
        return self.transcribed(name)

    def transcribed(self, name: str) -> str:
        files = self.until("/api/files", lambda each: any(one["name"] == name for one in each))
        (slug,) = (one["slug"] for one in files if one["name"] == name)
        self.until(f"/api/files/{slug}", lambda file: file["status"] == "completed")
        return str(slug)

    def export(self, slug: str) -> str:
        """Burn the captions in; return the digest of the film."""
        made = self.call("POST", f"/api/video/export/{slug}", {"language": "en-US", "mode": "burned"})["data"]["id"]
        place = f"/api/video/exports/{slug}"
        self.until(place, lambda each: any((one["id"], one["status"]) == (made, "complete") for one in each))
        return self.note_file(f"{place}/{made}/download")


def record(client: httpx2.Client) -> dict[str, Any]:
    ada = Person(client, "ada@example.com")
    ada.register("Ada")
    with tempfile.TemporaryDirectory() as folder:
        film = make_video(Path(folder) / "film.mp4", ["en4-slt"]).read_bytes()
        other = make_video(Path(folder) / "other.mp4", ["en1-rms"]).read_bytes()

    team = ada.call("POST", "/api/teams", {"name": "Newsroom"})["data"]["id"]
    ada.call("POST", f"/api/teams/{team}/invitations", {"email": "bob@example.com", "role": "viewer"})
    ada.call("PATCH", "/api/user/editor-settings", {"snap": False, "roll_back_ms": 7_000})
    terms = [("wall", "veggur"), ("bottle", "flaska")]
    for source, target in terms:
        ada.call("POST", "/api/glossary", {"source": source, "target": target, "from": "en", "to": "is"})
    ada.call("POST", "/api/glossary/words", {"word": "Sagascript"})
    scopes = ["files:read", "files:write"]
    key = ada.call("POST", "/api/keys", {"name": "Newsdesk", "scopes": scopes})["data"]

    slug = ada.upload("film", film)
    captions = ada.call("GET", f"/api/files/captions/{slug}")["data"]
    line = captions["lines"][0]
    edit = {"action": "Edit", "line": line["id"], "content": "Sjö grænar — flöskur", "issued": captions["revision"]}
    ada.call("POST", f"/api/files/captions/{slug}", edit)
    ada.call("POST", f"/api/files/captions/{slug}/versions", {"name": "Before the import"})
    ada.call("POST", f"/api/files/captions/{slug}/notes", {"text": "Is this how it is spelt?", "line": line["id"]})
    file = ada.call("GET", f"/api/files/{slug}")["data"]
    tag = ada.call("POST", "/api/tags", {"tag": "autumn"})["data"]["slug"]
    ada.call("POST", "/api/files/tags", {"ids": [file["id"]], "add": [tag], "remove": []})
    ada.call("POST", f"/api/files/captions/{slug}/translate", {"languages": ["es"]})
    ada.until(
        f"/api/files/captions/{slug}/translations",
        lambda tracks: any(one["language"].startswith("es") and one["state"] == "ready" for one in tracks),
    )
    ada.call("POST", f"/api/files/aitext/{slug}", {"types": ["short"]})
    ada.until(f"/api/files/aitext/{slug}", lambda texts: texts and all(one["state"] == "ready" for one in texts))
    ada.export(slug)

    binned = ada.upload("other", other)
    thrown = ada.call("GET", f"/api/files/{binned}")["data"]["id"]
    ada.call("DELETE", "/api/files/delete-multiple", {"ids": [thrown]})
    place = ada.create("unfinished", len(other))
    half = len(other) // 2
    ada.send(place, other[:half])

    for path in (
        *("/api/user", "/api/user/editor-settings", "/api/teams", f"/api/teams/{team}", "/api/keys"),
        *("/api/glossary", "/api/glossary/words", "/api/tags", "/api/files", "/api/files/bin"),
        *(f"/api/files/{slug}", f"/api/files/captions/{slug}", f"/api/files/captions/{slug}?language=es"),
        *(f"/api/files/captions/{slug}/{part}" for part in ("versions", "notes", "translations")),
        *(f"/api/files/aitext/{slug}", f"/api/files/style/{slug}", f"/api/video/exports/{slug}"),
    ):
        ada.note(path)
    for path in (f"/api/files/{slug}/original", f"/api/files/captions/{slug}/download?format=srt"):
        ada.note_file(path)
    return {
        "made_at": datetime.now(UTC).isoformat(),
        "email": ada.email,
        "cookies": dict(ada.client.cookies),
        "key": key["secret"],
        "slug": slug,
        "answers": ada.known,
        "files": ada.files,
        "upload": {"place": place, "offset": half, "rest": base64.b64encode(other[half:]).decode()},
    }


if __name__ == "__main__":
    installation, out = sys.argv[1:]
    with httpx2.Client(base_url=installation, trust_env=False, timeout=PATIENCE_S) as browser:
        Path(out).write_text(json.dumps(record(browser), ensure_ascii=False, indent=1))
