"""inspect-ai: one Sample a task, `generate()` and `includes()`. It keeps its .eval log in OUT.

Arguments: TASKS.jsonl BASE_URL CONCURRENCY OUT
"""

import json
import sys
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import includes
from inspect_ai.solver import generate


def main(tasks: Path, url: str, concurrency: int, out: str) -> None:
    rows = [json.loads(line) for line in tasks.read_text(encoding="utf-8").splitlines()]
    samples = [Sample(id=row["id"], input=row["input"], target=row["must"]) for row in rows]
    [log] = eval(
        Task(dataset=samples, solver=generate(), scorer=includes()),
        model="openai/mock",
        model_base_url=url,
        model_args={"api_key": "none", "responses_api": False},
        log_dir=out,
        display="none",
        max_samples=concurrency,
        **GenerateConfig(max_connections=concurrency, max_retries=0).model_dump(exclude_none=True),
    )
    results = log.results
    if results is None:
        raise SystemExit(f"inspect-ai: {log.status} {log.error}")
    accuracy = results.scores[0].metrics["accuracy"].value
    print(f"asked {results.completed_samples} passed {round(accuracy * results.completed_samples)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4])
