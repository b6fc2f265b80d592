"""A user's rating of a run's answer."""

from typing import Literal

from pydantic import BaseModel


class Rating(BaseModel):
    """As it was written beside the history: `none` takes back what was said before; `ts` is RFC
    3339 in UTC."""

    id: str
    rating: Literal["up", "down", "none"]
    note: str | None
    ts: str
