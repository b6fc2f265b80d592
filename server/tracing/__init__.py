"""Traces of runs by OpenTelemetry (`TRACES`). Nothing of it is loaded where they are off."""
