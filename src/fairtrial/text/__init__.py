"""Strings in, words and matches out. Knows nothing of cases or logs."""
