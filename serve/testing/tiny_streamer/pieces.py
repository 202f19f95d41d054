"""The pieces that the model writes: parts of words, as published models have them."""

from __future__ import annotations

from functools import lru_cache

from tokenizers import Tokenizer, pre_tokenizers
from tokenizers.models import BPE
from tokenizers.trainers import BpeTrainer

from serve.testing.tiny_streamer.sentences import known_words

MARKS = ("<blk>", "<sos/eos>", "<unk>")
COUNT = 160


def pieces_of(text: str) -> list[int]:
    """The numbers of a text's pieces."""
    numbers: list[int] = _tokenizer().encode(text).ids
    return numbers


def pieces() -> list[str]:
    """All of them, by number."""
    tokenizer = _tokenizer()
    return [str(tokenizer.id_to_token(number)) for number in range(tokenizer.get_vocab_size())]


@lru_cache
def _tokenizer() -> Tokenizer:
    """Learnt from the words that the model knows."""
    tokenizer = Tokenizer(BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = BpeTrainer(vocab_size=COUNT, special_tokens=list(MARKS), show_progress=False)
    tokenizer.train_from_iterator(known_words(), trainer)
    return tokenizer
