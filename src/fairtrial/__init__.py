"""An independent examiner for LLM agents: it asks, scores, doubts and keeps the log."""

__version__ = "0.1.0"
