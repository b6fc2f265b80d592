"""OpenAI's, Ollama's and Anthropic's protocols, for chat frontends and agents."""
