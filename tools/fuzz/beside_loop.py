"""Which readers of `readers.py` are called beside the event loop, in a thread or another process.

Python's own steps leave the loop its turn meanwhile; a single call into C does not. So these may
take longer in all, and none of their calls.
"""

from dashboard import highlight

BESIDE_LOOP = frozenset(
    {
        # models' replies (pipeline/code_output.py, pipeline/agents/flow.py)
        "a draft",
        "example of an answer",
        "the words beside a reply's code",
        "the blocks beside it that are asked for",
        "words that ask for input",
        "what a follow-up has lost",
        "what a draft lacks of the last answer",
        "what a request keeps",
        "code or a word about it",
        "python: syntax",
        "the code in a reply",
        "a program in steps",
        "Python of /code",
        "Rust of /code",
        "a code without tests",
        "a script that is compared",
        "Python: names",
        "names that a request knows",
        "Python: missing imports",
        "Python: another name",
        "Python: errors",
        "Python: imports",
        "changed code",
        "marks of citations",
        "links of an answer",
        "names of libraries",
        "prose",
        "steps of a final program",
        "a conversation with files",
        "a patch of an agent",
        "names that a call's file brings",
        "files that a tool has read",
        "files that calls write",
        "files that a shell has written",
        "calls by annotation",
        "what a program printed",
        "printed tables",
        "what runs printed",
        "constants of a program",
        "kinds of arguments",
        "compiled code: surroundings",
        "types of compiled languages",
        "runs of a program",
        "sessions with arrays and tables",
        "sessions with files",
        "sessions with functions",
        "sessions with nodes",
        "classes that a request shows",
        "examples of nodes",
        "a program that is changed",
        # tests (pipeline/testcases/bash_tests.py)
        "tests in Bash",
        "a report of Bash",
        # projects (pipeline/projects/)
        "forgotten imports of a project",
        "programs that a request shows",
        "tests that are skipped",
        "tests that are cut off",
        "the files that a request names",
        "the __init__.py of a package",
        "Python: a file of a project",
        "TypeScript: a file of a project",
        "TOML: a file of a project",
        # two versions
        "changes nobody planned",
        "changes nobody planned: Rust",
        "changes beyond errors",
        "unified diff",
        "equal code: Python",
        "equal code: Go",
        # pages of the dashboard
        "a record as a page",
        "diff on a page",
        *(f"highlighted: {language}" for language in set(highlight._LEXERS.values())),
        # `laios docs add`
        "words of a document",
    }
)
