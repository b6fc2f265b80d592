"""laios for Python programs: the only name that installing it adds to an environment.

    import laios

    with laios.Client() as client:
        print(client.run("a function that adds up a list of numbers").output)

`Client` and `AsyncClient` call the daemon, `types` holds what they answer with, `errors` what they
raise. All of it is loaded when it is first used: httpx and pydantic take their time.

The daemon's own packages stand beside this one in the repository and in `laios/_app` once
installed; `laios.launcher` starts them.
"""

__version__ = "0.1.0"

__all__ = ["AsyncClient", "Client", "LaiosError", "Project", "errors", "types"]

TYPE_CHECKING = (
    False  # of `typing`, which could be anybody's before the launcher put the path right
)

if TYPE_CHECKING:
    from laios import errors, types
    from laios.async_client import AsyncClient
    from laios.client import Client
    from laios.errors import LaiosError
    from laios.generated_project import Project
else:
    _PLACES = {
        "AsyncClient": "async_client",
        "Client": "client",
        "LaiosError": "errors",
        "Project": "generated_project",
    }

    def __getattr__(name):
        from importlib import import_module

        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = import_module(f"{__name__}.{_PLACES.get(name, name)}")
        return getattr(module, name) if name in _PLACES else module
