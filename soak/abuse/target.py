"""What an attacker knows, and how it sends: plain sockets and the standard library, so that attacking costs little."""

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

from api.auth.csrf import XSRF_COOKIE, XSRF_HEADER

HOST = "127.0.0.1"
ANSWER_WITHIN_S = 4.0
"""An attacker does not wait longer for an answer: it has done its harm, and begins again."""

REST_S = 0.25
"""Pause after each act. Who hammers without one measures how many requests a second are refused, not the defect."""

PIECE = 1 << 20

Tally = Counter[str]
"""How often each outcome was seen: a status, `no answer`, or `cut` where the server closed the connection."""

Attack = Callable[["Target", "Until"], Tally]
Until = Callable[[], bool]
"""Whether there is time to start another act."""


@dataclass(frozen=True, slots=True)
class Target:
    """A server on loopback. `cookie` and `token` are those of the attacker's own account, `files` maps a name to the
    slug of one of its files (see `place.py`), `lines` holds ids of the captions of the file `talk`."""

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
        """Of a call of the signed-in attacker."""
        return {"Cookie": self.cookie, XSRF_HEADER: self.token}

    def stranger(self) -> dict[str, str]:
        """Headers of a call of somebody who has only just come and has no account."""
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
        """One request on a connection of its own; its outcome."""
        return self._send(method, path, body, headers or {})[0]

    def _send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> tuple[str, bytes]:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=ANSWER_WITHIN_S)
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
        """As the attacker's account, unless other headers are given."""
        kind = {"Content-Type": "application/json"}
        return self.send(
            "POST", path, json.dumps(value).encode(), kind | (self.headers if headers is None else headers)
        )

    def change(self, file: str, revision: int, **fields: object) -> tuple[str, int]:
        """One change of captions made on `revision`; its outcome, and the revision to make the next one on."""
        body = json.dumps({"issued": revision, **fields}).encode()
        path = f"/api/files/captions/{self.files[file]}"
        outcome, answer = self._send("POST", path, body, {"Content-Type": "application/json", **self.headers})
        if outcome == "200":
            return outcome, json.loads(answer)["data"]["revision"]
        # An earlier change whose answer did not come in time may have been saved.
        return outcome, revision + (outcome == "409")

    def post_file(self, path: str, content: bytes, name: str, *, signed_in: bool = True) -> str:
        boundary = "------------------------abuse"
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        return self.send("POST", path, body, kind | (self.headers if signed_in else {}))

    def import_captions(self, file: str, content: bytes, name: str, *, signed_in: bool = True) -> str:
        return self.post_file(f"/api/files/captions/{self.files[file]}/import", content, name, signed_in=signed_in)

    def raw(self, pieces: Iterable[bytes]) -> str:
        """Send these bytes as they are; the status of whatever is answered."""
        try:
            with socket.create_connection((HOST, self.port), ANSWER_WITHIN_S) as connection:
                try:
                    for piece in pieces:
                        connection.sendall(piece)
                except TimeoutError:
                    return "no answer"
                except OSError:
                    pass  # Closed by the server, perhaps with an answer that can still be read.
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
    """The act again and again, one at a time, with a rest after each. It is tried once even if the time is over."""
    tally = Tally()
    for _ in rounds(until):
        tally[act()] += 1
        time.sleep(REST_S)
    return tally


def rounds(until: Until) -> Iterator[int]:
    """Numbers from 0 while there is time, and at least the first: a slow machine attacks as well."""
    yield 0
    for number in itertools.count(1):
        if not until():
            return
        yield number
