"""The map of an examination for a terminal and as a JSON document."""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import yaml
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from fairtrial.report.documents import Document, plainly
from fairtrial.report.terminal import number
from fairtrial.report.words import Words
from fairtrial.schema.evidence import Header
from fairtrial.schema.weakness import Cell, CellState, Headline, Shrunk, Weakness, WeaknessMap
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

_TOLD = ("id", "input", "user", "disturb")
"""What a smallest case shows of itself; its rules are those of the case it comes from, and in the log."""
_WORST = (CellState.weak, CellState.open, CellState.unlikely, CellState.cleared, CellState.not_run)
_MARKS = {
    CellState.weak: ("✗", "bold red"),
    CellState.open: ("?", "yellow"),
    CellState.unlikely: ("~", "dim"),
    CellState.cleared: ("✓", "green"),
    CellState.not_run: ("·", "dim"),
}


def probe_document(header: Header, log: str) -> Document:
    """What `probe` prints."""
    return {
        "status": header.status,
        "run": header.run,
        "mode": header.mode,
        "log": log,
        "weaknesses": plainly(header.weaknesses),
        "fingerprint": plainly(header.fingerprint),
        "notes": list(header.notes),
    }


def show_map(console: Console, header: Header, log: str) -> None:
    """The verdict, the table, each weakness with its smallest case, and what the map does not say."""
    found = header.weaknesses
    if found is not None:
        console.print(Words(_verdict(found)))
        if found.cells:
            console.print()
            _show_tables(console, found.cells)
            console.print(Words(Text(_legend(found.acceptable), style="dim"), indent=2))
        for probe in dict.fromkeys(one.probe for one in found.weaknesses):
            console.print()
            _show_probe(console, [one for one in found.weaknesses if one.probe == probe], found.cells, log)
        console.print()
        for line in _rest(found):
            console.print(Words(Text(visible(line)), indent=2))
        console.print(Words(Text(_not_guaranteed(found.acceptable), style="italic"), indent=2))
    for note in header.notes:
        console.print(Text("  " + visible(note), style="dim"), soft_wrap=True)
    console.print(Text(say("log: ", "日志：") + visible(log), style="dim"), soft_wrap=True)


def _verdict(found: WeaknessMap) -> Text:
    pairs = len({(cell.group, cell.probe) for cell in found.cells})
    n = len(found.weaknesses)
    spent = say(
        f"; {found.sessions} of {found.budget} sessions, stopped: {found.stopped}",
        f"；用了 {found.sessions}/{found.budget} 个会话，停止原因：{_stopped(found.stopped)}",
    )
    if not any(cell.sessions for cell in found.cells):
        return Text(say("nothing could be examined", "没有能检验的") + spent, style="bold yellow")
    if not n:
        text = say(
            f"no weakness found in {pairs} pairs of group and probe",
            f"在 {pairs} 对（组 × 探针）中没有发现弱点",
        )
        return Text(text + spent, style="bold green")
    text = say(
        f"weak: {n} of {pairs} pairs of group and probe", f"有弱点：{pairs} 对（组 × 探针）中的 {n} 对"
    )
    return Text(text + spent, style="bold red")


def _stopped(why: str) -> str:
    return {
        "budget": "预算用完",
        "nothing left": "没有可再问的格",
        "open weakness unlikely": "不太可能还有弱点",
        "interrupted": "被中断",
        "no answer": "Agent 没有回答",
        "no case passes undisturbed": "没有用例在不加扰动时通过",
    }.get(why, why)


def _show_tables(console: Console, cells: Sequence[Cell]) -> None:
    """Probes by groups; as many groups beside each other as fit."""
    groups, probes = (
        list(dict.fromkeys(getattr(cell, name) for cell in cells)) for name in ("group", "probe")
    )
    worst = {(cell.group, cell.probe): cell for cell in sorted(cells, key=_badness, reverse=True)}
    room = console.width - max(map(cell_len, probes)) - 4
    while groups:
        taken, width = 0, 0
        while taken < len(groups) and (width := width + max(4, cell_len(groups[taken])) + 2) <= max(room, 12):
            taken += 1
        now, groups = groups[: max(taken, 1)], groups[max(taken, 1) :]
        table = Table(box=None, header_style="dim")
        table.add_column("")
        for group in now:
            table.add_column(Text(visible(group)))
        for probe in probes:
            table.add_row(probe, *(_mark(worst.get((group, probe))) for group in now))
        console.print(table)


