"""All attacks by name, each with a description."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.soak.abuse.attacks import captions, requests
from benchmarks.soak.abuse.attacks.malformed import malformed
from benchmarks.soak.abuse.target import Attack


@dataclass(frozen=True, slots=True)
class KnownAttack:
    """`about` completes "A person sends …"."""

    attack: Attack
    about: str


ATTACKS: dict[str, KnownAttack] = {
    "srt-settings": KnownAttack(
        captions.settings_of_a_cue, "a subtitle file of 200 bytes that a regular expression chokes on"
    ),
    "vtt-blocks": KnownAttack(captions.stray_blocks, "a WebVTT file of 36 kB with 12,000 stray blocks"),
    "edit-words": KnownAttack(captions.many_words, "edits between two captions of 5,000 words"),
    "edit-letters": KnownAttack(captions.shuffled_letters, "edits between two captions of 4,000 Chinese letters"),
    "import-long-cues": KnownAttack(captions.long_cues, "imports of one cue of 5,000 words over another"),
    "shift": KnownAttack(captions.shifts, "shifts of 20,000 captions, there and back"),
    "large-changes": KnownAttack(
        captions.large_changes, "imports over 20,000 captions, shifts of all of them, and undoes and redoes of both"
    ),
    "import-huge": KnownAttack(captions.huge_imports, "subtitle files of 4.9 MB with 75,000 captions"),
    "json-60mb": KnownAttack(requests.large_json, "60 MB of JSON to the sign-in, without an account"),
    "form-150mb": KnownAttack(requests.large_form, "a form of 150 MB to the import, without an account"),
    "sign-ins": KnownAttack(requests.sign_ins, "sign-ins of 40 invented people at once"),
    "header-40mb": KnownAttack(requests.long_header, "a header of 40 MB"),
    "headers-million": KnownAttack(requests.many_headers, "a million headers"),
    "url-40mb": KnownAttack(requests.long_url, "an address of 40 MB"),
    "silent": KnownAttack(requests.silent_connections, "nothing or half a request on 180 connections"),
    "fragments": KnownAttack(requests.fragments, "websocket messages in 100,000 empty pieces"),
    "malformed": KnownAttack(malformed, "input that no browser sends"),
}
