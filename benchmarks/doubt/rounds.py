"""Made evaluations: clean ones, and ones with a single defect of a known kind and size.

An evaluation is one file or two (base and candidate), as people have them: tables with a column or two more
than needed, promptfoo results, Inspect logs, a leaderboard. Whatever a defect does not touch is drawn as in a
clean one, so that a tool which cries at everything finds all defects and no clean evaluation.
"""

import csv
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp
from pathlib import Path
from typing import Any

SIZES = ("small", "medium", "large")


@dataclass(kw_only=True)
class Line:
    """One trial of a case, as a row of a table."""

    id: str
    cluster: int
    run: int
    score: float | None
    """None where there was no answer."""
    input: str
    status: str = "ok"
    output: str = ""
    model: str = "agent-1"


@dataclass(kw_only=True)
class World:
    """How an evaluation looks before anything is wrong with it: two sides, and which columns are written."""

    random: random.Random
    base: list[Line]
    candidate: list[Line]
    columns: list[str]
    trials: int
    graded: bool


def _split(words: str) -> list[str]:
    return words.split()


_WORDS = _split(
    "refund order parcel invoice address cancel delay broken size colour courier gift card coupon "
    "subscription password login receipt warranty exchange pickup store stock price discount"
)
_CHINESE = _split(
    "退款 订单 包裹 发票 地址 取消 延迟 破损 尺码 颜色 快递 礼品卡 优惠券 会员 密码 登录 收据 保修 换货 "
    "自提 门店 库存 价格 折扣"
)


def _ids(rng: random.Random, n: int) -> list[str]:
    """Names as people give them; none of the schemes hides a number of a trial, though some look like it."""
    scheme = rng.randrange(14)
    if scheme == 0:
        return [str(i + 1) for i in range(n)]
    if scheme == 1:
        return [f"q{i:04d}" for i in range(n)]
    if scheme == 2:
        return [f"{_WORDS[i % len(_WORDS)]}-{i // len(_WORDS) + 1}" for i in range(n)]
    if scheme == 3:
        return [f"{_CHINESE[i % len(_CHINESE)]}-{i // len(_CHINESE) + 1:02d}" for i in range(n)]
    if scheme == 4:
        return [f"{rng.getrandbits(64):016x}" for _ in range(n)]
    if scheme == 5:
        return [f"shop/{('单轮', '多轮')[i % 2]}/case_{i}" for i in range(n)]
    if scheme == 6:
        return [f"ch{i // 4 + 1}_q{i % 4 + 1}" for i in range(n)]
    if scheme == 7:
        return [f"gsm8k-sample-{i}" for i in range(n)]
    if scheme == 8:
        return [f"tests/{_WORDS[i % len(_WORDS)]}/test_{i}.yaml" for i in range(n)]
    if scheme == 9:
        return [f"{i // 13 + 1}.{i % 13 + 1}" for i in range(n)]  # sections: 3.1 is not 3.10
    if scheme == 10:
        return [_WORDS[i // 2 % len(_WORDS)] + str(i // 48) + ("_copy" if i % 2 else "") for i in range(n)]
    if scheme == 11:
        return [_text(rng, i % 2 == 0) for i in range(n)]
    if scheme == 12:
        return [f"第{i + 1}题" for i in range(n)]
    return [f"TC-2024-{i:05d}" for i in range(n)]


def _text(rng: random.Random, chinese: bool) -> str:
    words = rng.choices(_CHINESE if chinese else _WORDS, k=rng.randint(6, 24))
    number = rng.randint(10_000, 99_999)
    return ("".join(words) + f"，单号{number}。") if chinese else (" ".join(words) + f", number {number}?")


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-x))