def _badness(cell: Cell) -> tuple[int, int]:
    return _WORST.index(cell.state), cell.intensity


def _mark(cell: Cell | None) -> Text:
    if cell is None:
        return Text("")
    sign, style = _MARKS[cell.state]
    return Text(f"{sign}{cell.intensity}" if cell.state is CellState.weak else sign, style=style)


def _legend(acceptable: float) -> str:
    weak = max(0.5, acceptable + 0.3)  # the rate that was looked for
    return say(
        f"✗n weak from intensity n; ? open; ~ unlikely, by the model alone; ✓ cleared, below {weak:.2g} by "
        "its interval; · not run; blank: it fits no case. The worst intensity that was run is shown.",
        f"✗n 自强度 n 起薄弱；? 未定；~ 不太可能（仅凭模型）；✓ 已排除（区间上界低于 {weak:.2g}）；"
        "· 未运行；空白：探针不适用。显示已运行的最差强度。",
    )


def _show_probe(console: Console, weak: Sequence[Weakness], cells: Sequence[Cell], log: str) -> None:
    """A probe: where it is weak and how surely, where that goes wrong, a session to read, a case to keep."""
    by_name = {(cell.group, cell.probe, cell.intensity): cell for cell in cells}
    console.print(Text(f"✗ {visible(weak[0].probe)}", style="bold red"))
    for one in weak:
        rates = _rates(by_name[one.group, one.probe, one.intensity])
        console.print(Words(Text(visible(f"{one.group} @{one.intensity}: ") + rates, style="red"), indent=4))
    layers = Counter[str]()
    for one in weak:
        layers.update(one.layers)
    if layers:
        told = say(", ", "，").join(f"{_layer(name)} {count}" for name, count in layers.most_common())
        console.print(Words(Text(say("went wrong in: ", "出错环节：") + told), indent=4))
    for example in weak[0].examples[:1]:
        line = f"fairtrial show {shlex.quote(log)} {shlex.quote(example.case)} --trial {example.trial}"
        console.print(Text("    " + say("read: ", "查看：") + visible(line)), soft_wrap=True)
    for one in weak:
        _show_shrunk(console, one)


def _show_shrunk(console: Console, one: Weakness) -> None:
    if one.shrunk is not None:
        console.print(Words(Text(_shrunk(one.shrunk)), indent=4))
        told = {name: one.shrunk.case[name] for name in _TOLD if name in one.shrunk.case}
        console.print(Text(visible(_indented(as_yaml([told]))), style="cyan"), soft_wrap=True)
    elif one.why:
        why = say(f"no smaller case: {one.why}", f"没有更小的用例：{one.why}")
        console.print(Words(Text(visible(why), style="dim"), indent=4))


def _rates(cell: Cell) -> str:
    text = say(
        f"{cell.failures} of {cell.sessions} sessions fail, {_interval(cell.low, cell.high)}",
        f"{cell.sessions} 个会话中 {cell.failures} 个失败，{_interval(cell.low, cell.high)}",
    )
    if cell.fresh:
        text += say("; anew {} of {}", "；重新抽取 {1} 个中 {0} 个失败").format(*cell.fresh)
    if cell.control:
        text += say(", undisturbed {} of {}", "，不加扰动时 {1} 个中 {0} 个").format(*cell.control)
    return text


def _interval(low: float | None, high: float | None) -> str:
    return f"[{number(low, 2)}, {number(high, 2)}]"


def _layer(name: str) -> str:
    words = {
        "understanding": say("understanding", "理解"),
        "tool_call": say("tool call", "工具调用"),
        "tool_result": say("tool result", "工具结果"),
        "answer": say("answer", "回答"),
    }
    return words.get(name, name)


