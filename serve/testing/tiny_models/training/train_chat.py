"""Train the tiny chat model: `python -m serve.testing.tiny_models.training.train_chat --help`.

A Llama small enough to know only the answers of `serve/testing/meeting.py`. Train it again after a change of the
prompts: it knows them letter by letter. Needs the `train` extra.

`--work` gets the model in the form of transformers; `--archives` gets two archives of the same weights.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import torch
from ctranslate2.converters import TransformersConverter
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM

from serve.chat.records import LINES_FORM, with_form
from serve.chat.template import ChatTemplate
from serve.testing.meeting import Exchange, exchanges
from serve.testing.tiny_models.archives import CHAT, CHAT_TRANSFORMERS, pack
from serve.testing.tiny_models.chat_names import END, PAD, START

WIDTH = 128
VOCABULARY = 1200
STEPS = 200
LEARNING_RATE = 3e-3

LONGEST = 4096
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
COPIED = ["tokenizer.json", "tokenizer_config.json", "chat_template.jinja", "generation_config.json"]


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the tiny chat model.")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--archives", type=Path, required=True, help="folder of the .tar.xz files")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    folder = chosen.work / CHAT_TRANSFORMERS
    folder.mkdir(parents=True, exist_ok=True)
    known = list(exchanges())
    write_tokenizer(folder, known)
    train(folder, known).save_pretrained(folder)
    converted = chosen.work / CHAT
    TransformersConverter(str(folder), copy_files=COPIED).convert(str(converted), quantization="int8", force=True)
    LlamaForCausalLM.from_pretrained(folder).half().save_pretrained(folder)
    pack(folder, chosen.archives / f"{CHAT_TRANSFORMERS}.tar.xz")
    pack(converted, chosen.archives / f"{CHAT}.tar.xz")


def write_tokenizer(folder: Path, known: list[Exchange]) -> None:
    """Byte-level BPE, so that any text has tokens, with the usual template of messages."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=[PAD, START, END],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    texts = [message.content for each in known for message in each.request.messages]
    tokenizer.train_from_iterator([*texts, *(each.answer for each in known)], trainer)
    tokenizer.save(str(folder / "tokenizer.json"))
    # CTranslate2 loads no model without a name for each of these.
    names = {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": START, "eos_token": END}
    names |= {"pad_token": PAD, "unk_token": PAD}
    (folder / "tokenizer_config.json").write_text(json.dumps({**names, "model_max_length": LONGEST}, indent=1))
    (folder / "chat_template.jinja").write_text(TEMPLATE)
    ends = {"eos_token_id": tokenizer.token_to_id(END), "pad_token_id": tokenizer.token_to_id(PAD)}
    GenerationConfig(do_sample=False, **ends).save_pretrained(folder)


def train(folder: Path, known: list[Exchange]) -> Any:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    template = ChatTemplate(folder)
    vocabulary = tokenizer.get_vocab()
    pad, end = vocabulary[PAD], vocabulary[END]
    rows: list[tuple[list[int], list[int]]] = []
    for each in known:
        messages = with_form(each.request.messages, LINES_FORM)
        prompt = [vocabulary[token] for token in template.tokens(messages)]
        rows.append((prompt, [*tokenizer.encode(each.answer, add_special_tokens=False).ids, end]))
    longest = max(len(prompt) + len(answer) for prompt, answer in rows)
    ids = torch.full((len(rows), longest), pad)
    labels = torch.full((len(rows), longest), -100)
    for index, (prompt, answer) in enumerate(rows):
        ids[index, : len(prompt) + len(answer)] = torch.tensor(prompt + answer)
        labels[index, len(prompt) : len(prompt) + len(answer)] = torch.tensor(answer)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=tokenizer.get_vocab_size(),
            hidden_size=WIDTH,
            intermediate_size=2 * WIDTH,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=LONGEST,
            tie_word_embeddings=False,
            bos_token_id=vocabulary[START],
            eos_token_id=end,
            pad_token_id=pad,
        )
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)
    begun = time.process_time()
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * min(1, (step + 1) / 20) * (1 - 0.95 * step / STEPS)
        # Prompts are padded on the right, where a causal model never looks.
        loss = model(input_ids=ids, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 20 == 0 or step == STEPS - 1:
            seconds = time.process_time() - begun
            sys.stdout.write(f"step {step} loss {loss.item():.4f} {seconds:.0f} CPU-s, {longest} tokens\n")
            sys.stdout.flush()
    model.generation_config = GenerationConfig.from_pretrained(folder)
    return model.eval()


if __name__ == "__main__":
    main()
