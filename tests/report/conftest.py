"""The folder and the project that the tests stand in."""

from commands import here, project

__all__ = ["here", "project"]
