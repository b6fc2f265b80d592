"""`laios doctor`: each check says what is so and what helps."""

import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from fakes import Answer, FakeOllama, Pulled, refused_url
from processes import LAIOS, daemon_here, free_port, invoke, laios, on_a_terminal

from pipeline.models import machine
from pipeline.models.local_library import LocalLibrary, Manifest, ModelPart
from server.doctor import model_memory, port
from server.doctor.model_memory import Need, judge_needs

pytestmark = pytest.mark.only_when(
    "server/doctor/", "server/commands/doctor.py", "server/terminal/", "laios/"
)

GB = 1_000_000_000
GOOD = json.dumps({"confidence_score": 9, "conflict_score": 1, "judgement_summary": "Right."})
Use = Callable[..., None]


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A history of its own, a free port, and nobody at Ollama's address."""
    monkeypatch.setenv("LAIOS_HISTORY_DIR", str(tmp_path / "history"))
    monkeypatch.setenv("LAIOS_PORT", str(free_port()))
    nowhere: AbstractContextManager[str] = refused_url()
    with nowhere as url:
        monkeypatch.setenv("OLLAMA_HOST", url)
        yield tmp_path / "history"


@pytest.fixture
def use(script: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> Use:
    """A scripted model in every role."""

    def write(*rules: dict[str, Any], role: str = "") -> None:
        name = script(*rules, name=f"replies-{role}")
        for each in [role] if role else ["CODER", "JUDGE", "REVIEWER"]:
            monkeypatch.setenv(f"LAIOS_{each}_MODEL_NAME", name)

    return write


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOllama]:
    with FakeOllama(Answer(GOOD, structured=True)) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        yield server


def examine(*options: str, **environment: str) -> dict[str, dict[str, Any]]:
    """The findings by their name, and the status as `status`; the exit code fits them."""
    done = invoke("doctor", "--json", *options, **environment)
    assert done.stderr == ""
    said = json.loads(done.stdout)
    assert done.returncode == (1 if said["status"] == "problem" else 0)
    levels = {finding["level"] for finding in said["findings"]}
    worst = next((each for each in ("problem", "warning") if each in levels), "ok")
    assert said["status"] == worst
    for finding in said["findings"]:
        assert finding["seen"] and (finding["fix"] or finding["level"] == "ok"), finding
    return {finding["check"]: finding for finding in said["findings"]} | {"status": {"is": worst}}


def test_all_is_well_with_an_ollama_that_judges(fake: FakeOllama) -> None:
    """Backend, models, window, memory, verdicts, files and port, each with what was measured."""
    found = examine()
    name = "ollama/qwen2.5-coder:7b"
    assert found["status"]["is"] == "ok", found
    assert found["ollama"]["facts"]["version"] == "0.40.0"
    assert found[f"model.{name}"]["facts"]["roles"] == ["coder", "judge", "reviewer"]
    assert found[f"context.{name}"]["facts"] == {
        "model": name,
        "trained": 32768,
        "used": 32768,
        "setting": 32768,
    }
    assert found["memory.together"]["facts"]["models"][name]["bytes"] == 4_700_000_000 * 1.2
    judge = found[f"judge.{name}"]["facts"]
    assert (judge["thinking_off"]["ok"], judge["thinking_left"]["ok"]) == (True, True)
    assert (judge["confidence"], judge["conflict"]) == (9, 1)
    assert found["port"]["seen"].endswith("is free; no daemon is running.")
    assert found["privacy"]["level"] == "ok"


def test_the_probe_is_the_judge_s_own_request(fake: FakeOllama) -> None:
    """With the verdict's schema, at temperature 0, once with thinking off and once with it left to
    the model, in the window that an ordinary run takes."""
    examine()
    off, left = fake.requests
    assert off["think"] is False and "think" not in left
    assert off["format"] == left["format"] and "confidence_score" in off["format"]["properties"]
    assert off["options"]["temperature"] == 0
    assert off["options"]["num_ctx"] == left["options"]["num_ctx"] == 16384
    assert left["options"]["num_predict"] > off["options"]["num_predict"]


