"""A process that repairs the JSON on its stdin; it imports no more than that takes."""

import json
import sys

from json_repair import repair_json


def main() -> None:
    text = sys.stdin.buffer.read().decode("utf-8", "replace")
    value = repair_json(text[text.index("{") :], return_objects=True, skip_json_loads=True)
    sys.stdout.write(json.dumps(value))
