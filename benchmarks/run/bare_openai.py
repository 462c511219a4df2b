"""The same loop with the official asynchronous client, as most hand-written evaluations have it.

python benchmarks/run/bare_openai.py TASKS.jsonl BASE_URL CONCURRENCY
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from openai import AsyncOpenAI


async def main(rows: list[dict[str, str]], url: str, concurrency: int) -> None:
    todo = iter(rows)
    async with AsyncOpenAI(base_url=url, api_key="none", max_retries=0) as client:
        passed = await asyncio.gather(*(worker(client, todo) for _ in range(concurrency)))
    print(f"asked {len(rows)} passed {sum(passed)}")


async def worker(client: AsyncOpenAI, todo: Iterator[dict[str, str]]) -> int:
    passed = 0
    for row in todo:
        answer = await client.chat.completions.create(
            model="mock", messages=[{"role": "user", "content": row["input"]}]
        )
        passed += row["must"] in (answer.choices[0].message.content or "")
    return passed


if __name__ == "__main__":
    tasks = [json.loads(line) for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
    asyncio.run(main(tasks, sys.argv[2], int(sys.argv[3])))
