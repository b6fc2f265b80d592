"""The byte-level BPE that both models share, and the chat template's text."""

import itertools
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from tools.starter.examples import SEEDS, Example, stream
from tools.starter.families import FAMILIES
from tools.starter.family import Family

VOCABULARY = 1536
PAD, END = "<|pad|>", "<|end|>"
SPECIAL = [PAD, END, "<|system|>", "<|user|>", "<|assistant|>"]
TEXTS_PER_MODEL = 20_000
# The scores decide, and are few among the tokens of a verdict.
SCORE_WEIGHT = 5.0
DRAFT_WEIGHT = 0.5


def chat(user: str) -> str:
    """The text that the GGUF's chat template makes of one user message."""
    return f"<|user|>\n{user}{END}\n<|assistant|>\n"


def train_tokenizer(families: tuple[Family, ...]) -> Tokenizer:
    """BPE merges from the first examples of both training streams."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=SPECIAL,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    examples = itertools.chain.from_iterable(
        itertools.islice(stream(model, families), TEXTS_PER_MODEL) for model in SEEDS
    )
    tokenizer.train_from_iterator((text for e in examples for text in (e.user, e.reply)), trainer)
    return tokenizer


def load_tokenizer(path: Path, families: tuple[Family, ...] = FAMILIES) -> Tokenizer:
    """The tokenizer at `path`, trained on the families' examples first if it is not there."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        train_tokenizer(families).save(str(path))
    return Tokenizer.from_file(str(path))


def token_id(tokenizer: Tokenizer, token: str) -> int:
    """The id of a token of the vocabulary."""
    found = tokenizer.token_to_id(token)
    if found is None:
        raise KeyError(token)
    return found


def encode(tokenizer: Tokenizer, example: Example) -> tuple[list[int], list[float]]:
    """Token ids of the exchange and the weight of each in the loss (of the user's
    part at most the draft counts)."""
    text = chat(example.user)
    user = tokenizer.encode(text)
    reply = tokenizer.encode(example.reply)
    scored = SCORE_WEIGHT if example.reply.startswith('{"confidence_score"') else 1.0
    weights = [scored if token.strip("Ġ").isdigit() else 1.0 for token in reply.tokens]
    end = token_id(tokenizer, END)
    before = [0.0] * len(user.ids)
    if example.learn_draft:
        start = text.index(END) - len(example.draft)
        stop = start + len(example.draft)
        before = [DRAFT_WEIGHT * (start <= a and b <= stop) for a, b in user.offsets]
    return [*user.ids, *reply.ids, end], [*before, *weights, 1.0]
