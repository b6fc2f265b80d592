"""Models that laios knows where to fetch: named as Ollama names them, files on Hugging Face.

A SHA-256 stands here only where the file itself was at hand to check it; else what the hub says of
its file is held against what arrives. `commit` pins the file in the same way.
"""

from dataclasses import dataclass

from pipeline.models.model_footprint import footprint

CACHE_WINDOW = 32_768  # tokens that a need counts with: MAX_CONTEXT_TOKENS as it comes
OPEN = "Apache-2.0"


@dataclass(frozen=True, slots=True)
class CatalogModel:
    """`size` is the file's in bytes, as the hub lists it, and `active` the part of it that is read
    for each token (less than all in a mixture of experts); `cache_bytes` is what a token of the
    window takes, and `window` the trained one in tokens."""

    name: str
    repository: str
    file: str
    size: int
    cache_bytes: int
    window: int
    licence: str
    good_for: str
    active: float = 1.0
    commit: str = ""
    sha256: str = ""
    chats: bool = True

    @property
    def need(self) -> int:
        """Bytes of memory, with a window as large as laios asks for."""
        return footprint(self.size, self.cache_bytes, min(self.window, CACHE_WINDOW))

    @property
    def read_per_token(self) -> float:
        """Bytes; memory's speed divided by it is the most tokens per second that can be written."""
        return self.size * self.active

    @property
    def is_free(self) -> bool:
        """Whether the licence lets anybody use it for anything."""
        return self.licence == OPEN


def _qwen_coder(
    label: str,
    size: int,
    cache_bytes: int,
    good_for: str,
    licence: str = OPEN,
    commit: str = "",
    sha256: str = "",
) -> CatalogModel:
    """Qwen2.5-Coder, by the number of its parameters."""
    return CatalogModel(
        f"qwen2.5-coder:{label}",
        f"Qwen/Qwen2.5-Coder-{label.upper()}-Instruct-GGUF",
        f"qwen2.5-coder-{label}-instruct-q4_k_m.gguf",
        size,
        cache_bytes,
        32_768,
        licence,
        good_for,
        commit=commit,
        sha256=sha256,
    )


# The smallest first. A token of the window takes layers × key-value heads × 128 × 4 bytes (0.5B:
# heads of 64).
CATALOG = (
    _qwen_coder(
        "0.5b",
        491_400_064,
        12_288,
        good_for="short functions; old and small machines",
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    ),
    _qwen_coder(
        "1.5b",
        1_117_320_768,
        28_672,
        good_for="functions, quick on two cores",
        commit="f86cb2c1fa58255f8052cc32aeede1b7482d4361",
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
    _qwen_coder(
        "3b",
        2_104_932_800,
        36_864,
        good_for="functions and small files; not for commercial use",
        licence="Qwen-Research",
    ),
    _qwen_coder("7b", 4_683_073_536, 57_344, good_for="most daily work"),
    _qwen_coder("14b", 8_988_110_272, 196_608, good_for="harder tasks, larger changes"),
    CatalogModel(
        "qwen3-coder:30b",
        "unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF",
        "Qwen3-Coder-30B-A3B-Instruct-Q4_K_M.gguf",
        18_556_689_568,
        98_304,
        262_144,
        OPEN,
        "the best here; quick for its size, since it reads a ninth of itself for each token",
        active=3.3 / 30.5,
    ),
    CatalogModel(
        "nomic-embed-text",
        "nomic-ai/nomic-embed-text-v1.5-GGUF",
        "nomic-embed-text-v1.5.Q8_0.gguf",
        146_146_432,
        0,
        2048,
        OPEN,
        "finding documentation by meaning; through Ollama alone",
        chats=False,
    ),
)


def find_model(name: str) -> CatalogModel | None:
    return next((model for model in CATALOG if model.name == name), None)
