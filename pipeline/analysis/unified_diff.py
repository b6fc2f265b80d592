"""Unified diffs of two versions of a code. Pure."""

from pipeline.analysis.line_matcher import LineMatcher


def unified(before: str, after: str) -> str:
    """ "" where nothing is different. A last line without its end is marked, as diff does it."""
    if before == after:
        return ""
    old, new = _lines(before), _lines(after)
    rows = ["--- original\n", "+++ modified\n"]
    for group in LineMatcher(old, new).get_grouped_opcodes():
        _, i, _, k, _ = group[0]
        _, _, j, _, m = group[-1]
        rows.append(f"@@ -{_range(i, j)} +{_range(k, m)} @@\n")
        for tag, i, j, k, m in group:
            rows += [_row(" " if tag == "equal" else "-", line) for line in old[i:j]]
            rows += [_row("+", line) for line in new[k:m] if tag != "equal"]
    return "".join(rows)


def _range(start: int, end: int) -> str:
    """Lines from 1; of none, the line before them."""
    count = end - start
    return f"{start + 1}" if count == 1 else f"{start + bool(count)},{count}"


def _row(mark: str, line: str) -> str:
    end = "" if line.endswith("\n") else "\n\\ No newline at end of file\n"
    return f"{mark}{line}{end}"


def _lines(text: str) -> list[str]:
    """By line feeds alone: other separators may stand in a string."""
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])
