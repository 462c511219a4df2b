"""Whom the examiner asks: one protocol and its adapters."""
