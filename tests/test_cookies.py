"""Cookie headers, which anybody may send."""

import time

import pytest
from dashboards import judged, site
from hypothesis import given
from hypothesis import strategies as st

from dashboard.cookies import cookie_values
from dashboard.sessions import Sessions

ESCAPED_QUOTES = 'a="' + '\\"' * 30_000 + '"'

names = st.text("abcxyz_-", min_size=1)
values = st.text("abcxyz0189_-.=", max_size=20)


@given(st.lists(st.tuples(names, values)), st.integers(1, 3))
def test_a_cookie_is_found_among_all_others(cookies: list[tuple[str, str]], headers: int) -> None:
    """Each value of a name, in order, over however many headers they come."""
    pairs = [f"{name}={value}" for name, value in cookies]
    split = ["; ".join(pairs[start::headers]) for start in range(headers)]
    for wanted in {name for name, _ in cookies}:
        found = sorted(cookie_values(split, wanted))
        assert found == sorted(value for name, value in cookies if name == wanted)


@given(st.text())
def test_no_cookie_header_is_too_strange(header: str) -> None:
    """What is no cookie is passed over."""
    assert all(value in header for value in cookie_values([header], "a"))


def test_a_session_behind_escaped_quotes_is_found_at_once() -> None:
    """Reading them all costs the standard library twelve seconds."""
    sessions = Sessions(11711)
    own = sessions.open()
    began = time.monotonic()
    assert sessions.find([ESCAPED_QUOTES, f"b; {sessions.cookie_name}={own}"]) == own
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("settings", [{}, {"API_TOKEN": "correct horse battery"}])
async def test_cookies_beyond_a_limit_are_refused(tmp_path, settings):
    """Before anything reads them, and with what to do about it."""
    async with site(tmp_path / "history", judged("a"), **settings) as served:
        answer = await served.http.get("/dashboard/login", headers={"Cookie": ESCAPED_QUOTES})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")
        assert "Clear the cookies of this host" in answer.text
        answer = await served.http.get("/dashboard/login", headers={"Cookie": "a=b" * 1000})
        assert answer.status_code == 200
