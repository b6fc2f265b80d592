"""The process that carries out runs: its parts, its settings, its logs and its counts."""
