"""Turn trained weights into the archive that faster-whisper loads.

`python -m serve.testing.tiny_models.training.export --help`

Needs the `train` extra.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import torch
from ctranslate2.converters import TransformersConverter
from safetensors.torch import load_file
from tokenizers import Tokenizer
from transformers import GenerationConfig, WhisperConfig, WhisperFeatureExtractor, WhisperForConditionalGeneration

from serve.testing.tiny_models.archives import WHISPER, pack
from serve.testing.tiny_models.tokenizer import (
    END_OF_TEXT,
    FIRST_LANGUAGE,
    NO_TIMESTAMPS,
    START_OF_PREVIOUS,
    START_OF_TRANSCRIPT,
    TRANSCRIBE,
    TRANSLATE,
    VOCABULARY_SIZE,
)
from serve.testing.tiny_models.training.features import MEL_BANDS
from serve.testing.tiny_models.training.network import ALIGNMENT_HEADS, LAYERS, WIDTH, config_values

SPACE = 220
MAX_INITIAL_TIMESTAMP = 50
COPIED = ["tokenizer.json", "preprocessor_config.json"]
ENDS = {
    "pad_token_id": END_OF_TEXT,
    "bos_token_id": END_OF_TEXT,
    "eos_token_id": END_OF_TEXT,
    "decoder_start_token_id": START_OF_TRANSCRIPT,
}


def export(work: Path, archive_path: Path) -> None:
    """Make `archive_path` from `model.safetensors` and `tokenizer.json` in `work`."""
    tokenizer = Tokenizer.from_file(str(work / "tokenizer.json"))
    published = work / "transformers"
    _write_transformers_folder(work, tokenizer, published)
    converted = work / WHISPER
    TransformersConverter(str(published), copy_files=COPIED).convert(str(converted), quantization="int8", force=True)
    pack(converted, archive_path)


def _write_transformers_folder(work: Path, tokenizer: Tokenizer, folder: Path) -> None:
    """The full model as transformers publishes one, for the converter to read."""
    config = WhisperConfig(vocab_size=VOCABULARY_SIZE, **ENDS, **config_values())
    model = WhisperForConditionalGeneration(config)
    model.load_state_dict(_scatter(load_file(work / "model.safetensors")))
    model.generation_config = GenerationConfig.from_dict(_generation_values(tokenizer))
    model.save_pretrained(folder)
    shutil.copy(work / "tokenizer.json", folder)
    names = {name: "<|endoftext|>" for name in ("unk_token", "bos_token", "eos_token", "pad_token")}
    _write_json(folder / "tokenizer_config.json", {"tokenizer_class": "WhisperTokenizer", **names})
    _write_json(folder / "preprocessor_config.json", WhisperFeatureExtractor(feature_size=MEL_BANDS).to_dict())


def _scatter(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Weights of the compact vocabulary moved to their rows among Whisper's tokens; all other rows are zero."""
    token_ids = state.pop("token_ids")
    rows = torch.zeros(VOCABULARY_SIZE, WIDTH)
    rows[token_ids] = state["model.decoder.embed_tokens.weight"]
    return {**state, "model.decoder.embed_tokens.weight": rows, "proj_out.weight": rows}


def _generation_values(tokenizer: Tokenizer) -> dict[str, object]:
    languages = {tokenizer.id_to_token(token): token for token in range(FIRST_LANGUAGE, TRANSLATE)}
    return {
        **ENDS,
        "alignment_heads": [[LAYERS - 1, head] for head in range(ALIGNMENT_HEADS)],
        "is_multilingual": True,
        "lang_to_id": languages,
        "task_to_id": {"translate": TRANSLATE, "transcribe": TRANSCRIBE},
        "no_timestamps_token_id": NO_TIMESTAMPS,
        "prev_sot_token_id": START_OF_PREVIOUS,
        "max_length": 448,
        "max_initial_timestamp_index": MAX_INITIAL_TIMESTAMP,
        "suppress_tokens": [],
        "begin_suppress_tokens": [SPACE, END_OF_TEXT],
        "return_timestamps": False,
    }


def _write_json(path: Path, content: dict[str, object]) -> None:
    path.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Pack the trained tiny Whisper for faster-whisper.")
    parser.add_argument("--work", type=Path, required=True, help="folder that train_whisper wrote")
    parser.add_argument("--archive", type=Path, required=True, help="the .tar.xz to write")
    chosen = parser.parse_args()
    export(chosen.work, chosen.archive)


if __name__ == "__main__":
    main()
