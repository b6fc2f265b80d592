"""Turns of agents: tools pass through, and what is written with them is checked first."""
