"""A session with a shell, or with Python → the commands in it. Pure."""

import re

# Labels of blocks: what to type, and what was typed.
SHELLS = frozenset(("bash", "bat", "powershell", "zsh"))
SESSIONS = frozenset(("console", "powershell-session", "sh-session", "shell-session", "terminal"))
_PROMPTS = {
    "bash": re.compile(r"(?:[\w.-]{1,64}@[\w.-]{1,64}:[^\n$#]{0,200})?\$ (?=\S)(?!.*\$\s*$)"),
    "powershell": re.compile(r"PS(?: [^>\n]{1,200})?> (?=\S)"),
    "bat": re.compile(r"[A-Z]:\\[^>\n]{0,200}> ?(?=\S)"),
}
_TYPED = re.compile(r"(?:>>>|\.\.\.)(?: |$)")
_GOES_ON = {"bash": "\\", "powershell": "`", "bat": "^"}


def commands(text: str) -> tuple[str, str] | None:
    """The commands without the prompts that stand before them, and without what they printed, and
    the shell's language; None where the first of them has no prompt. With a document within a
    command nothing tells where what is printed begins: it is kept."""
    lines = text.strip().splitlines()
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    shell = next((name for name, prompt in _PROMPTS.items() if prompt.match(first)), "")
    if not shell:
        return None
    has_document = "<<" in text
    kept, goes_on = list[str](), has_document
    for line in lines:
        prompt = _PROMPTS[shell].match(line)
        if prompt or goes_on or line.startswith("#") or not line.strip():
            kept.append(line[prompt.end() :] if prompt else line.removeprefix("> "))
            goes_on = has_document or line.endswith(_GOES_ON[shell])
    return "\n".join(kept) + "\n", shell


def python_lines(text: str) -> str | None:
    """What was typed at Python's own prompt, with what it printed as comments; None where the text
    is no such session."""
    lines = text.strip().splitlines()
    if not lines or not lines[0].startswith(">>>"):
        return None
    typed = [_TYPED.sub("", line) if _TYPED.match(line) else _printed(line) for line in lines]
    return "\n".join(typed) + "\n"


def _printed(line: str) -> str:
    return f"# {line}" if line.strip() else ""
