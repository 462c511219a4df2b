"""A hook for tool calls that cannot break the agent: its failure is the examiner's."""

from typing import Any

from fairtrial.agents.protocol import Ruling, ToolHook


class Watched:
    """Lets every call pass unchanged where the hook raises, and keeps the first error."""

    def __init__(self, hook: ToolHook) -> None:
        self._hook = hook
        self.error: Exception | None = None

    def before(self, name: str, arguments: Any) -> Ruling:
        """What the hook rules."""
        try:
            return self._hook.before(name, arguments)
        except Exception as error:
            self.error = self.error or error
            return Ruling()

    def after(self, name: str, arguments: Any, result: Any) -> Any:
        """The result as the hook shows it."""
        try:
            return self._hook.after(name, arguments, result)
        except Exception as error:
            self.error = self.error or error
            return result
