"""Probes: intents of examination, and how each disturbs a case."""