def _shrunk(found: Shrunk) -> str:
    plain = say(", undisturbed {} of {}", "，不加扰动时 {1} 个中 {0} 个").format(*found.control or "??")
    told = plain if found.control else ""
    return say(
        f"smallest case: {found.steps} of {found.of} steps; {found.failures} of {found.sessions} new "
        f"sessions fail, {_interval(found.low, found.high)}{told} (a rate, not a cause; "
        f"{found.spent} sessions):",
        f"最小用例：{found.of} 步中留下 {found.steps} 步；{found.sessions} 个新会话中 {found.failures} 个"
        f"失败，{_interval(found.low, found.high)}{told}"
        f"（这是它的失败率，不是原因；用了 {found.spent} 个会话）：",
    )


def as_yaml(cases: Sequence[Document]) -> str:
    """Cases as they stand in a YAML file."""
    return str(yaml.safe_dump(list(cases), allow_unicode=True, sort_keys=False, width=100))


def _indented(text: str) -> str:
    return "\n".join(f"      {line}" for line in text.splitlines())


def _rest(found: WeaknessMap) -> Iterator[str]:
    """What the map rests on, and what was left out."""
    yield _headline(found.headline)
    idle = sum(cell.state is CellState.not_run for cell in found.cells)
    if found.cells:
        yield say(
            f"not run: {idle} of {len(found.cells)} cells", f"未运行：{len(found.cells)} 格中的 {idle} 格"
        )
    if found.baseline:
        yield say(
            "fail undisturbed, once at least, so not used: ", "不加扰动也至少失败一次，未使用："
        ) + _listed(found.baseline)
    if found.unanswered:
        yield say("no answer undisturbed, so not used: ", "不加扰动也没有回答，未使用：") + _listed(
            found.unanswered
        )
    if found.set_aside:
        told = say(", ", "，").join(f"{name} {count}" for name, count in found.set_aside.items())
        yield say("set aside, in no figure: ", "搁置，不计入任何数字：") + told
    yield from not_tried(found.inapplicable)


def not_tried(inapplicable: Mapping[str, str]) -> list[str]:
    """The probes that cannot be tried, those of one reason in one line."""
    names: dict[str, list[str]] = {}
    for name, why in inapplicable.items():
        names.setdefault(why, []).append(name)
    return [say("not tried: ", "不试：") + ", ".join(of) + say(": ", "：") + why for why, of in names.items()]


def _listed(names: Sequence[str], most: int = 12) -> str:
    more = say(f" … {len(names) - most} more", f" ……另有 {len(names) - most} 个") if len(names) > most else ""
    return say(", ", "、").join(names[:most]) + more


def _headline(found: Headline) -> str:
    if found.rate is None:
        return say("failure rate over cells drawn by chance: unknown", "随机抽取的格的失败率：未知")
    return say(
        f"failure rate over cells drawn by chance: {found.rate:.2f} {_interval(found.low, found.high)} "
        f"({found.failures} of {found.sessions}, Clopper-Pearson); one over chosen cells means nothing",
        f"随机抽取的格的失败率：{found.rate:.2f} {_interval(found.low, found.high)}"
        f"（{found.sessions} 中 {found.failures}，Clopper-Pearson）；挑选出来的格合并成的比率没有意义",
    )


def _not_guaranteed(acceptable: float) -> str:
    return say(
        "Held: of the weaknesses named at most 5 % are expected to be none (e-BH, failure rate above "
        f"{acceptable:.2g}); intervals hold at 95 % whatever was chosen. Not guaranteed: that all were "
        "found, and the moment of the stop, which rest on a model. Of cells that were not run nothing is "
        "known.",
        f"有保证的：列出的弱点中预期至多 5% 是误报（e-BH，失败率高于 {acceptable:.2g}）；"
        "无论怎样挑选，区间都有 95% 把握。"
        "没有保证的：是否找全、何时停止，二者依赖模型。没有运行的格，一无所知。",
    )
