"""Model files without Ollama: `laios models pull` from Hugging Face or any address, and those that
other programs left on this machine."""
