"""Asks `limen report` about evaluations; runs in its own environment. Lines in and out: see ../__main__.py.

It rules on repeated verdicts alone, in a table of its own columns: tables with a column of runs are
rewritten into that (pass from 0.5), anything else is "unread". Said is a refusal, and each check that fails.
"""

import contextlib
import csv
import io
import json
import sys
import tempfile
from pathlib import Path

from limen.cli import main


def rewritten(files: list[str], target: Path) -> bool:
    with target.open("w", newline="", encoding="utf-8") as out:
        table = csv.writer(out)
        table.writerow(["model", "task", "item_id", "draw_id", "verdict", "model_version"])
        for file in files:
            with open(file, newline="", encoding="utf-8") as source:
                rows = csv.DictReader(source)
                if not rows.fieldnames or "run" not in rows.fieldnames:
                    return False
                for row in rows:
                    score = row["score"]
                    verdict = str(int(float(score) >= 0.5)) if score.replace(".", "", 1).isdigit() else score
                    table.writerow(
                        [Path(file).stem, "t", row["id"], row["run"], verdict, row.get("model", "")]
                    )
    return True


def failing(value: object, name: str = "") -> list[str]:
    if isinstance(value, dict):
        mine = [name] if value.get("state") in ("FAIL", "FAILED", "DEFECT", "DRIFT") else []
        return mine + [word for key, item in value.items() for word in failing(item, f"{name}/{key}")]
    if isinstance(value, list):
        return [word for item in value for word in failing(item, name)]
    return []


def said(files: list[str]) -> list[str]:
    if not files[0].endswith(".csv"):
        return ["unread"]
    out, err = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder, "long.csv")
        if not rewritten(files, table):
            return ["unread"]
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                main(["report", str(table), "--out", f"{folder}/out", "--json", "--replicates", "50"])
        except SystemExit:
            pass
        except Exception as error:  # a crash is heard, if not understood
            return [f"refused: {type(error).__name__}: {error}"[:200]]
    text = out.getvalue()
    if "{" not in text:
        return [f"refused: {err.getvalue().strip()[-200:]}"]
    return failing(json.loads(text[text.index("{") : text.rindex("}") + 1]))


for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"key": asked["key"], "said": said(asked["files"])}), flush=True)
