"""One file per stage: its prompt, its call, its parsing."""
