"""config.toml while the daemon runs."""

import asyncio
import logging
import os
import shutil

import pytest
from waiting import until

from config import config_path, load_settings
from server.runtime.settings_reload import watch_settings

CODE = "def add(a, b):\n    return a + b\n"
RULES = [{"role": "coder", "reply": CODE}, {"role": "judge", "verdict": [7, 1, ""]}]
REVIEWER = {"role": "reviewer", "reply": "x = 1\n"}


def write(text):
    path = config_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


async def test_hot_settings_change_without_a_restart(daemon_with):
    """A threshold that was edited counts from the next run on; the record says which it was."""
    async with daemon_with(*RULES, REVIEWER) as (daemon, http):
        post = {"prompt": "add"}
        assert (await http.post("/prompt", json=post)).json() == {"output": "x = 1\n"}
        scheduler = daemon.parts.scheduler

        def edited():
            write("escalation_confidence_threshold = 7\n")
            return scheduler.settings.ESCALATION_CONFIDENCE_THRESHOLD == 7

        await until(edited)
        assert (await http.post("/prompt", json=post)).json() == {"output": CODE}
        record = daemon.parts.reader.page(limit=1)[0]
        assert record["thresholds"] == {"confidence": 7, "conflict": 6}


class Applied:
    """A watch over config.toml and what came of it."""

    def __init__(self, settings, options, caplog):
        self.settings = []
        self.caplog = caplog
        self.task = asyncio.create_task(watch_settings(settings, options, self.settings.append))

    async def settle(self):
        """Waits until the watch has begun: an edit is seen."""
        number = 100

        def edited():
            nonlocal number
            number += 1
            write(f"max_output_tokens = {number}\n")
            return self.settings

        await until(edited)
        await asyncio.sleep(0.5)
        self.settings.clear()
        self.caplog.clear()


async def test_a_link_s_target_is_watched_too(caplog, tmp_path):
    """Who keeps config.toml in a repository of their own edits it there; the link may also come to
    lead elsewhere."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "laios.toml").write_text("max_output_tokens = 99\n")
    config_path().parent.mkdir(parents=True)
    config_path().symlink_to(tmp_path / "one" / "laios.toml")
    watch = Applied(load_settings(), {}, caplog)
    try:
        await watch.settle()  # which writes through the link
        config_path().unlink()
        config_path().symlink_to(tmp_path / "two" / "laios.toml")
        await watch.settle()
    finally:
        watch.task.cancel()


async def test_an_edit_just_before_the_watch_begins_counts(caplog):
    """While the daemon starts, the settings are read already and nothing is watched yet."""
    settings = load_settings()
    write("max_output_tokens = 99\n")
    watch = Applied(settings, {}, caplog)
    try:
        await until(lambda: watch.settings)
        assert watch.settings[-1].MAX_OUTPUT_TOKENS == 99
    finally:
        watch.task.cancel()


async def test_a_link_between_may_lead_elsewhere(caplog):
    """Kubernetes changes a mounted file so: by another directory behind a link on the way to it."""
    directory = config_path().parent
    for name in ("one", "two"):
        (directory / name).mkdir(parents=True)
    (directory / "now").symlink_to("one")
    config_path().symlink_to("now/config.toml")
    write("max_output_tokens = 99\n")
    watch = Applied(load_settings(), {}, caplog)
    try:
        await watch.settle()
        (directory / "two" / "config.toml").write_text("max_output_tokens = 98\n")
        (directory / "next").symlink_to("two")
        (directory / "next").replace(directory / "now")
        await until(lambda: watch.settings)
        assert watch.settings[-1].MAX_OUTPUT_TOKENS == 98
        await watch.settle()  # an edit in the new place
    finally:
        watch.task.cancel()


@pytest.mark.parametrize("remove", [lambda path: path.rename(f"{path}.old"), shutil.rmtree])
async def test_a_directory_that_was_made_again_is_watched(caplog, monkeypatch, remove):
    """Whoever restores their settings replaces it; the old one tells of nothing any more."""
    monkeypatch.setattr("server.runtime.settings_reload.LOOK_MS", 200)
    watch = Applied(load_settings(), {}, caplog)
    try:
        await watch.settle()
        remove(config_path().parent)
        await until(lambda: watch.settings)  # the defaults
        await watch.settle()
        await watch.settle()
    finally:
        watch.task.cancel()


async def test_a_broken_edit_is_reported_once_and_the_last_good_settings_stay(caplog):
    """And what is put right afterwards counts again."""
    caplog.set_level(logging.INFO, "laios.config")
    watch = Applied(load_settings(), {}, caplog)
    try:
        await watch.settle()
        write("model_timeout_s = 'soon'\n")
        await until(lambda: "not taken over" in caplog.text)
        write("model_timeout_s = 'soon' # again\n")
        await asyncio.sleep(0.5)
        assert caplog.text.count("not taken over") == 1
        assert watch.settings == []
        write("model_timeout_s = 9\n")
        await until(lambda: watch.settings)
        assert watch.settings[-1].MODEL_TIMEOUT_S == 9
    finally:
        watch.task.cancel()


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.write_text("port=" + "[" * 60_000)])
async def test_a_file_that_cannot_be_read_is_reported_and_the_watch_goes_on(caplog, make):
    """A pipe holds up nothing, and what nests too deep for the parser ends nothing."""
    watch = Applied(load_settings(), {}, caplog)
    try:
        await watch.settle()
        other = config_path().with_name("other")
        make(other)
        other.replace(config_path())
        await until(lambda: "not taken over" in caplog.text)
        config_path().unlink()
        write("model_timeout_s = 9\n")
        await until(lambda: watch.settings)
        assert watch.settings[-1].MODEL_TIMEOUT_S == 9
    finally:
        watch.task.cancel()


async def test_cold_settings_wait_for_a_restart_and_the_command_line_stays_above(caplog):
    """The log names them; nothing half-changes."""
    caplog.set_level(logging.INFO, "laios.config")
    options = {"MODEL_TIMEOUT_S": 5}
    watch = Applied(load_settings(**options), options, caplog)
    try:
        await watch.settle()
        write("model_timeout_s = 9\nmax_queued_runs = 3\nrun_timeout_s = 8\n")
        await until(lambda: watch.settings)
        assert watch.settings[-1].MODEL_TIMEOUT_S == 5
        assert watch.settings[-1].RUN_TIMEOUT_S == 8
        assert watch.settings[-1].MAX_QUEUED_RUNS == 64
        await until(lambda: "need a restart" in caplog.text)
    finally:
        watch.task.cancel()


async def test_a_directory_that_cannot_be_watched_costs_the_reloading_alone(
    daemon_with, caplog, monkeypatch
):
    """A read-only home: the daemon serves, and one line says what is missing."""

    def refuse(*path, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("server.runtime.settings_reload._changes", refuse)
    async with daemon_with(*RULES, REVIEWER) as (_, http):
        assert (await http.get("/healthz")).status_code == 200
        await until(lambda: "config.toml is not watched" in caplog.text)
        assert "Traceback" not in caplog.text