def test_what_a_loaded_model_takes_is_measured(fake: FakeOllama) -> None:
    """Ollama says it, with the window; an estimate is not needed then."""
    fake.loaded["qwen2.5-coder:7b"] = 16384
    found = examine("--no-probe")
    need = found["memory.together"]["facts"]["models"]["ollama/qwen2.5-coder:7b"]
    assert need == {"bytes": 4_700_000_000, "measured": True}
    assert "window 16,384" in found["loaded.qwen2.5-coder:7b"]["seen"]


def test_no_probe_calls_no_model(fake: FakeOllama) -> None:
    """Only questions are asked."""
    found = examine("--no-probe")
    assert not fake.requests and not [check for check in found if check.startswith("judge.")]


@pytest.mark.parametrize(
    ("rules", "level", "words"),
    [
        ([{"reply": "10/10, great!"}], "problem", "every run escalates"),
        ([{"reply": "no", "times": 1}, {"verdict": [9, 1, ""]}], "warning", "thinking is left"),
        ([{"verdict": [9, 1, ""], "times": 1}, {"reply": "no"}], "ok", "failed"),
        ([{"verdict": [3, 8, ""]}], "warning", "confidence 3 < 8; conflict 8 > 6"),
        ([{"fault": "failed"}], "problem", "does not answer"),
        ([{"verdict": [9, 1, ""], "finish_reason": "length"}], "problem", "cut off"),
    ],
)
def test_a_judge_is_probed_with_thinking_off_and_left(
    use: Use, rules: list[dict[str, Any]], level: str, words: str
) -> None:
    """Fit, fit with thinking alone, unfit, of another scale, silent."""
    use(*rules)
    found = [finding for check, finding in examine().items() if check.startswith("judge.")]
    assert [finding["level"] for finding in found] == [level]
    assert words in found[0]["seen"]


