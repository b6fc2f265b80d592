"""--model of `laios bench` and `replay`: a model for all roles."""

from typing import TYPE_CHECKING

from server.terminal.console import USAGE, fail
from server.terminal.output import refuse_with

if TYPE_CHECKING:
    from config import Settings


def with_model_or_exit(settings: "Settings", name: str) -> "Settings":
    """The settings with this model for all roles; "" changes nothing."""
    from server.benchmark.run_settings import with_model

    try:
        return with_model(settings, name)
    except ValueError as error:
        fail(f"--model: {error}.", USAGE)


async def require_model(settings: "Settings", *, as_json: bool) -> None:
    """Exits where the model that all roles have is not there."""
    from pipeline.errors import BackendUnknown, LaiosError
    from pipeline.models.registry import Registry
    from server.runtime.async_closing import async_closing

    async with async_closing(Registry(settings)) as models:
        await models.resolve(settings)
        try:
            await models.for_role("coder", settings).facts()
        except BackendUnknown as error:
            fail(f"--model: {error.message}", USAGE)
        except LaiosError as error:
            refuse_with(error, as_json=as_json)
