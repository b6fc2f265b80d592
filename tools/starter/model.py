"""A small decoder in the "llama" architecture: RMSNorm, grouped-query attention with interleaved
RoPE, SwiGLU, tied embeddings. llama.cpp runs its weights as they are.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass(frozen=True)
class Shape:
    """Sizes of a model; widths are multiples of 32, which Q8_0 needs."""

    vocabulary: int = 1536
    width: int = 128
    layers: int = 6
    heads: int = 4
    kv_heads: int = 2
    hidden: int = 384
    context: int = 1024
    rope_base: float = 10_000.0
    epsilon: float = 1e-5

    @property
    def head_width(self) -> int:
        return self.width // self.heads


Cache = list[tuple[Tensor, Tensor] | None]


class Norm(nn.Module):  # type: ignore[misc, unused-ignore]
    """Root-mean-square norm with a gain."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(shape.width))
        self.epsilon = shape.epsilon

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, (x.shape[-1],), self.weight, self.epsilon)


def rotate(x: Tensor, turns: Tensor) -> Tensor:
    """RoPE on neighbouring pairs (Meta's layout, llama.cpp's for "llama"): each pair is a complex
    number, multiplied with the one of length 1 of its position. x: (batch, time, heads, width)."""
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * turns).flatten(-2)


class Block(nn.Module):  # type: ignore[misc, unused-ignore]
    """Attention and feed-forward, each with its norm before it; names are GGUF's tensor names."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        width, kv_width = shape.width, shape.kv_heads * shape.head_width
        self.attn_norm = Norm(shape)
        self.attn_q = nn.Linear(width, width, bias=False)
        self.attn_k = nn.Linear(width, kv_width, bias=False)
        self.attn_v = nn.Linear(width, kv_width, bias=False)
        self.attn_output = nn.Linear(width, width, bias=False)
        self.ffn_norm = Norm(shape)
        self.ffn_gate = nn.Linear(width, shape.hidden, bias=False)
        self.ffn_up = nn.Linear(width, shape.hidden, bias=False)
        self.ffn_down = nn.Linear(shape.hidden, width, bias=False)

    def forward(
        self, x: Tensor, turns: Tensor, past: tuple[Tensor, Tensor] | None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """x: (batch, time, width); `past` holds keys and values of earlier positions."""
        batch, time, _ = x.shape
        h = self.attn_norm(x)

        def split(projected: Tensor) -> Tensor:
            return projected.view(batch, time, -1, self.shape.head_width)

        q = rotate(split(self.attn_q(h)), turns).transpose(1, 2)
        k = rotate(split(self.attn_k(h)), turns).transpose(1, 2)
        v = split(self.attn_v(h)).transpose(1, 2)
        if past is not None:
            k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
        groups = self.shape.heads // self.shape.kv_heads
        y = F.scaled_dot_product_attention(
            q, k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1), is_causal=time > 1
        )
        x = x + self.attn_output(y.transpose(1, 2).reshape(batch, time, -1))
        h = self.ffn_norm(x)
        x = x + self.ffn_down(F.silu(self.ffn_gate(h)) * self.ffn_up(h))
        return x, (k, v)


class Decoder(nn.Module):  # type: ignore[misc, unused-ignore]
    """The language model."""

    turns: Tensor

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.token_embd = nn.Embedding(shape.vocabulary, shape.width)
        self.blk = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.output_norm = Norm(shape)
        into_residual = ("attn_output.weight", "ffn_down.weight")
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                scale = (2 * shape.layers) ** -0.5 if name.endswith(into_residual) else 1.0
                nn.init.normal_(parameter, 0.0, 0.02 * scale)
        half = torch.arange(0, shape.head_width, 2, dtype=torch.float32) / shape.head_width
        angles = torch.outer(torch.arange(shape.context).float(), shape.rope_base**-half)
        turns = torch.polar(torch.ones_like(angles), angles)[:, None, :]  # (context, 1, pairs)
        self.register_buffer("turns", turns, persistent=False)

    def hidden(self, ids: Tensor, cache: Cache | None = None, start: int = 0) -> Tensor:
        """Final hidden states (batch, time, width); `cache` is read and extended in place."""
        x = self.token_embd(ids)
        end = start + ids.shape[1]
        for i, block in enumerate(self.blk):
            x, kept = block(x, self.turns[start:end], cache[i] if cache else None)
            if cache is not None:
                cache[i] = kept
        normed: Tensor = self.output_norm(x)
        return normed

    def logits(self, hidden: Tensor) -> Tensor:
        """Scores over the vocabulary; the embedding is the output matrix as well."""
        return hidden @ self.token_embd.weight.T

    @torch.no_grad()  # type: ignore[untyped-decorator, unused-ignore]
    def greedy(self, ids: list[int], end: int, limit: int) -> list[int]:
        """The most likely continuation of `ids`, up to the token `end` or `limit` tokens."""
        cache: Cache = [None] * self.shape.layers
        out: list[int] = []
        step, start = torch.tensor([ids]), 0
        while len(out) < limit:
            token = int(self.logits(self.hidden(step, cache, start)[0, -1]).argmax())
            if token == end:
                break
            start += step.shape[1]
            out.append(token)
            step = torch.tensor([[token]])
        return out
