"""Plain score tables: one row a trial, with at least an id and a score."""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any, TypeVar

from fairtrial.errors import BadInput
from fairtrial.records.fingerprint import part
from fairtrial.records.interop.cells import Cells, cells_of, names_of
from fairtrial.records.interop.content import Content, broken
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.interop.marks import NoScore, given, mark, withheld
from fairtrial.records.interop.shapes import plain
from fairtrial.schema.audit import Fault
from fairtrial.schema.fingerprint import PartName
from fairtrial.schema.record import Failure, Record, Status, Turn
from fairtrial.schema.score import About, Row, Score
from fairtrial.text.language import say
from fairtrial.text.normalise import fold

_NAMES = {
    "id": "id case case_id task task_id instance instance_id sample_id question_id item_id test_id problem_id"
    " example_id 编号 题号 用例 用例编号 样本编号 题目编号 问题编号 任务编号",
    "score": "score 得分 分数 评分 reward value passed pass correct is_correct success resolved result"
    " 结果 正确 是否正确 通过 是否通过 成功 是否成功",
    "trial": "trial trial_id run run_id repeat epoch attempt iteration seed 轮次 重复 次数 第几次",
    "cluster": "cluster cluster_id group group_id source source_id template 来源 分组 簇",
    "bucket": "bucket category domain subset 类别 分类 分桶 领域",
    "task_type": "task_type type 任务类型 类型",
    "input": "input question prompt query instruction 问题 题目 输入 提问",
    "output": "output answer response reply completion prediction 回答 输出 回复 模型回答 模型输出",
    "expected": "expected reference gold target ground_truth expected_output 标准答案 参考答案 期望 正确答案",
    "status": "status 状态",
    "error": "error error_message exception 错误信息 异常",
    "model": "model model_name model_id 模型 模型名称",
    "weight": "weight 权重",
}
_KNOWN = {column: tuple(names.split()) for column, names in _NAMES.items()}
_NAME = re.compile(r"\s*(?:[^\W\d][\w-]*(?:[ ./:][\w-]+){0,3})?(?: ?\([^()]*\))?\s*")
"""What a column may be called: a few words, a unit in brackets; or nothing, for an index."""
_PLAIN_SCORES = _KNOWN["score"][:4]
"""A column of such a name is meant as the score, whatever else might be one."""

_STATUS = {
    Status.completed: "ok success succeeded completed complete done finished pass passed fail failed valid"
    " 成功 完成 已完成 正常 通过 失败 未通过",
    Status.timeout: "timeout timed_out time_out 超时",
    Status.rate_limited: "rate_limited rate_limit ratelimited throttled 429 限流",
    Status.agent_error: "agent_error error errored exception crash crashed 错误 出错 异常 报错",
    Status.infra_error: "infra_error infrastructure_error 基础设施错误",
    Status.user_error: "user_error",
    Status.truncated: "truncated max_tokens length 截断",
    Status.stream_cut: "stream_cut 断流",
    Status.cancelled: "cancelled canceled skipped aborted 取消 跳过",
}
_STATUSES = {word: status for status, words in _STATUS.items() for word in words.split()}
_STATUSES[""] = Status.completed
_NO_ERROR = frozenset(("", "none", "null", "false", "0", "no", "否", "无", "nan"))

Key = TypeVar("Key", bound=Hashable)
Made = TypeVar("Made")
Columns = Mapping[str, Sequence[Any]]


def matches(content: Content) -> bool:
    """Whether it is a table: a CSV that begins with names of columns, or objects with an id and a score."""
    if content.kind == "zip":
        return False
    known = _named(names_of(content)).keys() & {"id", "score"}
    return len(known) == 2 or (content.kind == "csv" and _has_names(content, bool(known)))


def _has_names(content: Content, known: bool) -> bool:
    """Whether a CSV begins with names, and goes on with several cells: prose may have names."""
    rows = content.data[:2]
    names = known or all(_NAME.fullmatch(cell) for cell in rows[0])
    return names and all(len(row) > 1 for row in rows)


