"""`laios models pull` without Ollama: model files, from Hugging Face or any address."""
