"""Train the tiny translation model: `python -m serve.testing.tiny_models.training.train_translation --help`.

An M2M100 small enough to know only the phrase book of `phrases.tsv`. Needs the `train` extra.

- The first head of the last decoder layer learns the word links of the phrase book, so that its attention, which
  CTranslate2 returns as alignment, means something.
- `--work` gets the model in the form of transformers; `--archives` gets two archives of the same weights.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sentencepiece
import torch
import torch.nn.functional as functional
from ctranslate2.converters import TransformersConverter
from ctranslate2.converters import transformers as converters
from transformers import GenerationConfig, M2M100Config, M2M100ForConditionalGeneration, M2M100Tokenizer

from serve.testing.tiny_models.archives import TRANSLATION, TRANSLATION_TRANSFORMERS, pack
from serve.testing.tiny_models.phrases import ENGLISH, LANGUAGES, Phrase, load_phrases

WIDTH = 96
STEPS = 700
LEARNING_RATE = 3e-3
ATTENTION_WEIGHT = 0.5
START, PAD, END = 0, 1, 2
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
WORD_START = "▁"
LANGUAGE_TOKENS = 100
SPARE_TOKENS = 8
COPIED = ["sentencepiece.bpe.model"]


@dataclass(frozen=True, slots=True)
class Example:
    """Token ids of a phrase with their language tokens and ends. `attention[t][s]` is the wanted attention."""

    source: list[int]
    target: list[int]
    attention: torch.Tensor


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the tiny translation model.")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--archives", type=Path, required=True, help="folder of the .tar.xz files")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    folder = chosen.work / TRANSLATION_TRANSFORMERS
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer(chosen.work, folder)
    model = train(tokenizer)
    model.generation_config = GenerationConfig(
        decoder_start_token_id=END, eos_token_id=END, pad_token_id=PAD, bos_token_id=START, max_length=200
    )
    model.save_pretrained(folder)
    converted = chosen.work / TRANSLATION
    convert(folder, converted)
    model.half().save_pretrained(folder)
    pack(folder, chosen.archives / f"{TRANSLATION_TRANSFORMERS}.tar.xz")
    pack(converted, chosen.archives / f"{TRANSLATION}.tar.xz")


def make_tokenizer(work: Path, folder: Path) -> Any:
    """A sentencepiece model of the phrase book's text, as transformers' M2M100 tokenizer."""
    texts = sorted({text for phrase in load_phrases() for text in (phrase.source, phrase.target)})
    (work / "phrases.txt").write_text("\n".join(texts), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(work / "phrases.txt"),
        model_prefix=str(work / "phrases"),
        vocab_size=700,
        model_type="unigram",
        character_coverage=1.0,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(work / "phrases.model"))
    vocabulary = {token: index for index, token in enumerate(SPECIAL)}
    for index in range(pieces.get_piece_size()):
        vocabulary.setdefault(pieces.id_to_piece(index), len(vocabulary))
    (work / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
    tokenizer = M2M100Tokenizer(
        str(work / "vocab.json"), str(work / "phrases.model"), src_lang=ENGLISH, tgt_lang="is", num_madeup_words=8
    )
    tokenizer.save_pretrained(folder)
    # Published models list their language tokens here; transformers 5 no longer writes the file.
    tokens = [f"__{language}__" for language in (ENGLISH, *LANGUAGES)]
    listed = json.dumps({"additional_special_tokens": tokens}, indent=1)
    (folder / "special_tokens_map.json").write_text(listed + "\n", encoding="utf-8")
    return tokenizer


def train(tokenizer: Any) -> Any:
    size = len(tokenizer.encoder) + LANGUAGE_TOKENS + SPARE_TOKENS
    model = M2M100ForConditionalGeneration(
        M2M100Config(
            vocab_size=size,
            d_model=WIDTH,
            encoder_layers=2,
            decoder_layers=2,
            encoder_attention_heads=4,
            decoder_attention_heads=4,
            encoder_ffn_dim=2 * WIDTH,
            decoder_ffn_dim=2 * WIDTH,
            dropout=0.0,
            attention_dropout=0.0,
            activation_dropout=0.0,
            encoder_layerdrop=0.0,
            decoder_layerdrop=0.0,
            max_position_embeddings=256,
            scale_embedding=True,
            attn_implementation="eager",
        )
    )
    examples = [_example(tokenizer, phrase) for phrase in load_phrases()]
    sources = _padded([example.source for example in examples])
    targets = _padded([example.target for example in examples])
    before = torch.cat([torch.full((len(examples), 1), END), targets[:, :-1]], 1)
    wanted = torch.zeros(len(examples), targets.shape[1], sources.shape[1])
    for index, example in enumerate(examples):
        rows, columns = example.attention.shape
        wanted[index, :rows, :columns] = example.attention
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)
    begun = time.process_time()
    model.train()
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * min(1, (step + 1) / 30) * (1 - step / STEPS * 0.97)
        answer = model(
            input_ids=sources,
            attention_mask=(sources != PAD).long(),
            decoder_input_ids=before,
            output_attentions=True,
            use_cache=False,
        )
        text_loss = functional.cross_entropy(
            answer.logits.reshape(-1, size), targets.masked_fill(targets == PAD, -100).reshape(-1)
        )
        attention = answer.cross_attentions[-1][:, 0]
        attention_loss = -(wanted * torch.log(attention + 1e-6)).sum() / wanted.sum()
        loss = text_loss + ATTENTION_WEIGHT * attention_loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 50 == 0 or step == STEPS - 1:
            figures = f"{text_loss.item():.4f} attention {attention_loss.item():.4f}"
            sys.stdout.write(f"step {step} text {figures} {time.process_time() - begun:.0f} CPU-s\n")
            sys.stdout.flush()
    return model.eval()


def convert(published: Path, converted: Path) -> None:
    """The int8 form of CTranslate2. Languages that the model was not trained on have no token in it.

    The converter of CTranslate2 4.8 does not find the language tokens of transformers 5.
    """

    def vocabulary(_: Any, model: Any, tokenizer: Any) -> list[str]:
        known = {ENGLISH, *LANGUAGES}
        tokens = [token for token, _ in sorted(tokenizer.encoder.items(), key=lambda entry: entry[1])]
        codes = {index: code for code, index in tokenizer.lang_code_to_id.items()}
        for index in range(len(tokens), model.config.vocab_size):
            code = codes.get(index)
            tokens.append(f"__{code}__" if code in known else f"madeupword{index}")
        return tokens

    original = converters.M2M100Loader.get_vocabulary
    converters.M2M100Loader.get_vocabulary = vocabulary
    try:
        converter = TransformersConverter(str(published), copy_files=COPIED)
        converter.convert(str(converted), quantization="int8", force=True)
    finally:
        converters.M2M100Loader.get_vocabulary = original


def _example(tokenizer: Any, phrase: Phrase) -> Example:
    source = tokenizer.tokenize(phrase.source)
    target = tokenizer.tokenize(phrase.target)
    source_words, target_words = _words(source), _words(target)
    attention = torch.zeros(len(target) + 2, len(source) + 2)
    attention[0, 0] = attention[-1, -1] = 1
    for row, target_word in enumerate(target_words, start=1):
        linked = {word for word, other in phrase.links if other == target_word}
        for column, source_word in enumerate(source_words, start=1):
            attention[row, column] = source_word in linked
        attention[row] /= attention[row].sum()
    return Example(
        [tokenizer.get_lang_id(phrase.source_language), *tokenizer.convert_tokens_to_ids(source), END],
        [tokenizer.get_lang_id(phrase.target_language), *tokenizer.convert_tokens_to_ids(target), END],
        attention,
    )


def _words(pieces: list[str]) -> list[int]:
    """The index of each piece's word."""
    words, index = [], -1
    for piece in pieces:
        index += piece.startswith(WORD_START)
        words.append(index)
    return words


def _padded(rows: list[list[int]]) -> torch.Tensor:
    longest = max(map(len, rows))
    return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])


if __name__ == "__main__":
    main()