def read(content: Content) -> Foreign:
    """The rows of a table, in its order. Raises BadInput where no column, or more than one, is id or score.

    Without an id, the question is one. A row whose score is none stays as one without a value, and a Fault
    says why. Ids stay as written. Where no column tells trials apart (`told["trial_column"]` False), the n-th
    row of an id is its n-th trial.
    """
    if content.kind == "csv":  # before a file that is no table is blamed for its cells
        _used(names_of(content), content)
    cells = cells_of(content)
    used = _used(cells.names, content)
    if "cluster" in used and len(set(map(_text, cells.columns[used["cluster"]]))) < 2:
        del used["cluster"]  # of one group is everybody: it tells nobody apart
    nameless = [row for row, value in enumerate(cells.columns[used["id"]]) if value is None or value == ""]
    says = say("a row without an id; left out", "此行没有编号，未计入")
    faults = [Fault(kind="no_id", case=None, where=cells.where(row), says=says) for row in nameless]
    if len(nameless) == len(cells.places):
        raise broken(say("a table without a row that has an id", "表中没有带编号的行"), str(content.path))
    if nameless:
        cells = cells.only(sorted(set(range(len(cells.places))) - set(nameless)))
    column = {name: cells.columns[at] for name, at in used.items()}
    column |= {name: _texts(column[name], content) for name in ("id", "trial", "model") if name in column}
    endings = _endings(cells, column, faults)
    scores = _scores(cells, column, endings, faults)
    extras = _extras(cells, used)
    abouts = _abouts(cells, column, faults)
    rows = map(_row, column["id"], _trials(column), endings, _turns(column, endings), extras, scores, abouts)
    models = sorted({model for model in column.get("model", ()) if model})
    return Foreign(
        format="table",
        rows=tuple(rows),
        faults=tuple(faults),
        parts={PartName.model: part(models, ", ".join(models))} if models else {},
        told={
            "trial_column": "trial" in column,
            "columns": {name: cells.names[at] for name, at in used.items()},
        },
        raw_output=any(column.get("output", ())),
    )


Ending = tuple[Status, Failure | None]


def _row(
    case: str,
    trial: int,
    ending: Ending,
    turns: tuple[Turn, ...],
    extra: dict[str, Any],
    score: Score,
    about: About,
) -> Row:
    status, failure = ending
    record = Record(case=case, trial=trial, status=status, turns=turns, failure=failure, extra=extra)
    return Row(record=record, score=score, about=about)


def _named(names: Iterable[str]) -> dict[str, list[int]]:
    """Which columns, by position, fit each known one: in the order in which the known names stand."""
    words = [_word(name) for name in names]
    fits = {
        column: [at for known in kinds for at, name in enumerate(words) if name == known]
        for column, kinds in _KNOWN.items()
    }
    if not fits["id"]:
        fits["id"] = fits["input"]
    return {column: found for column, found in fits.items() if found}


def _used(names: Sequence[str], content: Content) -> dict[str, int]:
    """The position of each known column. Raises BadInput where id or score is none, or several.

    Beside an `id` a `task_id` may be the case, and the `id` only the row's: to take one would hide every
    repeat.
    """
    where = content.where(0) if content.kind == "csv" else str(content.path)
    found = _named(names)
    for column in ("id", "score"):
        fits = found.get(column, [])
        sure = [at for at in fits if column == "score" and _word(names[at]) in _PLAIN_SCORES] or fits
        if not sure:
            there, others = ", ".join(names[:12])[:200], ", ".join(_KNOWN[column][1:7])
            raise BadInput(
                say(f"no column is the {column}; there are: {there}", f"没有 {column} 列；现有：{there}"),
                where=where,
                how=say(f"name it {column}, or one of: {others}", f"请命名为 {column}，或：{others}"),
            )
        if len(sure) > 1:
            both = ", ".join(names[at] for at in sure)
            raise BadInput(
                say(f"several columns could be the {column}: {both}", f"有几列都可能是 {column}：{both}"),
                where=where,
                how=say("rename all but one of them", "请只留一列用这样的名字，其余改名"),
            )
    return {column: fits[0] for column, fits in found.items()}


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else plain(value)


def _texts(column: Sequence[Any], content: Content) -> Sequence[str]:
    return column if content.kind == "csv" else list(map(_text, column))


def _word(value: object) -> str:
    return fold(_text(value)).strip().replace(" ", "_").replace("-", "_")


def _each(column: Sequence[Key], make: Callable[[Key], Made]) -> list[Made]:
    """Equal cells give one and the same thing: a column has few different ones."""
    made = {key: make(key) for key in set(column)}
    return [made[key] for key in column]


def _trials(column: Columns) -> Iterable[int]:
    """Trials from 0: as the column counts them from 0 or 1, else by rank of its whole numbers or by order."""
    if "trial" not in column:
        if len(set(column["id"])) == len(column["id"]):
            return repeat(0)
        seen: Counter[str] = Counter()
        numbers = []
        for case in column["id"]:
            numbers.append(seen[case])
            seen[case] += 1
        return numbers
    values = [value.strip() for value in column["trial"]]
    distinct = list(dict.fromkeys(values))
    if all(value.isascii() and value.isdigit() and len(value) < 9 for value in distinct):
        whole = {value: int(value) for value in distinct}
        first = min(whole.values(), default=0)
        if first <= 1 and max(whole.values(), default=0) < 10_000:
            return [whole[value] - first for value in values]
        distinct.sort(key=whole.__getitem__)
    number_of = {value: number for number, value in enumerate(distinct)}
    return [number_of[value] for value in values]


