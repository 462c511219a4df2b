"""The floor: ask the endpoint with aiohttp and look for one text. No log, no rules, no doubts.

python benchmarks/run/bare_aiohttp.py TASKS.jsonl BASE_URL CONCURRENCY
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import aiohttp


async def main(rows: list[dict[str, str]], url: str, concurrency: int) -> None:
    todo = iter(rows)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=concurrency)) as http:
        passed = await asyncio.gather(*(worker(http, url, todo) for _ in range(concurrency)))
    print(f"asked {len(rows)} passed {sum(passed)}")


async def worker(http: aiohttp.ClientSession, url: str, todo: Iterator[dict[str, str]]) -> int:
    passed = 0
    for row in todo:
        body = {"model": "mock", "messages": [{"role": "user", "content": row["input"]}]}
        async with http.post(f"{url}/chat/completions", json=body) as response:
            reply = (await response.json())["choices"][0]["message"]["content"]
        passed += row["must"] in reply
    return passed


if __name__ == "__main__":
    tasks = [json.loads(line) for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
    asyncio.run(main(tasks, sys.argv[2], int(sys.argv[3])))
