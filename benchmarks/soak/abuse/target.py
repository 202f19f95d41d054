"""What an attacker knows, and how it sends: with plain sockets and the standard library, so that it uses little CPU."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from http.cookies import SimpleCookie
from urllib.parse import unquote

from api.people.auth.csrf import XSRF_COOKIE, XSRF_HEADER

HOST = "127.0.0.1"
ANSWER_WITHIN_S = 4.0
"""How long an attacker waits for an answer: the harm is done by then, so it starts over."""

REST_S = 0.25
"""Pause after each act. Without it we would measure refused requests per second, not the defect."""

PIECE = 1 << 20

Tally = Counter[str]
"""Counts by outcome: a status, `no answer`, or `cut` if the server closed the connection."""

Attack = Callable[["Target", "Until"], Tally]
Until = Callable[[], bool]
"""Whether there is time to start another act."""


@dataclass(frozen=True, slots=True)
class Target:
    """A server on loopback. `cookie` and `token` are those of the attacker's own account, `files` maps a name to the
    slug of one of its files (see `installation.py`), `lines` holds ids of the captions of the file `talk`."""

    port: int
    realtime_key: str
    cookie: str
    token: str
    files: dict[str, str]
    lines: list[str]

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Target:
        return cls(**json.loads(text))

    @property
    def headers(self) -> dict[str, str]:
        """Headers of the signed-in attacker."""
        return {"Cookie": self.cookie, XSRF_HEADER: self.token}

    def stranger(self) -> dict[str, str]:
        """Headers of a new visitor without an account."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=ANSWER_WITHIN_S)
        with contextlib.closing(connection), contextlib.suppress(OSError, http.client.HTTPException):
            connection.request("GET", "/sanctum/csrf-cookie")
            cookies: SimpleCookie = SimpleCookie()
            for value in connection.getresponse().headers.get_all("Set-Cookie") or ():
                cookies.load(value)
            pairs = "; ".join(f"{name}={morsel.value}" for name, morsel in cookies.items())
            return {"Cookie": pairs, XSRF_HEADER: unquote(cookies[XSRF_COOKIE].value)}
        return {}

    def send(self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> str:
        """Send one request on a new connection; return its outcome."""
        return self._send(method, path, body, headers or {})[0]

    def _send(
        self, method: str, path: str, body: bytes, headers: dict[str, str], patience_s: float = ANSWER_WITHIN_S
    ) -> tuple[str, bytes]:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=patience_s)
        try:
            connection.request(method, path, body=body or None, headers=headers)
            response = connection.getresponse()
            return str(response.status), response.read()
        except TimeoutError:
            return "no answer", b""
        except (OSError, http.client.HTTPException):
            return self._answer_before_the_end(connection), b""
        finally:
            connection.close()

    def _answer_before_the_end(self, connection: http.client.HTTPConnection) -> str:
        """A server may answer and close while a long body is still being sent."""
        with contextlib.suppress(OSError, http.client.HTTPException, AttributeError):
            response = http.client.HTTPResponse(connection.sock)
            response.begin()
            return str(response.status)
        return "cut"

    def post_json(self, path: str, value: object, headers: dict[str, str] | None = None) -> str:
        """Send as the attacker's account unless other headers are given."""
        kind = {"Content-Type": "application/json"}
        return self.send(
            "POST", path, json.dumps(value).encode(), kind | (self.headers if headers is None else headers)
        )

    def change(
        self, file: str, revision: int, *, patience_s: float = ANSWER_WITHIN_S, **fields: object
    ) -> tuple[str, int]:
        """Change captions on top of `revision`; return the outcome and the revision for the next change."""
        body = json.dumps({"issued": revision, **fields}).encode()
        path = f"/api/files/captions/{self.files[file]}"
        outcome, answer = self._send(
            "POST", path, body, {"Content-Type": "application/json", **self.headers}, patience_s
        )
        if outcome == "200":
            return outcome, json.loads(answer)["data"]["revision"]
        # An earlier change may have been saved although its answer timed out.
        return outcome, revision + (outcome == "409")

    def post_file(
        self, path: str, content: bytes, name: str, *, signed_in: bool = True, patience_s: float = ANSWER_WITHIN_S
    ) -> str:
        boundary = "------------------------abuse"
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        return self._send("POST", path, body, kind | (self.headers if signed_in else {}), patience_s)[0]

    def import_captions(
        self, file: str, content: bytes, name: str, *, signed_in: bool = True, patience_s: float = ANSWER_WITHIN_S
    ) -> str:
        path = f"/api/files/captions/{self.files[file]}/import"
        return self.post_file(path, content, name, signed_in=signed_in, patience_s=patience_s)

    def raw(self, pieces: Iterable[bytes]) -> str:
        """Send these bytes as they are; return the status of the answer."""
        try:
            with socket.create_connection((HOST, self.port), ANSWER_WITHIN_S) as connection:
                try:
                    for piece in pieces:
                        connection.sendall(piece)
                except TimeoutError:
                    return "no answer"
                except OSError:
                    pass  # The server closed the connection, perhaps after an answer that we can still read.
                return status_of(connection)
        except OSError:
            return "cut"


def status_of(connection: socket.socket) -> str:
    connection.settimeout(ANSWER_WITHIN_S)
    try:
        line = connection.recv(4096).split(b"\r\n", 1)[0]
    except TimeoutError:
        return "no answer"
    except OSError:
        return "cut"
    parts = line.split(b" ")
    return parts[1].decode("ascii", "replace") if line.startswith(b"HTTP/") and len(parts) > 1 else "cut"


def repeat(act: Callable[[], str], until: Until) -> Tally:
    """Repeat the act, one at a time, with a rest after each. It runs once even if the time is over."""
    tally = Tally()
    for _ in rounds(until):
        tally[act()] += 1
        time.sleep(REST_S)
    return tally


def rounds(until: Until) -> Iterator[int]:
    """Count from 0 while there is time. The first number always comes, so a slow machine attacks too."""
    yield 0
    for number in itertools.count(1):
        if not until():
            return
        yield number