def _scores(cells: Cells, column: Columns, endings: Iterable[Ending], faults: list[Fault]) -> list[Score]:
    """A score for each row, and faults for what is none. Raises BadInput for another scale."""
    why = say("score as given by the table", "分数由表格给出")
    keys = [
        value if isinstance(value, str | int | float | None) else _text(value) for value in column["score"]
    ]
    wrong: dict[Any, NoScore] = {}

    def made(key: Any) -> Score:
        try:
            return given(mark(key), why)
        except NoScore as error:
            wrong[key] = error
            return withheld(error.says)

    scores = _each(keys, made)
    if wrong:
        _same_scale(cells, keys, wrong)
        for row, (key, ending) in enumerate(zip(keys, endings, strict=False)):
            error = wrong.get(key)
            if error and (ending[0].counts or error.kind != "no_score"):  # no answer, no score
                where = cells.where(row)
                faults.append(Fault(kind=error.kind, case=column["id"][row], where=where, says=error.says))
    return scores


def _same_scale(cells: Cells, keys: Sequence[Any], wrong: Mapping[Any, NoScore]) -> None:
    """Where most scores are above 1, the scale is another one, and those below 1 mean something else too."""
    numbers = [error.value if (error := wrong.get(key)) else 0.0 for key in keys]
    known = [value for value in numbers if value is not None]
    above = [value for value in known if value > 1.0]
    if 2 * len(above) > len(known):
        raise BadInput(
            say(f"scores go up to {max(above):g}, not to 1", f"分数最高为 {max(above):g}，而不是 1"),
            where=str(cells.content.path),
            how=say("bring them to 0 … 1: divide by the highest possible score", "请换算到 0 … 1：除以满分"),
        )


def _endings(cells: Cells, column: Columns, faults: list[Fault]) -> Iterable[Ending]:
    """How each session ended, by a status or an error column."""
    if "status" not in column and "error" not in column:
        return repeat((Status.completed, None))
    many = len(cells.places)
    words = _each(list(map(_text, column.get("status", [""] * many))), _word)
    for word in dict.fromkeys(words):
        if word not in _STATUSES:
            says = say(f"status {word!r} is not known; taken as completed", f"状态 {word!r} 未知，按已完成计")
            where = cells.where(words.index(word))
            faults.append(Fault(kind="unknown_status", case=None, where=where, says=says))
    errors = map(_text, column.get("error", [""] * many))
    return _each(list(zip(words, errors, strict=True)), _ending)


def _ending(told: tuple[str, str]) -> Ending:
    word, error = told
    error = "" if _word(error) in _NO_ERROR else error
    status = _STATUSES.get(word, Status.completed)
    if error and status.counts:
        status = Status.agent_error
    return status, None if status.counts else Failure(kind=word or status.value, message=error or word)


def _turns(column: Columns, endings: Iterable[Ending]) -> Iterable[tuple[Turn, ...]]:
    """One turn for each row that has an input, an output or a model."""
    if not column.keys() & {"input", "output", "model"}:
        return repeat(())
    asked, replies, models = (column.get(name, repeat(None)) for name in ("input", "output", "model"))
    return [
        (Turn(user=_text(user), reply=_reply(reply, status), model=model or None),)
        for _, user, reply, model, (status, _) in zip(
            column["id"], asked, replies, models, endings, strict=False
        )
    ]


def _reply(value: Any, status: Status) -> str | None:
    """An empty cell is an empty answer where one came, and none where the session failed."""
    if value is None or (value == "" and not status.counts):
        return None
    return _text(value)


def _extras(cells: Cells, used: Mapping[str, int]) -> Iterable[dict[str, Any]]:
    """The columns that are not known, by their names, and what was expected."""
    expected = used.get("expected")
    rest = [at for at in range(len(cells.names)) if at == expected or at not in used.values()]
    names = ["expected" if at == expected else cells.names[at] for at in rest]
    if not rest:
        return repeat({})
    values = zip(*(cells.columns[at] for at in rest), strict=True)
    return [dict(zip(names, told, strict=True)) for told in values]


def _abouts(cells: Cells, column: Columns, faults: list[Fault]) -> Iterable[About]:
    """What is told of the case; a fault where its weight is none."""
    groups = [name for name in ("cluster", "bucket", "task_type", "weight") if name in column]
    if not groups:
        return repeat(About())
    keys = list(zip(*(_texts(column[name], cells.content) for name in groups), strict=True))
    made = _each(keys, lambda key: _about(dict(zip(groups, key, strict=True))))
    says = say("the weight is no number above 0; taken as 1", "权重不是大于 0 的数，按 1 计")
    faults += [
        Fault(kind="bad_weight", case=column["id"][row], where=cells.where(row), says=says)
        for row, (_, weighed) in enumerate(made)
        if not weighed
    ]
    return [about for about, _ in made]


def _about(told: Mapping[str, str]) -> tuple[About, bool]:
    """The case as the row tells of it, and whether its weight is one."""
    try:
        weight = float(told.get("weight") or 1.0)
    except ValueError:
        weight = 0.0
    sound = 0.0 < weight < float("inf")
    cluster, bucket, task_type = (told.get(name) or None for name in ("cluster", "bucket", "task_type"))
    weight = weight if sound else 1.0
    return About(weight=weight, cluster=cluster, bucket=bucket, task_type=task_type), sound
