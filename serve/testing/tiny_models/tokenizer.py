"""Whisper's multilingual tokenizer, built from the vocabulary that the `openai-whisper` source package carries.

The package (MIT licence) holds `multilingual.tiktoken`: 50 257 byte strings with their ranks. From it this module makes
the `tokenizer.json` that faster-whisper reads, with the token ids of the published multilingual models up to large-v2
(vocabulary 51 865).
"""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import tarfile
from pathlib import Path

from tokenizers import AddedToken, Tokenizer, decoders, pre_tokenizers, processors
from tokenizers.models import BPE

ASSET = "whisper/assets/multilingual.tiktoken"
LANGUAGES_SOURCE = "whisper/tokenizer.py"
ASSET_SHA256 = "b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126"

VOCABULARY_SIZE = 51_865
END_OF_TEXT = 50_257
START_OF_TRANSCRIPT = 50_258
FIRST_LANGUAGE = 50_259
TRANSLATE = 50_358
TRANSCRIBE = 50_359
START_OF_PREVIOUS = 50_361
NO_SPEECH = 50_362
NO_TIMESTAMPS = 50_363
FIRST_TIMESTAMP = 50_364
TIMESTAMP_COUNT = 1_501
TIMESTAMP_SECONDS = 0.02
"""A timestamp token stands for this many seconds times its index after `FIRST_TIMESTAMP`."""


class WrongVocabulary(ValueError):
    """The source package does not hold the vocabulary this module was written for."""


def read_ranks(sdist: Path) -> dict[bytes, int]:
    """Byte strings and their ranks from an `openai-whisper` source archive. Raises WrongVocabulary."""
    content = _read_member(sdist, ASSET)
    if hashlib.sha256(content).hexdigest() != ASSET_SHA256:
        raise WrongVocabulary(f"{ASSET} in {sdist.name} is not the known vocabulary. Use openai-whisper 20250625.")
    pairs = (line.split() for line in content.splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in pairs}


def read_languages(sdist: Path) -> tuple[str, ...]:
    """The 99 language codes in the order of their tokens (Cantonese came with large-v3 and is left out)."""
    for statement in ast.parse(_read_member(sdist, LANGUAGES_SOURCE)).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "LANGUAGES":
            return tuple(code for code in ast.literal_eval(statement.value) if code != "yue")
    raise WrongVocabulary(f"{LANGUAGES_SOURCE} in {sdist.name} has no table LANGUAGES. Use openai-whisper 20250625.")


def _read_member(sdist: Path, path: str) -> bytes:
    with tarfile.open(sdist) as archive:
        for member in archive:
            stream = archive.extractfile(member) if member.name.endswith(f"/{path}") else None
            if stream is not None:
                return stream.read()
    raise WrongVocabulary(f"{sdist.name} has no {path}. Download the source archive of openai-whisper.")


def build_tokenizer(ranks: dict[bytes, int], languages: tuple[str, ...]) -> Tokenizer:
    """Byte-level BPE with one merge per token, then the special tokens and timestamps at Whisper's ids."""
    letters = _byte_letters()
    spelled = {"".join(letters[byte] for byte in token): rank for token, rank in ranks.items()}
    tokenizer = Tokenizer(BPE(spelled, _canonical_merges(spelled), fuse_unk=False))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    tokenizer.add_special_tokens(
        [AddedToken(name, normalized=False, special=True) for name in _special_names(languages)]
    )
    tokenizer.add_tokens([AddedToken(name, normalized=False, special=False) for name in _timestamp_names()])
    _check_ids(tokenizer)
    return tokenizer


def save_compact(tokenizer: Tokenizer, path: Path) -> None:
    """Write `tokenizer.json` without indentation (1.8 MB instead of 4)."""
    content = json.loads(tokenizer.to_str())
    path.write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def _byte_letters() -> list[str]:
    """GPT-2's printable letter for every byte: printable Latin-1 is itself, the rest moves above U+0100."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    moved = iter(range(0x100, 0x200))
    return [chr(byte) if byte in printable else chr(next(moved)) for byte in range(256)]


def _canonical_merges(spelled: dict[str, int]) -> list[tuple[str, str]]:
    """For each token the two parts BPE has left when only lower ranks are allowed: the merge that makes the token."""
    merges: list[tuple[str, str]] = []
    for token, rank in sorted(spelled.items(), key=lambda item: item[1]):
        if len(token) < 2:
            continue
        parts = list(token)
        while len(parts) > 2:
            pairs = ((spelled.get(parts[at] + parts[at + 1], rank), at) for at in range(len(parts) - 1))
            lowest, at = min(pairs)
            if lowest >= rank:
                break
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        if len(parts) == 2:
            merges.append((parts[0], parts[1]))
    return merges


def _special_names(languages: tuple[str, ...]) -> list[str]:
    tasks = ["translate", "transcribe", "startoflm", "startofprev", "nospeech", "notimestamps"]
    return [f"<|{name}|>" for name in ["endoftext", "startoftranscript", *languages, *tasks]]


def _timestamp_names() -> list[str]:
    return [f"<|{index * TIMESTAMP_SECONDS:.2f}|>" for index in range(TIMESTAMP_COUNT)]


def _check_ids(tokenizer: Tokenizer) -> None:
    expected = {
        "<|endoftext|>": END_OF_TEXT,
        "<|startoftranscript|>": START_OF_TRANSCRIPT,
        "<|en|>": FIRST_LANGUAGE,
        "<|translate|>": TRANSLATE,
        "<|transcribe|>": TRANSCRIBE,
        "<|startofprev|>": START_OF_PREVIOUS,
        "<|nospeech|>": NO_SPEECH,
        "<|notimestamps|>": NO_TIMESTAMPS,
        "<|0.00|>": FIRST_TIMESTAMP,
        "<|30.00|>": VOCABULARY_SIZE - 1,
    }
    found = {name: tokenizer.token_to_id(name) for name in expected}
    wrong = {name: index for name, index in found.items() if index != expected[name]}
    if wrong or tokenizer.get_vocab_size() != VOCABULARY_SIZE:
        raise WrongVocabulary(f"Token ids differ from Whisper's: {wrong}, {tokenizer.get_vocab_size()} tokens.")
