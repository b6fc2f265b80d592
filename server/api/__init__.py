"""The native HTTP API: its routes, their requests and its OpenAPI document."""
