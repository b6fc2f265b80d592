"""Call huggingface_hub without telemetry, with its errors in laios's terms."""

from collections.abc import Iterator
from contextlib import contextmanager

from pipeline.errors import LaiosError, ModelFailed, ModelNotFound, ModelUnreachable


@contextmanager
def hub_call(source: str) -> Iterator[None]:
    """Without telemetry: huggingface_hub would ask for a list of known agents, and name ours.

    Raises ModelNotFound, ModelUnreachable or ModelFailed for what huggingface_hub and httpx
    raise in the block; `source` is what was asked for."""
    import httpx
    from huggingface_hub import constants
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, OfflineModeIsEnabled

    constants.HF_HUB_DISABLE_TELEMETRY = True
    try:
        yield
    except OfflineModeIsEnabled:
        raise ModelUnreachable(
            "HF_HUB_OFFLINE is set, so nothing is fetched. Unset it for this command."
        ) from None
    except HFValidationError:
        raise ModelNotFound(f"{source} is not a valid repository name.") from None
    except HfHubHTTPError as error:
        raise _refusal(error, source) from None
    except httpx.HTTPError as error:
        said = str(error).rstrip(".") or type(error).__name__
        raise ModelUnreachable(
            f"{source} cannot be reached: {said}. Check the network connection, or set a proxy "
            "(HTTPS_PROXY)."
        ) from None
    except (AttributeError, KeyError, TypeError, ValueError):  # JSON of another form, or none
        raise ModelFailed(
            f"{source}: the answer is not from Hugging Face. Does the network want a login first, "
            "or does HF_ENDPOINT name another server?"
        ) from None


def _refusal(error: Exception, source: str) -> LaiosError:
    from huggingface_hub.errors import GatedRepoError

    response = error.response  # type: ignore[attr-defined]
    status = response.status_code
    sent_token = "Authorization" in response.request.headers
    if status == 401 and sent_token and "X-Error-Code" not in response.headers:
        return ModelFailed(
            f"{source}: Hugging Face refuses your token; it may have expired. Set another "
            "(HF_TOKEN, or `hf auth login`), or none: unset HF_TOKEN, `hf auth logout`."
        )
    if isinstance(error, GatedRepoError) or status in (401, 403):
        return ModelNotFound(
            f"{source} does not exist, or is not public. If its page asks you to accept a licence, "
            "do that, and set your token: HF_TOKEN, or `hf auth login`."
        )
    if status == 404:
        return ModelNotFound(f"There is no {source}. Check the spelling.")
    again = " Try again later." if status == 429 or status >= 500 else ""
    return ModelFailed(f"{source} was refused with HTTP {status}.{again}")
