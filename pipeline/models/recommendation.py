"""Which model fits this machine: the largest that it can hold and that it can run briskly."""

from pipeline.models.auto import MEMORY_PART
from pipeline.models.catalog import CATALOG, CatalogModel
from pipeline.models.machine import core_count, total_memory

# Measured on two cores: 1.1 GB read for each token gives about 20 tokens a second. With this much a
# core it is never less than about a third of that.
BYTES_PER_CORE = 600e6


def recommend(memory: int | None, cores: int) -> CatalogModel:
    """`memory` is in bytes (None: not known). Where not even the smallest fits, that one."""
    chatting = [model for model in CATALOG if model.chats and model.is_free]
    fit = [model for model in chatting if _fits(model, memory, cores)]
    return max(fit, default=chatting[0], key=lambda model: model.size)


def recommended_here() -> CatalogModel:
    return recommend(total_memory(), core_count())


def command_here() -> str:
    """The command that gets a real model for this machine, with Ollama or without."""
    return f"laios models pull {recommended_here().name}"


def _fits(model: CatalogModel, memory: int | None, cores: int) -> bool:
    if memory is not None and model.need > MEMORY_PART * memory:
        return False
    return model.read_per_token <= BYTES_PER_CORE * cores
