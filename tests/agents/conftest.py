from collections.abc import AsyncIterator

import pytest
from fake_server import FakeServer


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer() as running:
        yield running
