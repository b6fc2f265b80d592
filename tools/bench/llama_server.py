"""llama.cpp's own server on a model file, over HTTP on a port of 127.0.0.1, as any program can ask
it: `python -m tools.bench.llama_server FILE.gguf`; prints its port. The settings are those of the
embedded engine, without its lookup."""

import sys
import threading

import xllamacpp

from pipeline.models.llama_cpp import MOST_ANSWERS, thread_count
from tools.bench.processes import free_port

WINDOW = 16384


def serve(file: str) -> None:
    """Until the process is ended. Raises RuntimeError for what cannot be loaded."""
    params = xllamacpp.CommonParams()
    params.model.path, params.model_alias = file, {"bench"}
    params.hostnames, params.port = ["127.0.0.1"], free_port()
    params.n_ctx, params.n_parallel, params.kv_unified = WINDOW, MOST_ANSWERS, True
    params.cache_ram_mib = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = thread_count(file)
    params.warmup, params.offline, params.endpoint_metrics, params.verbosity = False, True, True, -1
    params.ui = params.endpoint_slots = False
    server = xllamacpp.Server(params)
    server.handle_metrics()
    print(params.port, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    serve(sys.argv[1])
