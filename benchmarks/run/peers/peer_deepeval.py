"""deepeval: answers gathered with the official client, then `evaluate` with a metric that looks for a text.

Its test run is kept as JSON in OUT. Arguments: TASKS.jsonl BASE_URL CONCURRENCY OUT
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase
from openai import AsyncOpenAI


class Contains(BaseMetric):
    """1 where the expected text is in the output."""

    def __init__(self) -> None:
        self.threshold = 1.0
        self.async_mode = True
        self.verbose_mode = False

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        self.score = float((test_case.expected_output or "") in (test_case.actual_output or ""))
        self.reason = "found" if self.score else "not found"
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        return self.measure(test_case)

    def is_successful(self) -> bool:
        return bool(self.success)

    @property
    def __name__(self) -> str:
        return "Contains"


async def gather(rows: list[dict[str, str]], url: str, concurrency: int) -> list[LLMTestCase]:
    gate = asyncio.Semaphore(concurrency)
    async with AsyncOpenAI(base_url=url, api_key="none", max_retries=0) as client:

        async def ask(row: dict[str, str]) -> LLMTestCase:
            async with gate:
                answer = await client.chat.completions.create(
                    model="mock", messages=[{"role": "user", "content": row["input"]}]
                )
            return LLMTestCase(
                name=row["id"],
                input=row["input"],
                actual_output=answer.choices[0].message.content or "",
                expected_output=row["must"],
            )

        return await asyncio.gather(*(ask(row) for row in rows))


def main(tasks: Path, url: str, concurrency: int, out: str) -> None:
    rows = [json.loads(line) for line in tasks.read_text(encoding="utf-8").splitlines()]
    result = evaluate(
        asyncio.run(gather(rows, url, concurrency)),
        [Contains()],
        async_config=AsyncConfig(max_concurrent=concurrency),
        display_config=DisplayConfig(show_indicator=False, print_results=False, results_folder=out),
        cache_config=CacheConfig(write_cache=False),
    )
    print(f"asked {len(result.test_results)} passed {sum(bool(one.success) for one in result.test_results)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4])
