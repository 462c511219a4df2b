"""pydantic-evals: one Case a task, its own `Contains`. It keeps nothing on disk.

Arguments: TASKS.jsonl BASE_URL CONCURRENCY OUT
"""

import asyncio
import json
import sys
from pathlib import Path

from openai import AsyncOpenAI
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Contains


async def main(rows: list[dict[str, str]], url: str, concurrency: int) -> None:
    cases = [
        Case(name=row["id"], inputs=row["input"], evaluators=(Contains(value=row["must"]),)) for row in rows
    ]
    async with AsyncOpenAI(base_url=url, api_key="none", max_retries=0) as client:

        async def ask(question: str) -> str:
            answer = await client.chat.completions.create(
                model="mock", messages=[{"role": "user", "content": question}]
            )
            return answer.choices[0].message.content or ""

        report = await Dataset(name="reference", cases=cases).evaluate(
            ask, max_concurrency=concurrency, progress=False
        )
    passed = sum(all(found.value for found in case.assertions.values()) for case in report.cases)
    print(f"asked {len(report.cases)} passed {passed}")


if __name__ == "__main__":
    tasks = [json.loads(line) for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
    asyncio.run(main(tasks, sys.argv[2], int(sys.argv[3])))
