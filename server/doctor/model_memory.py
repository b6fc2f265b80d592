"""Check whether the roles' models fit into memory together: otherwise each stage unloads the last
one's."""

import contextlib
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from config import Settings, expanded
from pipeline.models.adapter import split_adapters
from pipeline.models.auto_model import OLLAMA
from pipeline.models.local import PROVIDER
from pipeline.models.local_library import LocalLibrary, is_library_name
from pipeline.models.machine import total_memory
from pipeline.models.model_file import parts_of
from pipeline.models.starter import DIRECTORY, STARTER, WEIGHTS
from server.doctor.check_context import CheckContext
from server.doctor.check_result import CheckResult
from server.runtime.units import in_bytes

WINDOW_PART = 0.2  # a window's cache and buffers, as a part of the weights: a usual amount
USABLE_PART = 0.9  # the rest is the system's
GPU_TOOL_S = 5.0


class Need(NamedTuple):
    """What a model takes, in bytes. `measured`: as Ollama says of a loaded one; else estimated
    from the size of its file."""

    name: str
    size: int
    measured: bool


def check_memory(context: CheckContext) -> Iterator[CheckResult]:
    import psutil

    needs = [need for name in context.distinct if (need := _need(context, name))]
    if needs:
        memory = psutil.virtual_memory()
        ram = total_memory() or memory.total  # psutil knows of no container's limit
        free = min(ram, memory.available + _evictable(context))
        yield from judge_needs(needs, ram, gpu_memory(), free)
    yield from _loaded(context)


def judge_needs(needs: list[Need], ram: int, gpu: int, free: int) -> Iterator[CheckResult]:
    """`ram` and `gpu` are the machine's memory in bytes, `free` what of its RAM is free or held by
    models that may be unloaded."""
    total, usable = sum(need.size for need in needs), USABLE_PART * (ram + gpu)
    machine = f"{in_bytes(ram)} of memory" + (f" and {in_bytes(gpu)} on the GPU" if gpu else "")
    parts = " + ".join(f"{each.name} {in_bytes(each.size)}" for each in needs)
    several = len(needs) > 1
    seen = f"{parts}{f' = {in_bytes(total)}' if several else ''}, on a machine with {machine}"
    facts = {
        "models": {each.name: {"bytes": each.size, "measured": each.measured} for each in needs},
        "total_bytes": total,
        "memory_bytes": ram,
        "gpu_bytes": gpu,
        "free_bytes": free,
    }
    for each in needs:
        if each.size > usable and not each.measured:
            text = f"{each.name} takes about {in_bytes(each.size)}, on a machine with {machine}."
            yield CheckResult(f"memory.{each.name}", "problem", text, "Use a smaller one.", facts)
    if total > usable:
        fix = (
            "One model for all roles avoids loading at each stage: laios models use all MODEL; or "
            "choose smaller ones."
        )
        text = f"{seen}: they do not fit together, and each stage waits for its model to load."
        yield CheckResult("memory.together", "warning", text, fix, facts)
    elif total > free + gpu:
        text = f"{seen}, of which {in_bytes(free + gpu)} is free now."
        fix = "Close other programs, or use smaller models."
        yield CheckResult("memory.together", "warning", text, fix, facts)
    else:
        text = f"{seen}: {'they fit' if several else 'it fits'}."
        yield CheckResult("memory.together", "ok", text, "", facts)


def _need(context: CheckContext, name: str) -> Need | None:
    """None for a model that is not there, or not in this machine's memory."""
    if name.startswith(OLLAMA):
        model, running = context.find(name), context.find_loaded(name)
        if not context.host.is_local or model is None or model.remote:
            return None
        if running and running.size:
            return Need(name, running.size, True)
        return Need(name, _with_window(model.size), False)
    if name == STARTER:
        files = [DIRECTORY / file for file in set(WEIGHTS.values())]
    elif name.startswith(PROVIDER):
        files = _local_files(context.settings, split_adapters(name.removeprefix(PROVIDER))[0])
    else:
        return None
    if not files:
        return None
    with contextlib.suppress(OSError):
        return Need(name, _with_window(sum(file.stat().st_size for file in files)), False)
    return None


def _local_files(settings: Settings, rest: str) -> list[Path]:
    """Of a model of the library, or of a file by its path."""
    if not is_library_name(rest):
        return parts_of(expanded(rest))
    entry = LocalLibrary(settings.MODELS_DIR).find(rest)
    return parts_of(entry.path) if entry else []


def _with_window(weights: int) -> int:
    return round(weights * (1 + WINDOW_PART))


def _evictable(context: CheckContext) -> int:
    """What loaded models hold of the RAM; Ollama gives it back for others."""
    if not context.host.is_local:
        return 0
    return sum(max(0, model.size - model.vram) for model in context.loaded)


def _loaded(context: CheckContext) -> Iterator[CheckResult]:
    for model in context.loaded:
        share = round(100 * model.vram / model.size) if model.size else 0
        window = f", window {model.context:,}" if model.context else ""
        where = f"{in_bytes(model.size)}, {share} % on the GPU{window}"
        seen = f"Loaded now: {OLLAMA}{model.name}, {where}."
        facts = {"model": OLLAMA + model.name, "bytes": model.size, "vram_bytes": model.vram}
        yield CheckResult(f"loaded.{model.name}", "ok", seen, "", facts)


def gpu_memory() -> int:
    """The graphics cards' own memory in bytes, as their drivers tell; 0 where none does. A Mac's
    GPU has the same memory as its CPU."""
    return _nvidia() + _amd()


def _nvidia() -> int:
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return 0
    question = [tool, "--query-gpu=memory.total", "--format=csv,noheader,nounits"]
    with contextlib.suppress(OSError, ValueError, subprocess.SubprocessError):
        done = subprocess.run(
            question, capture_output=True, text=True, timeout=GPU_TOOL_S, check=True
        )
        return sum(int(line) << 20 for line in done.stdout.split("\n") if line.strip())
    return 0


def _amd() -> int:
    total = 0
    for file in Path("/sys/class/drm").glob("card*/device/mem_info_vram_total"):
        with contextlib.suppress(OSError, ValueError):
            total += int(file.read_text())
    return total
