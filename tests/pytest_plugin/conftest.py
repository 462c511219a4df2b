"""A project of tests that examine an agent, each in a folder of its own."""

from importlib import import_module
from pkgutil import walk_packages

import pytest

import fairtrial

# Pytester forgets what a run inside this process has loaded, and parts of it do not bear to be loaded twice.
for module in walk_packages(fairtrial.__path__, "fairtrial."):
    if not module.name.endswith("__main__") and ".template" not in module.name:
        import_module(module.name)

AGENT = '''
import time


class Agent:
    """Refunds what it is asked to; silent for `slow`, busy for `busy`."""

    def __init__(self, session="", seed=0, clock=None):
        self.seen, self.order, self.seed, self.clock = 0, None, seed, clock

    def __call__(self, text):
        from fairtrial.agents.protocol import Busy, SessionFailed
        from fairtrial.schema.record import Status

        self.seen += 1
        if "slow" in text:
            time.sleep(5)
        if "busy" in text:
            raise SessionFailed(Status.rate_limited, "busy", "HTTP 429: too many requests")
        if "JD" in text:
            self.order = text[text.index("JD"):][:6]
        steps = []
        if "退款" in text or "refund" in text:
            steps.append({"step": "call", "name": "refund", "arguments": {"order": self.order}})
            said = f"已为您退款 {self.order}"
        elif "toss" in text:
            said = "heads" if self.seed % 2 else "tails"
        else:
            said = f"heard {self.seen}"
        intent = "refund" if steps else "talk"
        return {"text": said, "steps": steps, "state": {"intent": intent, "order": {"id": self.order}}}
'''

CASES = """
- id: 退款-一
  input: 我要退款 JD1111
  expect: [{rule: tool_called, tool: refund}, {rule: contains, text: JD1111}]
- id: en-hello
  input: hello
  expect: [{rule: contains, text: heard}]
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    pytester.makefile(".toml", fairtrial='[agent]\ntype = "python"\nfunction = "agent.py:Agent"\n')
    (pytester.path / "agent.py").write_text(AGENT, encoding="utf-8")
    (pytester.path / "cases").mkdir()
    (pytester.path / "cases" / "shop.yaml").write_text(CASES, encoding="utf-8")
    pytester.makeini(
        "[pytest]\naddopts = -p no:cacheprovider\nasyncio_default_fixture_loop_scope = function\n"
    )
    return pytester
