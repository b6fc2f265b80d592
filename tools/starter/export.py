"""Writes a trained model as GGUF (Q8_0): `python -m tools.starter.export coder|critic`."""

import argparse
import json
from pathlib import Path
from typing import Any

import gguf
import torch

from tools.starter.model import Decoder, Shape
from tools.starter.paths import BUILD, MODELS
from tools.starter.tokenizer import END, PAD
from tools.starter.train import PLANS

TEMPLATE = (
    "{%- for m in messages -%}<|{{ m.role }}|>\n{{ m.content }}<|end|>\n{% endfor -%}"
    "{%- if add_generation_prompt -%}<|assistant|>\n{% endif -%}"
)


def load_model(path: Path) -> Decoder:
    """The decoder in a checkpoint."""
    state = torch.load(path)
    model = Decoder(Shape(**state["shape"]))
    model.load_state_dict(state["weights"])
    model.eval()
    return model


def export(name: str, folder: Path, target: Path) -> Path:
    """Write `<folder>/<name>.pt` as `<target>/<name>.gguf`; an old file is replaced at once."""
    model = load_model(folder / f"{name}.pt")
    target.mkdir(parents=True, exist_ok=True)
    part = target / f".{name}.gguf.part"
    writer = gguf.GGUFWriter(part, "llama")
    writer.add_name(f"laios-starter-{name}")
    writer.add_type("model")
    writer.add_license("Apache-2.0")
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    _add_shape(writer, model.shape)
    _add_tokenizer(writer, json.loads((folder / "tokenizer.json").read_text("utf-8")))
    for tensor_name, parameter in model.state_dict().items():
        _add_tensor(writer, tensor_name, parameter)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return part.rename(target / f"{name}.gguf")


def _add_shape(writer: gguf.GGUFWriter, shape: Shape) -> None:
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.hidden)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.kv_heads)
    writer.add_layer_norm_rms_eps(shape.epsilon)
    writer.add_rope_freq_base(shape.rope_base)
    writer.add_rope_dimension_count(shape.head_width)
    writer.add_vocab_size(shape.vocabulary)


def _add_tokenizer(writer: gguf.GGUFWriter, saved: dict[str, Any]) -> None:
    """`saved` is the tokenizer's own JSON; byte-level BPE is "gpt2" to llama.cpp."""
    vocabulary: dict[str, int] = saved["model"]["vocab"]
    special = {token["id"] for token in saved["added_tokens"]}
    tokens = sorted(vocabulary, key=vocabulary.__getitem__)
    control, normal = gguf.TokenType.CONTROL, gguf.TokenType.NORMAL
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types([control if i in special else normal for i in range(len(tokens))])
    writer.add_token_merges([" ".join(pair) for pair in saved["model"]["merges"]])
    end = vocabulary[END]
    writer.add_bos_token_id(end)
    writer.add_eos_token_id(end)
    writer.add_eot_token_id(end)
    writer.add_pad_token_id(vocabulary[PAD])
    writer.add_add_bos_token(False)
    writer.add_add_eos_token(False)
    writer.add_chat_template(TEMPLATE)


def _add_tensor(writer: gguf.GGUFWriter, name: str, parameter: torch.Tensor) -> None:
    """Matrices as Q8_0, gains as they are."""
    values = parameter.float().numpy()
    if values.ndim == 1:
        writer.add_tensor(name, values)
        return
    kind = gguf.GGMLQuantizationType.Q8_0
    writer.add_tensor(name, gguf.quants.quantize(values, kind), raw_dtype=kind)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=sorted(PLANS))
    parser.add_argument("--folder", type=Path, default=BUILD, help="tokenizer and checkpoints")
    parser.add_argument("--target", type=Path, default=MODELS, help="where the GGUF file goes")
    options = parser.parse_args()
    path = export(options.model, options.folder, options.target)
    print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
