"""The comparison with optillm (`tools/bench/beside_optillm.py`) on the real llama.cpp server, and a
program that speaks optillm's protocol in its place."""

import json
import sys
from pathlib import Path

import pytest

from history.bench_results import ResultFile
from pipeline.models.starter import DIRECTORY
from tools.bench import beside_optillm

pytestmark = [
    pytest.mark.xdist_group("litellm"),
    pytest.mark.only_when("tools/"),
    # The bench goes by litellm: what a package of this size warns of is not ours to mend.
    pytest.mark.filterwarnings("ignore"),
]

OPTILLM = f"""#!{sys.executable}
import json, sys, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

if "--version" in sys.argv:
    sys.exit(print("optillm 9.8.7"))
given = dict(word[2:].split("=", 1) for word in sys.argv[1:])

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer({{}})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        approach = asked.pop("optillm_approach")
        if approach == "moa":
            return self.answer({{"error": "no"}}, 500)
        if approach == "plansearch":
            return self.answer({{"choices": []}})
        if approach == "self_consistency":
            return  # a connection that ends without an answer
        for stream in (False, True):
            body = json.dumps(asked | {{"max_tokens": 8, "stream": stream}}).encode()
            urllib.request.urlopen(given["base-url"] + "/chat/completions", body).read()
        message = {{"content": "Here:\\n```python\\ndef add(a, b):\\n    return a + b\\n```"}}
        self.answer({{"choices": [{{"message": message}}]}})

    def answer(self, value, status=200):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(value).encode())

HTTPServer(("127.0.0.1", int(given["port"])), Handler).serve_forever()
"""
ADD = {
    "task_id": "x/1",
    "prompt": "Write add.",
    "entry_point": "add",
    "test": "def check(candidate):\n    assert candidate(2, 2) == 4\n",
}


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    program, problems = tmp_path / "optillm", tmp_path / "p.jsonl"
    program.write_text(OPTILLM)
    program.chmod(0o700)
    problems.write_text(json.dumps(ADD) + "\n" + json.dumps(ADD | {"task_id": "x/2"}) + "\n")
    given = {"model": DIRECTORY / "coder.gguf", "problems": problems, "optillm": program}
    given |= {"results": tmp_path / "r.jsonl", "arms": "bon@optillm,moa@optillm"}
    return [f"--{name}={value}" for name, value in given.items()]


def test_an_approach_is_scored_and_counted_and_goes_on_where_it_was(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The answer is taken out of its words and executed; calls and tokens are the server's; an
    error is a wrong answer with its reason; what stands in the file is not asked again."""
    for limit in ("1", "2"):
        monkeypatch.setattr(sys, "argv", ["beside_optillm", *words, f"--limit={limit}"])
        beside_optillm.main()
    rows = list(ResultFile(tmp_path / "r.jsonl").results())
    asked = [(row["problem"], row["arm"].removesuffix("@optillm")) for row in rows]
    assert sorted(asked) == [("x/1", "bon"), ("x/1", "moa"), ("x/2", "bon"), ("x/2", "moa")]
    wrong, right = sorted(rows[:2], key=lambda row: row["passed"])
    assert right["passed"] and right["calls"] == 2 and right["revision"].endswith("optillm 9.8.7")
    assert 2 <= right["output_tokens"] <= 16 and right["prompt_tokens"] > 0
    assert (
        not wrong["passed"]
        and wrong["error"] == 'HTTP 500: {"error": "no"}'
        and wrong["calls"] == 0
    )
    assert "| bon@optillm | 2/2 | 34%–100% |" in capsys.readouterr().out


def test_a_broken_answer_is_a_wrong_one(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that ends, or an answer without any: the others are measured all the same."""
    arms = "self_consistency@optillm,plansearch@optillm"
    monkeypatch.setattr(sys, "argv", ["x", *words, "--limit=1", f"--arms={arms}"])
    beside_optillm.main()
    said = [row["error"] for row in ResultFile(tmp_path / "r.jsonl").results()]
    assert said == [
        "the connection broke (ServerDisconnectedError)",
        'no answer in it: {"choices": []}',
    ]
