"""Plain score tables: one row a trial, with at least an id and a score."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

from fairtrial.errors import BadInput
from fairtrial.records.fingerprint import part
from fairtrial.records.interop.cells import Cells, cells_of, names_of
from fairtrial.records.interop.content import Content
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.interop.marks import NoScore, given, mark, withheld
from fairtrial.records.interop.shapes import plain
from fairtrial.schema.audit import Fault
from fairtrial.schema.fingerprint import Part, PartName
from fairtrial.schema.record import Failure, Record, Status, Turn
from fairtrial.schema.score import About, Row, Score
from fairtrial.text.language import say
from fairtrial.text.normalise import fold

FORMAT = "table"

_NAMES = {
    "id": "id case case_id task task_id instance instance_id sample_id question_id item_id test_id problem_id"
    " example_id 编号 题号 用例 用例编号 样本编号",
    "score": "score reward value passed pass correct is_correct success resolved result"
    " 得分 分数 评分 结果 正确 是否正确 通过 是否通过",
    "trial": "trial trial_id run run_id repeat epoch attempt iteration seed 轮次 重复 次数 第几次",
    "cluster": "cluster cluster_id group group_id source source_id template 来源 分组 簇",
    "bucket": "bucket category domain subset 类别 分类 分桶",
    "task_type": "task_type type 任务类型 类型",
    "input": "input question prompt query instruction 问题 输入 提问",
    "output": "output answer response reply completion prediction 回答 输出 回复",
    "expected": "expected reference gold target ground_truth expected_output 标准答案 参考答案 期望",
    "status": "status 状态",
    "error": "error error_message exception 错误信息 异常",
    "model": "model model_name model_id 模型",
    "weight": "weight 权重",
}
_KNOWN = {column: tuple(names.split()) for column, names in _NAMES.items()}

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
_STATUSES = {word: status for status, words in _STATUS.items() for word in words.split()} | {
    "": Status.completed
}
_NO_ERROR = frozenset(("", "none", "null", "false", "0", "no", "否", "无", "nan"))


def matches(content: Content) -> bool:
    """Whether it is a table: a CSV of several columns, or objects with an id and a score."""
    if content.kind == "zip":
        return False
    names = names_of(content)
    return len(names) > 1 if content.kind == "csv" else _named(names).keys() >= {"id", "score"}


def read(content: Content) -> Foreign:
    """The rows of a table, in its order. Raises BadInput where no column, or more than one, is id or score.

    A row whose score is none stays as one without a value, and a Fault says why. Ids stay as written. Where
    no column tells trials apart (`told["trial_column"]` False), the n-th row of an id is its n-th trial.
    """
    if content.kind == "csv":  # before a file that is no table is blamed for its cells
        _used(names_of(content), content)
    cells = cells_of(content)
    used = _used(cells.names, content)
    if "cluster" in used and len(set(map(_text, cells.columns[used["cluster"]]))) < 2:
        del used["cluster"]  # of one group is everybody: it tells nobody apart
    cells, nameless = _with_ids(cells, used["id"])
    column = {name: cells.columns[at] for name, at in used.items()}
    ids = [_text(value) for value in column["id"]]
    statuses, failures, odd = _endings(cells, column)
    scores, faults = _scores(cells, ids, column["score"], statuses)
    records = map(
        _record,
        ids,
        _trials(ids, column.get("trial")),
        statuses or repeat(Status.completed),
        _turns(column, statuses),
        failures or repeat(None),
        _extras(cells, used),
    )
    abouts, weightless = _abouts(cells, ids, column)
    rows = tuple(map(_row, records, scores, abouts))
    return Foreign(
        format=FORMAT,
        rows=rows,
        faults=(*nameless, *faults, *odd, *weightless),
        parts=_parts(column.get("model")),
        told={
            "trial_column": "trial" in column,
            "columns": {name: cells.names[at] for name, at in used.items()},
        },
        raw_output=any(column.get("output", ())),
    )


def _named(names: Iterable[str]) -> dict[str, list[int]]:
    """Which columns, by position, fit each known one: in the order in which the known names stand."""
    plain = [_word(name) for name in names]
    fits = {
        column: [at for known in kinds for at, name in enumerate(plain) if name == known]
        for column, kinds in _KNOWN.items()
    }
    return {column: found for column, found in fits.items() if found}


def _record(
    case: str,
    trial: int,
    status: Status,
    turns: tuple[Turn, ...],
    failure: Failure | None,
    extra: dict[str, Any],
) -> Record:
    return Record(case=case, trial=trial, status=status, turns=turns, failure=failure, extra=extra)


def _row(record: Record, score: Score, about: About) -> Row:
    return Row(record=record, score=score, about=about)


def _used(names: Sequence[str], content: Content) -> dict[str, int]:
    """The position of each known column. Raises BadInput where id or score is none, or several."""
    used = {column: _only(names, column, found, content) for column, found in _named(names).items()}
    for column in ("id", "score"):
        if column not in used:
            there, others = ", ".join(names[:12]), ", ".join(_KNOWN[column][1:5])
            raise BadInput(
                say(f"no column is the {column}; there are: {there}", f"没有 {column} 列；现有：{there}"),
                where=_where_names(content),
                how=say(f"name it {column}, or one of: {others}", f"请命名为 {column}，或：{others}"),
            )
    return used


def _only(names: Sequence[str], column: str, found: Sequence[int], content: Content) -> int:
    """The column to take. A `score` by that name is meant so; beside an `id` a `task_id` may be the case,
    and the `id` only the row's: to take one would hide every repeat."""
    doubtful = column == "id" or (column == "score" and _word(names[found[0]]) != "score")
    if len(found) > 1 and doubtful:
        both = ", ".join(names[at] for at in found)
        raise BadInput(
            say(f"several columns could be the {column}: {both}", f"有几列都可能是 {column}：{both}"),
            where=_where_names(content),
            how=say("rename all but one of them", "请只留一列用这样的名字，其余改名"),
        )
    return found[0]


