"""OpenAI's and Ollama's protocols, for chat frontends."""
