"""The daemon as the servers that chat frontends know: OpenAI's protocol and Ollama's."""
