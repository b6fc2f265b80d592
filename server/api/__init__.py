"""The native HTTP API (DESIGN A2): its routes, what they take, and their document."""
