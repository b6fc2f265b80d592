"""Evidence from running drafts in other languages than Python."""

import asyncio
import re

from pipeline import sandbox
from pipeline.run import Run
from pipeline.sandbox import INTERPRETERS, CaseResult

# What a browser, a script of its page, a test runner, a bundler or the program around a part of it
# (a route of Express) has, and Node has not.
_ELSEWHERE = re.compile(
    r"(?<![\w$])(?:document|window|self|navigator|location|localStorage|sessionStorage|alert|prompt|confirm"
    r"|customElements|Image|XML\w*|(?:request|cancel)\w+|HTML\w*|SVG\w*|chrome|browser|history|screen"
    r"|addEventListener|matchMedia|getComputedStyle|inner(?:Width|Height)|scroll(?:To|By)|indexedDB"
    r"|(?:Intersection|Mutation|Resize)Observer|\w+Event|EventSource|Node|Element|Option|DOMParser|CSS"
    r"|FileReader|Audio|(?:webkit)?AudioContext|Worker|WebSocket|importScripts|caches|Notification"
    r"|speechSynthesis|Speech\w+|webkitSpeech\w+|ImageData|Path2D|OffscreenCanvas|MediaRecorder"
    r"|React|ReactDOM|jQuery|\$|_|Vue|angular|Alpine|Chart|THREE|PIXI|Phaser|d3|L|axios|io|gsap|moment"
    r"|bootstrap|google|firebase|Swal|createCanvas|cy"
    r"|app|router|fastify|server|socket|client|bot|db|pool|knex|prisma|mongoose|passport"
    r"|pm|Cypress|SpreadsheetApp|DriveApp|Logger|GM_\w+|define|tf|ml5|marked|hljs|Handlebars|Backbone"
    r"|describe|it|test|expect|jest|vi|before(?:Each|All)?|after(?:Each|All)?|Deno|Bun"
    r"|require|module|exports|__dirname|__filename) is not defined"
)
# What can only come of the program, and what it may take from outside.
_OF_PROGRAM = re.compile(r"Assignment to constant variable")
_OUTSIDE = re.compile(
    r"\b(?:require|import|process|document|window|globalThis|fetch|navigator|Deno|Bun|localStorage"
    r"|throw)\b"
)
_MARKUP = re.compile(r"</|/>")
# What was read, such as an empty input, is no text of that kind.
_OF_INPUT = re.compile(r"\bJSON\b|\bto a BigInt\b")
_READS = re.compile(r"\b(?:stdin|process|readFile(?:Sync)?|readline|Deno|Bun)\b|\bfs\b")
_PLACEHOLDER = re.compile(r"<([a-z][\w-]*)>")  # `git clone <url>`: for whoever types it to fill in
_BASH_ERROR = re.compile(r"line (\d+): (.*)")


def is_javascript_fault(imported: CaseResult, program: str) -> bool:
    """Whether what was raised while a program was loaded is its own fault: syntax that is no
    markup's (JSX) nor of what it reads, names that nothing defines and a browser has not, and types
    of what is all its own. Else it can come of a missing package, argument, page or network."""
    if "SyntaxError" in imported.raised:
        of_input = _OF_INPUT.search(imported.error) and _READS.search(program)
        return not (of_input or _MARKUP.search(program))
    if _OF_PROGRAM.search(imported.error):
        return True
    if "TypeError" in imported.raised:
        return not _OUTSIDE.search(program)
    return "ReferenceError" in imported.raised and not _ELSEWHERE.search(imported.error)


async def script_error(run: Run, script: str) -> str | None:
    """Why Bash cannot read a script, which it does without running it; one step of the record. None
    where it can, or where there is no time to find out. Raises SandboxUnavailable."""
    file, limits = INTERPRETERS["bash"].file, sandbox.Limits.of(run.settings)
    read = ["bash", *(("-O", "extglob") if "extglob" in script else ()), "-n", file]
    with run.step("sandbox", "syntax"):
        try:
            async with asyncio.timeout_at(run.deadline):
                filled = _PLACEHOLDER.sub(r"\1", script)
                outcome = await sandbox.run({file: filled}, read, limits)
        except TimeoutError:
            return None
    found = _BASH_ERROR.search(outcome.stderr)
    if outcome.ended != "exited" or not outcome.exit or not found:
        return None
    return f"syntax error at line {found[1]} ({found[2][:200]})"
