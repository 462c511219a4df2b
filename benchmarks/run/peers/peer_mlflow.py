"""mlflow: `mlflow.genai.evaluate` with a predict function and one scorer. It keeps a SQLite store in OUT.

The number of workers is set by MLFLOW_GENAI_EVAL_MAX_WORKERS. Arguments: TASKS.jsonl BASE_URL CONCURRENCY OUT
"""

import json
import os
import sys
from pathlib import Path

os.environ["MLFLOW_GENAI_EVAL_MAX_WORKERS"] = sys.argv[3]

import mlflow
from mlflow.genai.scorers import scorer
from openai import OpenAI


@scorer
def contains(outputs: str, expectations: dict[str, str]) -> bool:
    return expectations["must"] in outputs


def main(tasks: Path, url: str, out: str) -> None:
    rows = [json.loads(line) for line in tasks.read_text(encoding="utf-8").splitlines()]
    mlflow.set_tracking_uri(f"sqlite:///{out}/mlflow.db")
    mlflow.set_experiment("reference")
    client = OpenAI(base_url=url, api_key="none", max_retries=0)

    def ask(question: str) -> str:
        answer = client.chat.completions.create(
            model="mock", messages=[{"role": "user", "content": question}]
        )
        return answer.choices[0].message.content or ""

    data = [{"inputs": {"question": row["input"]}, "expectations": {"must": row["must"]}} for row in rows]
    result = mlflow.genai.evaluate(data=data, predict_fn=ask, scorers=[contains])
    print(f"asked {len(rows)} passed {round(result.metrics['contains/mean'] * len(rows))}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[4])
