"""Writes case sets of any size: situations × orders × phrasings × languages, expectations from the data.

    python generate.py --count 400 --seed 7 --out more.jsonl

What is expected follows from the database and the written policy, worked out here a second time and
never asked of the agent or its tools. A case's id is made of its template and its words, so it is the
same whatever else is generated.
"""

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Iterator

from database import Database
from situations import TEMPLATES
from world import World

TAGS = {"multi-turn": "多轮", "memory": "记忆", "tools": "工具调用", "colloquial": "口语"}
"""The tags that have a Chinese name, which the Chinese cases carry."""


def drafts(language: str, name: str, seed: int, data: Database) -> Iterator[dict]:
    """Cases of one template and language without end; the same turns may come again."""
    function, task, tags, weight = TEMPLATES[name]
    world = World(language, random.Random(f"{seed}/{language}/{name}"), data)
    marks = [TAGS.get(tag, tag) if language == "zh" else tag for tag in tags]
    while True:
        turns, rules = function(world)
        key = hashlib.sha256(json.dumps([language, name, turns]).encode()).hexdigest()[:8]
        yield {
            "id": f"{language}-{name.replace('_', '-')}-{key}",
            "input": turns,
            "expect": rules,
            "weight": weight,
            "tags": [language, task, *marks, "generated"],
            "task_type": task,
            "cluster": f"{language}-{name.replace('_', '-')}",
        }


def generate(count: int, seed: int) -> list[dict]:
    """`count` cases with different inputs, from all templates in turn. Raises ValueError if it can not be."""
    data = Database()
    sources = [drafts(language, name, seed, data) for name in TEMPLATES for language in ("zh", "en")]
    cases: dict[str, dict] = {}
    while sources and len(cases) < count:
        for source in list(sources):
            # A template whose phrasings are used up drops out.
            tries = (next(source) for _ in range(30))
            fresh = next((case for case in tries if json.dumps(case["input"]) not in cases), None)
            if fresh is None:
                sources.remove(source)
            elif len(cases) < count:
                cases[json.dumps(fresh["input"])] = fresh
    if len(cases) < count:
        raise ValueError(f"only {len(cases)} different cases can be made, not {count}")
    return list(cases.values())


def main() -> None:
    parser = argparse.ArgumentParser(description="Write a set of shop cases as JSON lines.")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", help="a file; standard output if left out")
    options = parser.parse_args()
    lines = (json.dumps(case, ensure_ascii=False) + "\n" for case in generate(options.count, options.seed))
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            file.writelines(lines)
    else:
        sys.stdout.writelines(lines)


if __name__ == "__main__":
    main()
