"""A passkey in software, which a test can have break one rule (WebAuthn 3, 6)."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


@dataclass
class Authenticator:
    """`flags`: what it says of the person in front of it. `handle` is the user handle that it was given."""

    origin: str
    party: str = "localhost"
    flags: int = PRESENT | VERIFIED
    count: int = 0
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    handle: bytes | None = None

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """As `navigator.credentials.create`."""
        self.handle = base64url_to_bytes(options["user"]["id"])
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = bytes(16) + len(self.credential_id).to_bytes(2, "big") + self.credential_id + cbor2.dumps(public)
        data = self._data(self.flags | ATTESTED) + attested
        return self._credential(
            {
                "clientDataJSON": bytes_to_base64url(self._client("webauthn.create", options["challenge"])),
                "attestationObject": bytes_to_base64url(cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})),
            }
        )

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        """As `navigator.credentials.get`."""
        data = self._data(self.flags)
        client = self._client("webauthn.get", options["challenge"])
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        response = {
            "clientDataJSON": bytes_to_base64url(client),
            "authenticatorData": bytes_to_base64url(data),
            "signature": bytes_to_base64url(signature),
        }
        if self.handle is not None:
            response["userHandle"] = bytes_to_base64url(self.handle)
        return self._credential(response)

    def _data(self, flags: int) -> bytes:
        return hashlib.sha256(self.party.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _credential(self, response: dict[str, str]) -> dict[str, Any]:
        name = bytes_to_base64url(self.credential_id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response}
