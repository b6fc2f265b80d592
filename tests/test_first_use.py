"""Code that is imported when it is first called."""

import asyncio
import sys
import threading

import pytest

from pipeline.first_use import FirstUse

MODULE = """
import threading, time
LOADED_IN.append(threading.current_thread())
time.sleep(0.05)

async def answer(given):
    return given * 2
"""


@pytest.fixture
def late(tmp_path, monkeypatch):
    """A module that nobody has imported, and the threads in which it was."""
    threads: list[threading.Thread] = []
    monkeypatch.setattr("builtins.LOADED_IN", threads, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "late_module.py").write_text(MODULE)
    yield threads
    sys.modules.pop("late_module", None)


async def test_callers_at_a_time_import_once_and_beside_the_loop(late):
    """Five callers share one import in a thread of its own, and each gets its answer."""
    use = FirstUse("late_module", "answer")
    assert await asyncio.gather(*(use.call(n) for n in range(5))) == [0, 2, 4, 6, 8]
    assert len(late) == 1 and late[0] is not threading.current_thread()


async def test_who_goes_while_it_is_imported_costs_the_others_nothing(late):
    """Another caller still gets its answer after the first was cancelled."""
    use = FirstUse("late_module", "answer")
    gone = asyncio.create_task(use.call(1))
    await asyncio.sleep(0)
    gone.cancel()
    assert await use.call(2) == 4


async def test_what_the_import_raises_is_raised_each_time(late, tmp_path):
    """A package that was mended meanwhile is imported then."""
    (tmp_path / "late_module.py").write_text("raise ImportError('half a package')")
    use = FirstUse("late_module", "answer")
    for _ in range(2):
        with pytest.raises(ImportError, match="half a package"):
            await use.call(1)
