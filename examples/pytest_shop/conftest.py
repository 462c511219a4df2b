"""What the tests share: where the agent's own modules lie, and how its intent is read."""

import sys
from pathlib import Path

import pytest

# The agent imports its neighbours (`desk`, `tools` …) by name.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shop"))


@pytest.fixture(scope="session")
def fairtrial_intent():
    """The agent calls a wish to follow a parcel `track`; these tests call it `query`, as their authors do."""

    def intent(turn):
        told = (turn.state or {}).get("intent")
        return "query" if told in ("track", "status") else told

    return intent
