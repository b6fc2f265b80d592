"""Reading posted forms: bounded in size, and with a valid CSRF token only."""

from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import Request

from dashboard.page_context import context_of

MOST_BYTES = 64 * 1024


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form that one of this session's pages has sent. Raises HTTPException."""
    length = request.headers.get("content-length", "")
    if not length.isdigit() or int(length) > MOST_BYTES:
        raise HTTPException(413, "This form is too large.")
    body = (await request.body()).decode("utf-8", "replace")
    try:
        fields = parse_qs(body, keep_blank_values=True, max_num_fields=32)
    except ValueError:
        raise HTTPException(400, "This form cannot be read.") from None
    form = {name: values[-1] for name, values in fields.items()}
    context = context_of(request)
    if not context.sessions.is_ours(context.session(request), form.get("csrf", "")):
        raise HTTPException(
            403, "This form is from an older page. Go back, reload the page and try again."
        )
    return form


def back(form: dict[str, str]) -> str:
    """Where a form wants to lead to: a page of ours, whatever it says."""
    target = form.get("next", "")
    ours = target == "/dashboard" or target.startswith(("/dashboard?", "/dashboard/"))
    plain = target.isascii() and target.isprintable() and "\\" not in target
    return target if ours and plain else "/dashboard"
