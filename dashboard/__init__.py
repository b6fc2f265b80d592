"""The history as web pages."""
