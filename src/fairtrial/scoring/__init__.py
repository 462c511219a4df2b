"""Reads records, gives scores. Never reaches an agent."""