def _where_names(content: Content) -> str:
    return content.where(0) if content.kind == "csv" else str(content.path)


def _with_ids(cells: Cells, at: int) -> tuple[Cells, list[Fault]]:
    """Without the rows that have no id: they can be held against no case."""
    column = cells.columns[at]
    if all(value is not None and value != "" for value in column):
        return cells, []
    bare = {row for row, value in enumerate(column) if value is None or value == ""}
    says = say("a row without an id; left out", "此行没有编号，未计入")
    return cells.without(frozenset(bare)), [
        Fault(kind="no_id", case=None, where=cells.where(row), says=says) for row in sorted(bare)
    ]


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else plain(value)


def _trials(ids: Sequence[str], column: Sequence[Any] | None) -> Iterable[int]:
    """Trials from 0: as the column counts them from 0 or 1, else by rank of its whole numbers or by order."""
    if column is None:
        seen: dict[str, int] = {}
        numbers = []
        for case in ids:
            number = seen.get(case, 0)
            seen[case] = number + 1
            numbers.append(number)
        return numbers
    values = [_text(value).strip() for value in column]
    distinct = list(dict.fromkeys(values))
    if all(value.isascii() and value.isdigit() and len(value) < 9 for value in distinct):
        whole = {value: int(value) for value in distinct}
        first = min(whole.values(), default=0)
        if first <= 1 and max(whole.values(), default=0) < 10_000:
            return [whole[value] - first for value in values]
        distinct.sort(key=whole.__getitem__)
    number_of = {value: number for number, value in enumerate(distinct)}
    return [number_of[value] for value in values]


def _scores(
    cells: Cells, ids: Sequence[str], column: Sequence[Any], statuses: Sequence[Status] | None
) -> tuple[list[Score], list[Fault]]:
    """A score for each row, equal ones shared; and what is none. Raises BadInput for another scale."""
    why = say("score as given by the table", "分数由表格给出")
    keys = [value if isinstance(value, str | int | float | None) else _text(value) for value in column]
    known: dict[Any, Score] = {}
    wrong: dict[Any, NoScore] = {}
    for key in set(keys):
        try:
            known[key] = given(mark(key), why)
        except NoScore as error:
            known[key], wrong[key] = withheld(error.says), error
    if wrong:
        _same_scale(cells, keys, wrong)
    faults = [
        Fault(kind=wrong[key].kind, case=ids[row], where=cells.where(row), says=wrong[key].says)
        for row, key in enumerate(keys)
        if key in wrong and not (statuses and not statuses[row].counts and wrong[key].kind == "no_score")
    ]
    return [known[key] for key in keys], faults


def _same_scale(cells: Cells, keys: Sequence[Any], wrong: Mapping[Any, NoScore]) -> None:
    """Where most scores are above 1, the scale is another one, and those below 1 mean something else too."""
    above = [error.value for key in keys if (error := wrong.get(key)) and (error.value or 0.0) > 1.0]
    numbers = sum(1 for key in keys if key not in wrong or wrong[key].value is not None)
    if 2 * len(above) <= numbers:
        return
    highest = max(value for value in above if value is not None)
    raise BadInput(
        say(f"scores go up to {highest:g}, not to 1", f"分数最高为 {highest:g}，而不是 1"),
        where=str(cells.content.path),
        how=say(
            "bring them to 0 … 1: divide by the highest possible score",
            "请换算到 0 … 1：除以满分",
        ),
    )


