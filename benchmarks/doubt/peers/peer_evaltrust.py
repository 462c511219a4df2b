"""Asks evaltrust about evaluations; runs in its own environment. Lines in and out: see ../__main__.py.

Said is each finding that warns or fails, but not those on how the result came out: whether the candidate wins
(decision, effect size), how many examples that takes (precision), how much trials differ. A clean evaluation
need not show a winner. A file that it does not know is "unread", a complaint about one that it does is an
alarm. A table with a column of runs gets the column `model`, without which evaltrust takes runs for a model.
"""

import csv
import json
import sys
import tempfile
from pathlib import Path

import evaltrust
from evaltrust.adapters.registry import UnknownFormatError

OF_THE_RESULT = {
    "decision",
    "effect_size",
    "precision",
    "single_precision",
    "rerun_stability",
    "measurement_variance",
}


def rewritten(file: str, folder: str) -> str:
    if not file.endswith(".csv"):
        return file
    with open(file, newline="", encoding="utf-8") as source:
        head, *rows = csv.reader(source)
    if "model" in head or "run" not in head:
        return file
    target = Path(folder, Path(file).name)
    with target.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([[*head, "model"], *([*row, Path(file).stem] for row in rows)])
    return str(target)


def said(files: list[str]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        try:
            files = [rewritten(file, folder) for file in files]
            report = evaltrust.audit(files if len(files) > 1 else files[0]).to_dict()
        except UnknownFormatError:
            return ["unread"]
        except Exception as error:  # a refusal, in words
            return [f"refused: {type(error).__name__}: {error}"[:200]]
    return [
        f"{finding['details'].get('check')}: {finding['title']}"
        for finding in report["findings"]
        if finding["status"] in ("WARN", "FAIL") and finding["details"].get("check") not in OF_THE_RESULT
    ]


for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"key": asked["key"], "said": said(asked["files"])}), flush=True)
