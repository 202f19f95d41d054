"""An identity provider over HTTP that keeps to the specification until a test has it break one rule."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

SECRET = "stand-in secret"
CLIENT = "sagascript"
LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"


@dataclass(frozen=True, slots=True)
class FromNow:
    """A time in a token, as seconds from when it is issued."""

    seconds: int


class StandInProvider:
    """`claims` are those of the next ID tokens beside the standard ones; a value of None leaves one out.

    `header`, `sign` and `published` change a token's header, how it is signed, and the discovery document.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.keys = [_new_key()]
        self.reset()

    def reset(self) -> None:
        self.claims: dict[str, Any] = {}
        self.header: dict[str, Any] = {}
        self.userinfo: dict[str, Any] | None = None
        self.published: dict[str, Any] = {}
        self.sign: Callable[[dict[str, Any], dict[str, Any]], str] | None = None
        self.status = 200
        self.location = ""
        self.padding = 0
        self.encoding = ""
        self.reads: list[str] = []
        self._codes: dict[str, dict[str, Any]] = {}

    def configured(self, slug: str = "stand-in", **changes: Any) -> dict[str, Any]:
        """Its entry in the settings of the product."""
        entry = {
            "slug": slug,
            "name": "Stand-in",
            "issuer": self.url,
            "client_id": CLIENT,
            "client_secret": SECRET,
        }
        return entry | changes

    def rotate(self) -> None:
        """Sign with another key from now on."""
        self.keys = [_new_key()]

    def answer(self, url: str, sub: str, **claims: Any) -> dict[str, str]:
        """What the browser brings back when somebody signs in at the address it was sent to."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        assert query["client_id"] == CLIENT
        assert query["response_type"] == "code"
        assert query["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self._codes[code] = {
            "query": query,
            "claims": {"sub": sub, "auth_time": int(time.time()), "sid": f"sid-{sub}", **claims},
        }
        return {"code": code, "state": query["state"], "iss": self.url}

    def logout_token(self, **claims: Any) -> str:
        now = int(time.time())
        body = {
            "iss": self.url,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 120,
            "jti": secrets.token_urlsafe(8),
            "events": {LOGOUT_EVENT: {}},
            **claims,
        }
        return self._signed(body, {"typ": "logout+jwt"})

    # ---- what the product calls ----------------------------------------------------------------------------------

    def document(self) -> dict[str, Any]:
        published = {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/jwks",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "end_session_endpoint": f"{self.url}/logout",
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            **self.published,
        }
        return {name: value for name, value in published.items() if value is not None}

    def jwks(self) -> dict[str, Any]:
        return {"keys": [{**key.as_dict(private=False), "use": "sig"} for key in self.keys]}

    def token(self, form: Mapping[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        issued = self._codes.pop(form.get("code", ""), None)
        if issued is None:
            return 400, {"error": "invalid_grant"}
        query = issued["query"]
        verifier = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).rstrip(b"=").decode()
        client, _, secret = base64.b64decode(authorization.removeprefix("Basic ")).decode().partition(":")
        if challenge != query["code_challenge"] or form["redirect_uri"] != query["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        if (unquote(client), unquote(secret)) != (CLIENT, SECRET):
            return 401, {"error": "invalid_client"}
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": query["nonce"],
            **issued["claims"],
            **self.claims,
        }
        id_token = self._signed(claims, self.header)
        return 200, {"access_token": f"access {claims['sub']}", "token_type": "Bearer", "id_token": id_token}

    def _signed(self, claims: dict[str, Any], header: dict[str, Any]) -> str:
        full = {"alg": "RS256", "kid": self.keys[0].kid, **header}
        now = int(time.time())
        claims = {
            name: now + value.seconds if isinstance(value, FromNow) else value
            for name, value in claims.items()
            if value is not None
        }
        if self.sign is not None:
            return self.sign(full, claims)
        return jwt.encode(full, claims, self.keys[0], algorithms=[str(full["alg"])])

    # ---- what breaks the rules -----------------------------------------------------------------------------------

    def unsigned(self, header: dict[str, Any], claims: dict[str, Any]) -> str:
        """`alg: none`."""
        return f"{_part({**header, 'alg': 'none'})}.{_part(claims)}."

    def by_public_key(self, header: dict[str, Any], claims: dict[str, Any]) -> str:
        """HS256 with the public key as the shared one (CVE-2015-9235)."""
        signed = f"{_part({**header, 'alg': 'HS256'})}.{_part(claims)}"
        # By hand: the library refuses such a key.
        signature = hmac.digest(self.keys[0].as_pem(private=False), signed.encode(), hashlib.sha256)
        return f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"

    def by_client_secret(self, header: dict[str, Any], claims: dict[str, Any]) -> str:
        secret = OctKey.import_key(SECRET)
        return jwt.encode({**header, "alg": "HS256"}, claims, secret, algorithms=["HS256"])

    def by_another_key(self, header: dict[str, Any], claims: dict[str, Any]) -> str:
        """A key of an attacker under the name of the provider's own."""
        return jwt.encode(header, claims, _new_key(), algorithms=["RS256"])

    def with_its_own_key(self, header: dict[str, Any], claims: dict[str, Any]) -> str:
        """A key of an attacker, which the token's header brings along."""
        key = _new_key()
        return jwt.encode({**header, "jwk": key.as_dict(private=False)}, claims, key, algorithms=["RS256"])

    def changed_afterwards(self, header: dict[str, Any], claims: dict[str, Any]) -> str:
        head, _, signature = jwt.encode(header, claims, self.keys[0], algorithms=["RS256"]).split(".")
        return f"{head}.{_part({**claims, 'sub': 'somebody-else'})}.{signature}"


def _part(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def _new_key() -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": secrets.token_hex(4)}, private=True)


@contextmanager
def running_provider() -> Iterator[StandInProvider]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            provider.reads.append(path)
            if path == "/.well-known/openid-configuration":
                self._send(provider.status, provider.document())
            elif path == "/jwks":
                self._send(provider.status, provider.jwks())
            elif path == "/userinfo":
                sub = self.headers["Authorization"].removeprefix("Bearer access ")
                self._send(provider.status, {"sub": sub} if provider.userinfo is None else provider.userinfo)
            else:
                self._send(404, {})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self._send(*provider.token(form, self.headers.get("Authorization", "")))

        def _send(self, status: int, body: Mapping[str, Any]) -> None:
            if provider.location:
                self.send_response(302)
                self.send_header("Location", provider.location)
                self.end_headers()
                return
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            if provider.encoding:
                self.send_header("Content-Encoding", provider.encoding)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode() + b" " * provider.padding)

        def log_message(self, format: str, *args: Any) -> None:
            """Write nothing to the terminal."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider = StandInProvider(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