def _endings(
    cells: Cells, column: Mapping[str, Sequence[Any]]
) -> tuple[list[Status] | None, list[Failure | None] | None, list[Fault]]:
    """How each session ended, by a status or an error column; None where the table has neither."""
    if "status" not in column and "error" not in column:
        return None, None, []
    words = [_word(value) for value in column.get("status", ())] or [""] * len(cells.places)
    errors = ["" if _word(value) in _NO_ERROR else _text(value) for value in column.get("error", ())]
    errors = errors or [""] * len(words)
    statuses, failures = [], []
    for word, error in zip(words, errors, strict=True):
        status = _STATUSES.get(word, Status.completed)
        if error and status.counts:
            status = Status.agent_error
        statuses.append(status)
        failures.append(None if status.counts else Failure(kind=word or status.value, message=error or word))
    odd = {word: row for row, word in reversed(list(enumerate(words))) if word not in _STATUSES}
    faults = [
        Fault(
            kind="unknown_status",
            case=None,
            where=cells.where(row),
            says=say(f"status {word!r} is not known; taken as completed", f"状态 {word!r} 未知，按已完成计"),
        )
        for word, row in odd.items()
    ]
    return statuses, failures, faults


def _word(value: object) -> str:
    return "" if value is None else fold(_text(value)).strip().replace(" ", "_").replace("-", "_")


def _turns(
    column: Mapping[str, Sequence[Any]], statuses: Sequence[Status] | None
) -> Iterable[tuple[Turn, ...]]:
    """One turn for each row that has an input, an output or a model."""
    if not column.keys() & {"input", "output", "model"}:
        return repeat(())
    if not column.keys() & {"input", "output"}:
        shared = {m: (Turn(user="", reply=None, model=_text(m) or None),) for m in set(column["model"])}
        return [shared[model] for model in column["model"]]
    many = len(column["id"])
    return [
        (Turn(user=_said(asked) or "", reply=_said(reply, status), model=_text(model) or None),)
        for asked, reply, model, status in zip(
            column.get("input", repeat(None, many)),
            column.get("output", repeat(None, many)),
            column.get("model", repeat(None, many)),
            statuses or repeat(Status.completed, many),
            strict=True,
        )
    ]


def _said(value: Any, status: Status = Status.completed) -> str | None:
    """An empty cell is an empty answer where one came, and none where the session failed."""
    if value is None or (value == "" and not status.counts):
        return None
    return _text(value)


def _extras(cells: Cells, used: Mapping[str, int]) -> Iterable[dict[str, Any]]:
    """The columns that are not known, by their names, and what was expected."""
    taken = set(used.values()) - {used.get("expected")}
    rest = [at for at in range(len(cells.names)) if at not in taken]
    if not rest:
        return repeat({})
    names = ["expected" if at == used.get("expected") else cells.names[at] for at in rest]
    return [
        dict(zip(names, values, strict=True))
        for values in zip(*(cells.columns[at] for at in rest), strict=True)
    ]


def _abouts(
    cells: Cells, ids: Sequence[str], column: Mapping[str, Sequence[Any]]
) -> tuple[Iterable[About], list[Fault]]:
    """What is told of the case, equal ones shared; and weights that are none."""
    groups = [name for name in ("cluster", "bucket", "task_type", "weight") if name in column]
    if not groups:
        return repeat(About()), []
    keys = list(zip(*(map(_text, column[name]) for name in groups), strict=True))
    made = {key: _about(dict(zip(groups, key, strict=True))) for key in set(keys)}
    says = say("the weight is no number above 0; taken as 1", "权重不是大于 0 的数，按 1 计")
    faults = [
        Fault(kind="bad_weight", case=ids[row], where=cells.where(row), says=says)
        for row, key in enumerate(keys)
        if not made[key][1]
    ]
    return [made[key][0] for key in keys], faults


def _about(told: Mapping[str, str]) -> tuple[About, bool]:
    """The case as the row tells of it, and whether its weight is one."""
    try:
        weight = float(told.get("weight") or 1.0)
    except ValueError:
        weight = 0.0
    good = 0.0 < weight < float("inf")
    group = {name: value for name, value in told.items() if value}
    about = About(
        weight=weight if good else 1.0,
        cluster=group.get("cluster"),
        bucket=group.get("bucket"),
        task_type=group.get("task_type"),
    )
    return about, good


def _parts(models: Sequence[Any] | None) -> Mapping[str, Part]:
    names = sorted({_text(model) for model in models or () if model})
    return {PartName.model: part(names, ", ".join(names))} if names else {}
