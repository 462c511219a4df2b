"""Readers for logs that other tools wrote."""