def test_a_judge_that_is_too_small_is_told(
    script: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It keeps to the form, and is no judge all the same; a coder of its size is fine."""
    small = script({"verdict": [9, 1, ""]}, name="qwen-1.5b")
    large = script({"verdict": [9, 1, ""]}, name="qwen-7b")
    for role in ("CODER", "JUDGE", "REVIEWER"):
        monkeypatch.setenv(f"LAIOS_{role}_MODEL_NAME", small)
    found = examine()[f"judge.{small}"]
    assert found["level"] == "warning"
    assert "gives valid verdicts" in found["seen"] and "too small to judge" in found["seen"]
    assert "Choose another judge" in found["fix"]
    monkeypatch.setenv("LAIOS_JUDGE_MODEL_NAME", large)
    found = examine()
    assert (found[f"judge.{small}"]["level"], found[f"judge.{large}"]["level"]) == ("ok", "ok")


def test_a_model_that_does_not_judge_need_not_be_able_to(use: Use) -> None:
    """It has to answer, in whatever form."""
    use({"verdict": [9, 1, ""]}, role="JUDGE")
    use({"reply": "def add_up(): …"}, role="CODER")
    use({"fault": "unreachable"}, role="REVIEWER")
    found = {
        "".join(finding["facts"]["roles"]): finding
        for check, finding in examine().items()
        if check.startswith("judge.")
    }
    assert {roles: each["level"] for roles, each in found.items()} == {
        "coder": "ok",
        "judge": "ok",
        "reviewer": "problem",
    }
    assert "does not have to" in found["coder"]["seen"]


@pytest.mark.parametrize(
    ("yes", "level", "words"),
    [
        (0.8, "ok", "a probability of 0.8."),
        (0.3, "warning", "0.3, less than JUDGE_YES_THRESHOLD"),
    ],
)
def test_a_judge_that_says_yes_or_no_is_probed_for_that(
    use: Use, yes: float, level: str, words: str
) -> None:
    """Runs do not need its scores, so it does not matter that it gives none."""
    use({"role": "judge", "yes": yes}, {"reply": "pass"})
    (finding,) = (
        finding
        for name, finding in examine(LAIOS_JUDGE_FORM="yes_no").items()
        if name.startswith("judge.")
    )
    assert (finding["level"], finding["facts"]["p_correct"]) == (level, yes)
    assert words in finding["seen"]


def test_a_probe_is_bounded_in_time(use: Use) -> None:
    """A model that hangs is a finding, which names the option and no setting of runs."""
    use({"fault": "hang"})
    found = [each for check, each in examine("--timeout", "1").items() if "judge." in check]
    assert found[0]["level"] == "problem"
    assert "does not answer: no complete answer within 1 s (see --timeout)" in found[0]["seen"]


def test_without_ollama_auto_is_a_warning_and_a_named_model_a_problem() -> None:
    """laios works on the starter; it does not work on a model that is not there."""
    found = examine("--no-probe")
    assert found["ollama"]["level"] == "warning"
    assert found["model.local/starter"]["level"] == "warning"
    assert "laios models pull" in found["model.local/starter"]["fix"]
    found = examine("--no-probe", LAIOS_JUDGE_MODEL_NAME="ollama/qwen3:8b")
    assert found["ollama"]["level"] == "problem" and "ollama serve" in found["ollama"]["fix"]
    assert found["model.ollama/qwen3:8b"]["facts"]["roles"] == ["judge"]
    assert found["model.ollama/qwen3:8b"]["level"] == "problem"


def test_marks_are_told_apart_in_every_encoding() -> None:
    """Where ✓ and ✗ cannot be written, they would both be a question mark."""
    latin = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "latin-1"}
    shown = laios("doctor", "--no-probe", LAIOS_JUDGE_MODEL_NAME="ollama/qwen3:8b", **latin)
    assert "  + " in shown.stdout and "  x " in shown.stdout and "    > " in shown.stdout


def test_a_pulled_model_that_has_changed_is_named(
    use: Use, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the checksum with which it came, which no size tells; an imported model has none, and
    --no-probe reads no files through."""
    use({"reply": GOOD})
    monkeypatch.setenv("LAIOS_MODELS_DIR", str(tmp_path))
    library, came = LocalLibrary(tmp_path), b"weights"
    for name, source, checksum in (
        ("whole:1b", "hf.co/a/b", hashlib.sha256(came).hexdigest()),
        ("damaged", "https://h/damaged.gguf", hashlib.sha256(b"others!").hexdigest()),
        ("imported", "/a.gguf", ""),
    ):
        (library.directory_of(name) / "m.gguf").write_bytes(came)
        part = ModelPart(file="m.gguf", size=len(came), sha256=checksum)
        library.add(name, Manifest(source=source, parts=[part]))
    found = examine()
    assert found["files.local/whole:1b"]["level"] == "ok"
    assert found["files.local/damaged"]["level"] == "problem"
    assert "m.gguf has other contents than it came with" in found["files.local/damaged"]["seen"]
    assert found["files.local/damaged"]["fix"].endswith("models pull https://h/damaged.gguf")
    assert "files.local/imported" not in found
    assert "files.local/damaged" not in examine("--no-probe")


def test_a_missing_model_comes_with_its_pull(fake: FakeOllama) -> None:
    """The fix can be copied."""
    found = examine("--no-probe", LAIOS_CODER_MODEL_NAME="ollama/qwen3:8b")
    assert "ollama pull qwen3:8b" in found["model.ollama/qwen3:8b"]["fix"]
    assert found["model.ollama/qwen2.5-coder:7b"]["facts"]["roles"] == ["judge", "reviewer"]


def test_a_model_to_fall_back_on_is_examined_too(fake: FakeOllama) -> None:
    """A role whose second model is missing would find that out when it needs it."""
    names = "ollama/qwen2.5-coder:7b,ollama/qwen3:8b"
    found = examine("--no-probe", LAIOS_CODER_MODEL_NAME=names)
    assert found["model.ollama/qwen2.5-coder:7b"]["level"] == "ok"
    assert found["fallback.coder"]["level"] == "warning"
    assert "ollama pull qwen3:8b" in found["fallback.coder"]["fix"]


@pytest.mark.parametrize("names", ["local/gone", "local/gone,local/starter"])
def test_a_model_that_the_library_lacks_is_a_problem(names: str) -> None:
    """Also where another one stands in for it: that one is not taken for it."""
    found = examine("--no-probe", LAIOS_CODER_MODEL_NAME=names)
    assert found["model.local/gone"]["level"] == "problem"
    assert "laios models pull gone" in found["model.local/gone"]["fix"]
    assert "context.local/gone" not in found
    assert ("fallback.coder" in found) == ("," in names)


def test_a_model_to_fall_back_on_that_the_library_lacks_is_told() -> None:
    """By its name alone it is known that it cannot be had."""
    found = examine("--no-probe", LAIOS_CODER_MODEL_NAME="local/starter,local/gone")
    assert found["fallback.coder"]["level"] == "warning"
    assert found["fallback.coder"]["facts"]["model"] == "local/gone"


def test_a_short_window_is_told(fake: FakeOllama) -> None:
    """One that a long draft and its review do not fit into."""
    fake.models["qwen2.5-coder:7b"] = Pulled("qwen2.5-coder:7b", context_length=8192)
    found = examine("--no-probe")["context.ollama/qwen2.5-coder:7b"]
    assert found["level"] == "warning" and found["facts"]["used"] == 8192
    assert "Lower MAX_OUTPUT_TOKENS to 4,096, or use a model" in found["fix"]
    fake.models["qwen2.5-coder:7b"] = Pulled("qwen2.5-coder:7b", context_length=131072)
    found = examine("--no-probe", LAIOS_MAX_CONTEXT_TOKENS="8192")[
        "context.ollama/qwen2.5-coder:7b"
    ]
    assert "raise MAX_CONTEXT_TOKENS" in found["fix"]


def test_a_model_without_a_chat_template_is_told(fake: FakeOllama) -> None:
    """It works, badly: a warning for the roles that it plays, and a word in the list."""
    fake.models["qwen2.5-coder:7b"].template = "{{ .Prompt }}"
    found = examine("--no-probe")["model.ollama/qwen2.5-coder:7b"]
    assert found["level"] == "warning" and "no chat template" in found["seen"]
    assert "-instruct" in found["fix"]
    listed = invoke("models", "list").stdout
    assert "coder; judge; reviewer; no chat template" in listed
    assert invoke("models", "show", "qwen2.5-coder:7b").stdout.count("chat template   no") == 1


def test_one_model_s_memory_is_no_sum(fake: FakeOllama) -> None:
    """A sum of one thing says nothing."""
    seen = examine("--no-probe")["memory.together"]["seen"]
    assert seen.startswith("ollama/qwen2.5-coder:7b 5.6 GB, on a machine with")
    assert "=" not in seen


def test_what_leaves_the_machine_is_told(fake: FakeOllama) -> None:
    """A cloud model is refused unless it is allowed, and then it is a warning; so is what litellm
    calls."""
    fake.models["kimi:cloud"] = Pulled("kimi:cloud", size=400, remote_host="https://ollama.com")
    cloud = {"LAIOS_JUDGE_MODEL_NAME": "ollama/kimi:cloud"}
    found = examine("--no-probe", **cloud)
    assert "ALLOW_CLOUD_MODELS" in found["model.ollama/kimi:cloud"]["fix"]
    found = examine("--no-probe", **cloud, LAIOS_ALLOW_CLOUD_MODELS="true")
    assert found["model.ollama/kimi:cloud"]["level"] == "ok"
    assert found["privacy"]["level"] == "warning" and "cloud" in found["privacy"]["seen"]


@pytest.mark.parametrize("name", ["local/gone", "local//gone-00001-of-00002.gguf"])
def test_a_model_that_is_not_there_takes_no_memory(name: str) -> None:
    """It is a problem of its own; its name stands in no sum."""
    found = examine("--no-probe", LAIOS_JUDGE_MODEL_NAME=name)
    assert found[f"model.{name}"]["level"] == "problem"
    assert [*found["memory.together"]["facts"]["models"]] == ["local/starter"]


@pytest.mark.parametrize(
    ("address", "seen"),
    [
        ("127.0.0.1:9", "No prompt leaves this machine."),
        ("other.invalid:9", "runs on another machine: http://other.invalid:9."),
        ("host:port", "No prompt leaves this machine."),  # no address: that is told of the role
    ],
)
def test_the_address_in_a_model_s_name_says_where_it_runs(address: str, seen: str) -> None:
    """`ollama@host:port/model` is Ollama's as well."""
    found = examine("--no-probe", LAIOS_CODER_MODEL_NAME=f"ollama@{address}/x:1b")
    assert found["privacy"]["seen"].endswith(seen)


def needs(*sizes: float, measured: bool = False) -> list[Need]:
    return [Need(f"m{i}", round(size * GB), measured) for i, size in enumerate(sizes)]


@pytest.mark.parametrize(
    ("sizes", "ram", "gpu", "free", "levels"),
    [
        ([5, 5, 5], 32, 0, 30, {"memory.together": "ok"}),
        ([5, 5, 9], 16, 0, 14, {"memory.together": "warning"}),
        ([5, 5, 9], 16, 8, 14, {"memory.together": "ok"}),
        ([5, 5], 32, 0, 4, {"memory.together": "warning"}),
        ([40], 32, 0, 30, {"memory.m0": "problem", "memory.together": "warning"}),
    ],
)
def test_models_are_held_against_memory(
    sizes: list[float], ram: int, gpu: int, free: int, levels: dict[str, str]
) -> None:
    """Together, alone, with the GPU's, and with what is free now."""
    found = judge_needs(needs(*sizes), ram * GB, gpu * GB, free * GB)
    assert {finding.check: finding.level for finding in found} == levels


def test_a_model_that_is_loaded_evidently_fits() -> None:
    """Whatever the figures say of the machine."""
    found = list(judge_needs(needs(40, measured=True), 32 * GB, 0, 30 * GB))
    assert [finding.check for finding in found] == ["memory.together"]


def test_a_container_s_memory_is_its_limit(
    fake: FakeOllama, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As a run takes it: of the machine's memory it gets no more, and no more of it is free."""
    (limit := tmp_path / "memory.max").write_text("2000000000\n")
    monkeypatch.setattr(machine, "_CONTAINER_LIMIT", limit)
    name = "ollama/qwen2.5-coder:7b"
    found = examine("--no-probe", LAIOS_JUDGE_MODEL_NAME=name)
    assert found[f"memory.{name}"]["level"] == "problem"
    facts = found["memory.together"]["facts"]
    assert facts["memory_bytes"] == 2_000_000_000 >= facts["free_bytes"]


def test_the_graphics_cards_memory_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As the driver's tool says; a tool that fails counts for nothing."""
    tool = tmp_path / "nvidia-smi"
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(model_memory, "_amd", lambda: 0)
    for text, size in (("echo 24564; echo 8192", 32756 << 20), ("echo '[N/A]'", 0), ("exit 9", 0)):
        tool.write_text(f"#!/bin/sh\n{text}\n")
        tool.chmod(0o755)
        assert model_memory.gpu_memory() == size


def test_the_history_is_really_written_to(settings: Path) -> None:
    """A probe file, that is gone again; a directory that is not there is not made for it."""
    found = examine("--no-probe")
    assert found["history"]["facts"]["exists"] is False and not settings.exists()
    settings.mkdir(mode=0o700)
    assert examine("--no-probe")["history"]["facts"]["exists"] is True
    assert list(settings.iterdir()) == []
    settings.chmod(0o755)
    assert "chmod 700" in examine("--no-probe")["history_private"]["fix"]


def test_a_history_that_cannot_be_written_is_a_problem(settings: Path) -> None:
    """A file in its place is one that root hits as well."""
    settings.write_text("not a directory")
    found = examine("--no-probe")["history"]
    assert found["level"] == "problem" and "HISTORY_DIR" in found["fix"]
    found = examine("--no-probe", LAIOS_HISTORY_DIR="/proc/history")["history"]
    assert found["level"] == "problem"


def test_directories_that_cannot_even_be_looked_at_are_told(tmp_path: Path) -> None:
    """Another user's, say; of a name that no disk takes the system says as little to root."""
    lost = str(tmp_path / ("x" * 300) / "laios")
    found = examine("--no-probe", LAIOS_HISTORY_DIR=lost, LAIOS_DOCS_DIR=lost)
    assert found["history"]["level"] == "problem"
    assert "cannot be written" in found["history"]["seen"] and lost in found["history"]["seen"]
    assert found["documentation"]["level"] == "warning"
    done = invoke("docs", "list", LAIOS_DOCS_DIR=lost)
    assert done.returncode == 1 and "cannot be used: File name too long" in done.stderr


@pytest.mark.parametrize(("free", "level"), [(10**7, "problem"), (5 * 10**8, "warning")])
def test_a_disk_that_fills_up_is_told(
    monkeypatch: pytest.MonkeyPatch, free: int, level: str
) -> None:
    """Before records have to wait."""
    usage = shutil._ntuple_diskusage(10**12, 0, free)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    assert examine("--no-probe")["disk"]["level"] == level


def test_who_holds_the_port_is_named() -> None:
    """By process and id; it is this one."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        found = examine("--no-probe", LAIOS_PORT=str(number))["port"]
    assert found["level"] == "problem" and found["facts"]["pid"] == os.getpid()
    assert f"(pid {os.getpid()})" in found["seen"] and "11712" in found["fix"]
    assert port.find_holder(number) is None


def test_an_address_that_is_not_this_machine_s_is_nobody_s_fault() -> None:
    """Whoever listens on the same port of another address does not hold it."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        where = {"HOST": "192.0.2.1", "PORT": str(other.getsockname()[1]), "API_TOKEN": "t" * 32}
        settings = {f"LAIOS_{name}": value for name, value in where.items()}
        found = examine("--no-probe", **settings)["port"]
    assert "Cannot listen on 192.0.2.1" in found["seen"] and "HOST" in found["fix"]


def test_a_daemon_of_laios_on_the_port_is_fine(use: Use) -> None:
    """And says itself whether it is ready."""
    use({"verdict": [9, 1, ""]})
    with daemon_here():
        found = examine("--no-probe")
        assert "is running on" in found["port"]["seen"]
        assert found["daemon"]["facts"]["runs"] == 0


def test_a_daemon_that_wants_another_token_is_told(use: Use) -> None:
    """It is there, but says nothing of itself to this shell."""
    use({"verdict": [9, 1, ""]})
    with daemon_here(LAIOS_API_TOKEN="the right one"):
        found = examine("--no-probe", LAIOS_API_TOKEN="the wrong one")
    assert found["port"]["level"] == "ok" and found["daemon"]["level"] == "warning"
    assert "API_TOKEN" in found["daemon"]["fix"]


def test_a_daemon_that_is_not_ready_says_why(use: Use) -> None:
    """Its own reasons are problems, whatever the checks of this process find."""
    use({"verdict": [9, 1, ""]})
    with daemon_here(LAIOS_JUDGE_MODEL_NAME="scripted/none.json"):
        found = examine("--no-probe")
    assert found["daemon"]["level"] == "problem" and "none.json" in found["daemon"]["seen"]


def test_ctrl_c_ends_it_without_a_trace(use: Use) -> None:
    """In the middle of a probe."""
    use({"fault": "hang"})
    process = subprocess.Popen(
        [LAIOS, "doctor"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert any("No prompt leaves" in line for line in process.stdout)
    process.send_signal(signal.SIGINT)
    assert "Traceback" not in process.communicate(timeout=20)[1]
    assert process.returncode in (1, 130)


def test_ctrl_c_while_the_backends_are_asked_leaves_nothing_open(use: Use) -> None:
    """Not a word: a server that does not answer is what one does not wait for."""
    use({"verdict": [9, 1, ""]})
    with socket.create_server(("127.0.0.1", 0)) as silent:
        process = subprocess.Popen(
            [LAIOS, "doctor"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"LAIOS_OLLAMA_HOST": f"http://127.0.0.1:{silent.getsockname()[1]}"},
        )
        with silent.accept()[0]:
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=20)[1] == ""
    assert process.returncode in (1, 130)


def test_ctrl_c_does_not_end_what_a_shell_has_put_aside(use: Use) -> None:
    """Such a process is started with the signal ignored."""
    use({"verdict": [9, 1, ""]})
    with socket.create_server(("127.0.0.1", 0)) as silent:
        host = f"http://127.0.0.1:{silent.getsockname()[1]}"
        process = subprocess.Popen(
            ["sh", "-c", f"trap '' INT; exec '{LAIOS}' doctor --no-probe"],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"LAIOS_OLLAMA_HOST": host},
        )
        with silent.accept()[0]:
            process.send_signal(signal.SIGINT)
    assert "No prompt leaves" in process.communicate(timeout=20)[0] and process.returncode != 130


def test_wrong_settings_are_findings() -> None:
    """Nothing else can be looked at then."""
    found = examine(LAIOS_PORT="70000")
    assert found.keys() == {"config", "status"}
    assert "LAIOS_PORT" in found["config"]["seen"] and found["config"]["level"] == "problem"


def test_a_readable_token_is_a_warning(
    use: Use, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Only where the file holds one."""
    config = tmp_path / "config.toml"
    monkeypatch.setenv("LAIOS_CONFIG", str(config))
    config.write_text("keep_alive = '5m'\n")
    config.chmod(0o644)
    use({"verdict": [9, 1, ""]})
    assert "config_private" not in examine("--no-probe")
    config.write_text("api_token = 'secret enough'\n")
    done = invoke("doctor", "--no-probe", "--json")
    assert "chmod 600" in done.stdout and "secret enough" not in done.stdout


def test_for_people_it_is_grouped_with_its_fixes(use: Use) -> None:
    """Plain lines in a pipe: a title, a mark, what was seen, an arrow, what helps."""
    use({"reply": "no verdict"})
    done = invoke("doctor")
    assert done.returncode == 1 and done.stderr == ""
    lines = done.stdout.splitlines()
    titles = [line for line in lines if line and not line.startswith(" ")]
    assert titles[:-1] == ["Configuration", "Files", "Daemon", "Models", "Verdicts"]
    assert lines[-1] == "1 problem."
    bad = next(i for i, line in enumerate(lines) if line.startswith("  ✗ "))
    assert lines[bad + 1].startswith("    → Choose another judge")


def test_on_a_terminal_it_has_colour_unless_that_is_not_wanted(use: Use) -> None:
    """NO_COLOR is honoured; what takes its time is said while it does."""
    use({"verdict": [9, 1, ""], "delay_ms": 300})
    shown, code = on_a_terminal("doctor")
    assert code == 0 and "\x1b[32m✓" in shown and "asking scripted/" in shown
    left = screen(shown)
    assert left[:2] == ["Configuration", left[1]] and left[1].startswith("  ✓ The settings are")
    assert [line for line in left if line.startswith("Verdicts")]
    assert not [line for line in left if "asking" in line] and left[-1] == "All is well."
    shown, _ = on_a_terminal("doctor", NO_COLOR="1")
    assert "✓" in shown and "\x1b[32m" not in shown


def screen(shown: str) -> list[str]:
    """What is left on a terminal that was shown this: lines, going up, and erasing."""
    lines, at = [""], 0
    for part in re.split(r"(\r\n|\r|\x1b\[[?\d;]*[A-Za-z])", shown):
        if part == "\r\n":
            at += 1
            lines += [""] * (at + 1 - len(lines))
        elif part == "\x1b[1A":
            at -= 1
        elif part == "\x1b[2K":
            lines[at] = ""
        elif part and part[0] not in "\r\x1b":
            lines[at] += part
    return [line for line in lines if line]


def test_the_starter_is_a_fit_judge_of_what_it_knows() -> None:
    """The probe is within what the smallest judge was trained for: only an unfit one fails it."""
    found = examine()
    assert found["judge.local/starter"]["level"] == "ok", found["judge.local/starter"]
    assert found["memory.together"]["level"] == "ok"


def test_it_says_what_documentation_is_there(use: Use, tmp_path: Path) -> None:
    """None is no fault; a source goes by its name; a damaged index can be mended."""
    use({"verdict": [9, 1, "It is right."]})
    docs = tmp_path / "docs"
    (tmp_path / "manual").mkdir()
    (tmp_path / "manual" / "page.md").write_text("# A page\n\nIt says something.\n")
    found = examine(LAIOS_DOCS_DIR=str(docs))["documentation"]
    assert (found["level"], found["facts"]["sources"]) == ("ok", 0) and not docs.exists()
    invoke("docs", "add", str(tmp_path / "manual"), LAIOS_DOCS_DIR=str(docs))
    found = examine(LAIOS_DOCS_DIR=str(docs))["documentation"]
    assert found["seen"] == "Documentation of manual is indexed: 1 piece."
    (docs / "index.sqlite").write_bytes(b"no database" * 100)
    found = examine(LAIOS_DOCS_DIR=str(docs))["documentation"]
    assert (found["level"], found["fix"]) == ("warning", "laios docs add")