def world(
    rng: random.Random, *, n: int | None = None, clustered: float = 0.0, trials: int | None = None
) -> World:
    """A clean pair. `clustered`: the standard deviation, on the logit scale, that a cluster has in common."""
    n = n or rng.choice((60, 80, 120, 200, 400, 800))
    trials = trials or rng.choice((1, 1, 3, 3, 5))
    graded = rng.random() < 0.4
    centre, spread = rng.uniform(-0.4, 1.6), rng.uniform(0.6, 1.6)
    gain = rng.choice((0.0, 0.0, 0.2, 0.5))
    per_cluster = rng.randint(4, 10)
    ids, chinese = _ids(rng, n), rng.random() < 0.5
    order = list(range(n))
    rng.shuffle(order)
    common = [rng.gauss(0, clustered) for _ in range(n // per_cluster + 1)]
    sides: tuple[list[Line], list[Line]] = ([], [])
    for i, name in enumerate(ids):
        cluster = order[i] // per_cluster
        ability = centre + rng.gauss(0, spread) + common[cluster]
        text = _text(rng, chinese)
        for side, shift in zip(
            sides, (0.0, gain + (rng.gauss(0, clustered) if clustered else 0.0)), strict=True
        ):
            for run in range(trials):
                side.append(
                    Line(
                        id=name,
                        cluster=cluster,
                        run=run,
                        score=_score(rng, ability + shift, graded),
                        input=text,
                        output=_text(rng, chinese),
                    )
                )
    columns = ["id", "score"]
    columns += ["run"] if trials > 1 or rng.random() < 0.3 else []
    columns += [c for c in ("input", "output", "status", "model") if rng.random() < 0.35]
    columns += ["group_id"] if clustered or rng.random() < 0.35 else []
    return World(random=rng, base=sides[0], candidate=sides[1], columns=columns, trials=trials, graded=graded)


def _told_apart(rng: random.Random, sides: tuple[list[Line], list[Line]]) -> None:
    """Now and then no answer came, and the table says so: no score, and not a wrong answer."""
    for side in sides:
        for line in rng.sample(side, max(1, len(side) // 100)):
            line.score, line.status, line.output = None, "timeout", ""


def _score(rng: random.Random, logit: float, graded: bool) -> float:
    p = _logistic(logit)
    if not graded:
        return float(rng.random() < p)
    rules = 5
    return sum(rng.random() < p for _ in range(rules)) / rules


def _some(w: World, lines: list[Line], share: float) -> list[Line]:
    """A share of the cases' lines, at least one case."""
    ids = list(dict.fromkeys(line.id for line in lines))
    chosen = set(w.random.sample(ids, max(1, round(share * len(ids)))))
    return [line for line in lines if line.id in chosen]


def _share(size: str, small: float, medium: float, large: float) -> float:
    return dict(zip(SIZES, (small, medium, large), strict=True))[size]


def not_finite(w: World, size: str) -> None:
    for line in _some(w, w.candidate, _share(size, 0.0, 0.02, 0.1)):
        line.score = w.random.choice((float("nan"), float("inf"), float("nan")))


def greet(w: World, size: str) -> None:
    """Sound: several sessions begin with a greeting."""
    _with(w, "input")
    greeting = w.random.choice(("你好", "Hi", "在吗？", "Hello!"))
    chosen = {line.id for line in _some(w, w.base, _share(size, 0.02, 0.05, 0.1))}
    for line in (*w.base, *w.candidate):
        if line.id in chosen:
            line.input = greeting


def speak_of_errors(w: World, size: str) -> None:
    """Sound: answers, right and wrong, about errors, and some that begin with a number like a status."""
    _with(w, "output")
    for side in (w.base, w.candidate):
        for line in w.random.sample(side, round(_share(size, 0.03, 0.1, 0.3) * len(side))):
            line.output = w.random.choice(_ABOUT_ERRORS)


_ABOUT_ERRORS = (
    "Error 404 is what the page shows when it was moved.",
    "A 429 means that you sent too many requests; wait a minute.",
    "HTTP 503 means that the service is down.",
    "Rate limits are 60 requests a minute.",
    "503 people attended the meeting.",
    "请求超时一般是网络不稳定造成的，请换个网络。",
    "抱歉，系统错误，我已为您转接人工客服。",
)


def name_the_model_twice(w: World, size: str) -> None:
    """Sound: one model, with and without its provider's name."""
    _with(w, "model")
    for line in _some(w, w.candidate, _share(size, 0.02, 0.1, 0.5)):
        line.model = "provider/agent-1"


def out_of_range(w: World, size: str) -> None:
    for line in _some(w, w.candidate, _share(size, 0.0, 0.02, 0.1)):
        line.score = w.random.choice((1.5, -0.2, 7.0, 87.0))


def duplicates(w: World, size: str) -> None:
    again = [replace(line) for line in _some(w, w.base, _share(size, 0.0, 0.03, 0.1))]
    for line in again:
        if w.random.random() < 0.5 and line.score is not None:
            line.score = 1.0 - line.score
    if "run" not in w.columns and w.trials > 1:
        w.columns.append("run")
    w.base.extend(again)


def one_name_two_spellings(w: World, size: str) -> None:
    names = list(dict.fromkeys(line.id for line in w.candidate))
    plain = {name: str(number + 1) for number, name in enumerate(names)}
    for side in (w.base, w.candidate):
        for line in side:
            line.id = plain[line.id]
    spell = w.random.choice(
        (lambda s: s + ".0", lambda s: s.zfill(len(s) + 1), lambda s: s + " ", _wide, lambda s: "\ufeff" + s)
    )
    extra = [replace(line, id=spell(line.id)) for line in _some(w, w.candidate, _share(size, 0.0, 0.05, 0.2))]
    w.candidate.extend(extra)


def _wide(name: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalnum() else c for c in name)


def clones(w: World, size: str) -> None:
    _with(w, "input")
    share = _share(size, 0.04, 0.1, 0.3)
    for side in (w.base, w.candidate):
        w.random.seed(f"{share}{side[0].id}{len(side)}")  # the same cases on both sides
        for line in _some(w, side, share):
            side.append(replace(line, id=f"x{line.id}", input=_nearly(line.input)))


def _nearly(text: str) -> str:
    """The same question in another dress: case, spaces, width, the signs of a sentence."""
    wide = text.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)})
    plain = text.replace("，", ",").replace("。", ".").replace("?", "？")
    return (f"  {text.upper()} ", text.replace(" ", "  ") + "\n", wide, plain)[len(text) % 4]


def clusters(w: World, size: str) -> None:
    """Nothing is changed: the world was drawn with clusters that have much in common."""


def saturated(w: World, size: str) -> None:
    for side in (w.base, w.candidate):
        for line in side:
            line.score = 1.0


def constant(w: World, size: str) -> None:
    value = w.random.choice((0.0, 0.5, 0.8) if size != "small" else (0.5,))
    for line in w.candidate:
        line.score = value


def dropped(w: World, size: str) -> None:
    failed = [line for line in w.candidate if (line.score or 0.0) < 0.5] or w.candidate
    gone = {line.id for line in _some(w, failed, _share(size, 0.03, 0.15, 0.5))}
    w.candidate = [line for line in w.candidate if line.id not in gone]


def disjoint(w: World, size: str) -> None:
    keep = (
        {line.id for line in _some(w, w.candidate, _share(size, 0.0, 0.0, 0.02))}
        if size == "large"
        else set()
    )
    for line in w.candidate:
        if line.id not in keep:
            line.id = f"v2-{line.id}"


def trials_as_cases(w: World, size: str) -> None:
    form = w.random.choice(_TRIALS)
    for side in (w.base, w.candidate):
        for line in side:
            line.id = line.id if form == "same" else form.format(line.id, line.run + 1)
    w.columns = [c for c in w.columns if c != "run"]


_TRIALS = (
    *("{}_t{}", "{}#{}", "{}-run{}", "{} ({})", "{}@{}", "same"),
    *("{} / attempt {}", "run{1}/{0}", "{}第{}次", "{}（第{}次）", "第{1}轮-{0}", "{}-运行{}", "{}.trial{}"),
)


def mixed_models(w: World, size: str) -> None:
    _with(w, "model")
    for line in _some(w, w.candidate, _share(size, 0.02, 0.1, 0.5)):
        line.model = "agent-1-2024-11-20"


def errors_as_wrong(w: World, size: str) -> None:
    share = _share(size, 0.03, 0.1, 0.25)
    by_status = w.random.random() < 0.5
    _with(w, "status" if by_status else "output")
    for line in _some(w, w.candidate, share):
        line.score = 0.0
        if by_status:
            line.status = w.random.choice(("timeout", "error", "rate_limited"))
        else:
            line.output = w.random.choice(
                (
                    "Error: 429 Too Many Requests",
                    "openai.RateLimitError: Error code: 429 - rate limit reached",
                    "HTTP 503 Service Unavailable",
                    "Request timed out.",
                    "错误：请求超时",
                    "网络异常，请求超时",
                    '{"error": {"code": 500, "message": "overloaded"}}',
                    "requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='api')",
                    "Traceback (most recent call last): …",
                )
            )


def _with(w: World, column: str) -> None:
    if column not in w.columns:
        w.columns.append(column)


def _nothing(w: World, size: str) -> None:
    """A clean evaluation."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of evaluation: how its world is drawn, what is done to it, and how it is written."""

    name: str
    harm: Callable[[World, str], None] = _nothing
    write: str = "tables"
    n: Callable[[random.Random, str], int | None] = lambda rng, size: None
    trials: tuple[int, ...] | None = None
    clustered: Callable[[str], float] = lambda size: 0.0


KINDS: tuple[Kind, ...] = (
    Kind(name="not finite", harm=not_finite),
    Kind(name="out of range", harm=out_of_range),
    Kind(name="duplicate ids", harm=duplicates),
    Kind(name="one id, two spellings", harm=one_name_two_spellings),
    Kind(name="clones", harm=clones),
    Kind(
        name="clusters as independent",
        harm=clusters,
        clustered=lambda size: _share(size, 1.6, 2.2, 3.0),
        n=lambda rng, size: rng.choice((200, 400, 800)),
    ),
    Kind(name="saturated and small", harm=saturated, n=lambda rng, size: rng.randint(6, 19)),
    Kind(name="constant scores", harm=constant),
    Kind(name="rows dropped by one side", harm=dropped),
    Kind(name="disjoint ids", harm=disjoint),
    Kind(name="trials as cases", harm=trials_as_cases, trials=(3, 5)),
    Kind(name="mixed models", harm=mixed_models),
    Kind(name="errors as wrong answers", harm=errors_as_wrong),
    Kind(name="missing left out of the denominator", write="inspect denominator"),
    Kind(name="scores against their own rules", write="promptfoo contradiction"),
    Kind(name="impossible values", write="leaderboard rising"),
)
CLEAN: tuple[Kind, ...] = (
    *(Kind(name="clean tables") for _ in range(8)),
    Kind(name="clean tables, clusters declared", n=lambda rng, size: rng.choice((120, 400, 800))),
    Kind(name="clean tables, greetings", harm=greet),
    Kind(name="clean tables, answers about errors", harm=speak_of_errors),
    Kind(name="clean tables, one model by two names", harm=name_the_model_twice),
    Kind(name="clean inspect", write="inspect"),
    Kind(name="clean promptfoo", write="promptfoo"),
    Kind(name="clean leaderboard", write="leaderboard"),
)


def make(kind: Kind, size: str, seed: int, folder: Path) -> list[Path]:
    """Write one evaluation into `folder`; its files, base first."""
    rng = random.Random(f"{kind.name}/{size}/{seed}")
    w = world(
        rng,
        n=kind.n(rng, size),
        clustered=kind.clustered(size),
        trials=rng.choice(kind.trials) if kind.trials else None,
    )
    kind.harm(w, size)
    folder.mkdir(parents=True, exist_ok=True)
    form, _, fault = kind.write.partition(" ")
    return _WRITERS[form](w, size if fault else "", folder)


def _tables(w: World, size: str, folder: Path) -> list[Path]:
    """Two tables, CSV with commas or semicolons or JSON Lines; the candidate's rows in any order."""
    kind = w.random.choice(("csv", "csv", "semicolon", "jsonl"))
    if w.random.random() < 0.3 and "run" in w.columns:
        w.random.shuffle(w.candidate)
    files = [folder / f"{name}.{'jsonl' if kind == 'jsonl' else 'csv'}" for name in ("base", "candidate")]
    for file, side in zip(files, (w.base, w.candidate), strict=True):
        rows = [{column: _cell(line, column) for column in w.columns} for line in side]
        with file.open("w", newline="", encoding="utf-8") as out:
            if kind == "jsonl":
                out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
                continue
            table = csv.DictWriter(out, w.columns, delimiter=";" if kind == "semicolon" else ",")
            table.writeheader()
            for row in rows:
                score = row["score"]
                table.writerow(row | {"score": "" if score is None else f"{score:g}"})
    return files


def _cell(line: Line, column: str) -> Any:
    return f"g{line.cluster}" if column == "group_id" else vars(line)[column]


def _inspect(w: World, size: str, folder: Path) -> list[Path]:
    """One Inspect log; where `size` is given, part of its samples never ended and nobody counts them."""
    names = list(dict.fromkeys(line.id for line in w.candidate))
    lost = (
        set(w.random.sample(names, round(_share(size, 0.03, 0.1, 0.3) * len(names)) or 1)) if size else set()
    )
    lines = [line for line in w.candidate if line.id not in lost and line.run == 0]
    scores = [float((line.score or 0.0) >= 0.5) for line in lines]
    mean = sum(scores) / len(scores)
    error = (mean * (1 - mean) / (len(scores) - 1)) ** 0.5
    samples = [
        {
            "id": line.id,
            "epoch": 1,
            "input": line.input,
            "target": "x",
            "messages": [
                {"role": "user", "content": line.input},
                {"role": "assistant", "content": line.output},
            ],
            "output": {
                "model": "agent-1",
                "choices": [
                    {"message": {"role": "assistant", "content": line.output}, "stop_reason": "stop"}
                ],
            },
            "scores": {"match": {"value": "C" if score else "I", "answer": line.output}},
            "metadata": {},
        }
        for line, score in zip(lines, scores, strict=True)
    ]
    log = {
        "version": 2,
        "status": "success",
        "eval": {
            "run_id": "r1",
            "created": "2024-11-05T13:31:45-05:00",
            "task": "shop",
            "task_id": "t1",
            "task_version": 0,
            "dataset": {"name": "shop", "samples": len(names), "sample_ids": names, "shuffled": False},
            "model": "agent-1",
            "model_args": {},
            "config": {"epochs": 1},
            "packages": {"inspect_ai": "0.3.60"},
        },
        "plan": {"name": "plan", "steps": [], "config": {"temperature": 0.0}},
        "results": {
            "total_samples": len(names),
            "completed_samples": len(lines),
            "scores": [
                {
                    "name": "match",
                    "scorer": "match",
                    "params": {},
                    "metrics": {
                        "accuracy": {"name": "accuracy", "value": mean, "options": {}},
                        "stderr": {"name": "stderr", "value": error, "options": {}},
                    },
                }
            ],
        },
        "stats": {"started_at": "2024-11-05T13:31:45-05:00", "completed_at": "2024-11-05T13:35:45-05:00"},
        "samples": samples,
    }
    return [_json(folder / "log.json", log)]


def _promptfoo(w: World, size: str, folder: Path) -> list[Path]:
    """One promptfoo result; where `size` is given, some scores are not what their assertions come to."""
    ids = list(dict.fromkeys(line.id for line in w.candidate))
    number = {name: i for i, name in enumerate(ids)}
    wrong = {id(line) for line in _some(w, w.candidate, _share(size, 0.0, 0.05, 0.2))} if size else set()
    rows = []
    for line in w.candidate:
        met = [w.random.random() < 0.2 + 0.7 * (line.score or 0.0) for _ in range(3)]
        score, good = sum(met) / 3, all(met)
        if id(line) in wrong:
            score, good = (0.0, False) if good else (1.0, True)
        rows.append(_promptfoo_row(line, number[line.id], met, score, good))
    passed = sum(row["success"] for row in rows)
    stats = {"successes": passed, "failures": len(rows) - passed, "errors": 0, "tokenUsage": {"total": 0}}
    results = {
        "version": 3,
        "timestamp": "2024-11-05T13:31:45.000Z",
        "prompts": [{"raw": "{{q}}", "label": "{{q}}", "id": "p0", "provider": "agent-1"}],
        "results": rows,
        "stats": stats,
    }
    document = {
        "evalId": "eval-1",
        "results": results,
        "config": {"tests": []},
        "shareableUrl": None,
        "metadata": {"promptfooVersion": "0.121.0"},
    }
    return [_json(folder / "results.json", document)]


def _promptfoo_row(line: Line, number: int, met: list[bool], score: float, good: bool) -> dict[str, object]:
    asserts = [{"type": "contains", "value": word} for word in ("a", "b", "c")]
    parts = [
        {
            "pass": m,
            "score": float(m),
            "reason": "Assertion passed" if m else "Expected output",
            "assertion": a,
        }
        for m, a in zip(met, asserts, strict=True)
    ]
    return {
        "id": f"{number}-{line.run}",
        "cost": 0,
        "latencyMs": 18,
        "gradingResult": {"pass": good, "score": score, "reason": "", "componentResults": parts},
        "prompt": {"raw": line.input, "label": "{{q}}"},
        "promptId": "p0",
        "promptIdx": 0,
        "provider": {"id": "agent-1", "label": ""},
        "response": {"output": line.output},
        "score": score,
        "success": good,
        "failureReason": 0 if good else 1,
        "testCase": {"vars": {"q": line.input}, "assert": asserts, "options": {}, "metadata": {}},
        "testIdx": number,
        "vars": {"q": line.input},
    }


def _leaderboard(w: World, size: str, folder: Path) -> list[Path]:
    """One leaderboard; where `size` is given, pass^k rises with k in some of its rows, by more or by less."""
    lines = []
    rising = set(w.random.sample(range(20), {"small": 1, "medium": 3, "large": 8}[size])) if size else set()
    for row in range(20):
        now, values = w.random.uniform(40, 90), []
        for _ in range(4):
            values.append(round(now, 1))
            now *= w.random.uniform(0.82, 0.97)
        if row in rising:
            k = w.random.randint(1, 3)
            values[k] = round(values[k - 1] + w.random.uniform(0.4, 4), 1)
        passes = {f"pass_{k + 1}": value for k, value in enumerate(values)}
        submission = {
            "model_name": f"model-{row}",
            "submission_date": "2025-06-09",
            "results": {"retail": passes},
            "methodology": {"evaluation_date": "2025-06-09"},
        }
        lines.append(json.dumps({"path": f"model-{row}.json", "submission": submission}))
    file = folder / "submissions.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [file]


def _json(file: Path, document: object) -> Path:
    file.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    return file


_WRITERS: dict[str, Callable[[World, str, Path], list[Path]]] = {
    "tables": _tables,
    "inspect": _inspect,
    "promptfoo": _promptfoo,
    "leaderboard": _leaderboard,
}
