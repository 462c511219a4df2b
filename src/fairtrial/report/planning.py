"""Plans and calibrations for a terminal and as JSON documents."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fairtrial.report.documents import Document, plainly
from fairtrial.report.terminal import number
from fairtrial.report.words import Words
from fairtrial.schema.planning import Alignment, Calibrated, Calibration, NoiseFloor, Power
from fairtrial.text.language import say
from fairtrial.text.normalise import visible


def power_document(found: Power) -> Document:
    """What `power` prints."""
    return {"status": "planned", **plainly(found)}


def calibration_document(found: Calibration) -> Document:
    """What `calibrate` prints."""
    return {"status": "proposed", **plainly(found)}


def show_power(console: Console, found: Power) -> None:
    """The table over trials, what the planned run can show, and what it would cost."""
    of = found.variances
    head = say(
        f"to show a difference of {100 * found.difference:g} points with a chance of {found.power:g} "
        f"(two-sided 5 %), on each side:",
        f"要以 {found.power:g} 的把握（双侧 5%）看出 {100 * found.difference:g} 个百分点的差异，两侧各需：",
    )
    console.print(Text(head, style="bold"), soft_wrap=True)
    table = Table(box=None, header_style="dim")
    names = (
        say("trials", "重复"),
        say("cases", "用例"),
        say("sessions", "会话"),
        say(f"{found.cases} cases show", f"{found.cases} 个用例可见"),
    )
    for name in names:
        table.add_column(name, justify="right")
    for row in found.table:
        trials, sessions = ("∞" if value is None else str(value) for value in (row.trials, row.sessions))
        table.add_row(trials, str(row.cases), sessions, points(row.detectable))
    console.print(table)
    console.print(Text(found.meaning, style="bold"), soft_wrap=True)
    cost = say("unknown", "未知") if found.cost is None else f"{found.cost:.4g}"
    seconds = say("unknown", "未知") if found.seconds is None else f"{found.seconds:,.1f} s"
    spent = say(
        f"  {found.sessions} sessions; time {seconds}, cost {cost}",
        f"  {found.sessions} 个会话；时间 {seconds}，费用 {cost}",
    )
    console.print(Text(spent), soft_wrap=True)
    basis = say(
        f"  ω² {of.omega2:.4f}, σ² {of.sigma2:.4f}, design effect {of.design_effect:.2f}: {of.method}",
        f"  ω² {of.omega2:.4f}，σ² {of.sigma2:.4f}，设计效应 {of.design_effect:.2f}：{of.method}",
    )
    console.print(Text(visible(basis), style="dim"), soft_wrap=True)


def points(difference: float) -> str:
    """A difference in points; one above 100 is none that could be."""
    return f"{100 * difference:.1f}" if difference <= 1 else "–"


def show_calibration(console: Console, found: Calibration) -> None:
    """Set by set: the noise floor, |r| beside its history, and the proposed lines."""
    for one in found.sets:
        _set(console, one)
    for left in found.left_out:
        name = left.set or say("(no name)", "（无名）")
        line = say(
            f"left out: {name}, {left.mode} ({left.rounds} rounds): {left.why}",
            f"未计入：{name}，{left.mode}（{left.rounds} 轮）：{left.why}",
        )
        console.print(Text(visible(line), style="dim"), soft_wrap=True)
    console.print(Text(say("proposal: ", "提案：") + visible(found.file)), soft_wrap=True)
    follow = say(
        "Lines that follow the spread call usual whatever was usual. Leave out those that you do not want, "
        "then `fairtrial calibrate --accept FILE --who NAME`.",
        "跟随离散的线把一贯如此当作正常。删去不想要的，然后 `fairtrial calibrate --accept FILE --who NAME`。",
    )
    console.print(Text("→ " + follow, style="italic"), soft_wrap=True)


def _set(console: Console, one: Calibrated) -> None:
    name = one.set or say("(no name)", "（无名）")
    head = say(
        f"{name}, {one.mode}: {one.rounds} rounds ({one.refused} refused), {one.cases} cases",
        f"{name}，{one.mode}：{one.rounds} 轮（{one.refused} 轮被拒），{one.cases} 个用例",
    )
    console.print(Text(visible(head), style="bold"), soft_wrap=True)
    if one.scorers > 1:
        mixed = say(
            f"  scored by {one.scorers} versions of the scorer: `fairtrial rescore` them alike first",
            f"  由 {one.scorers} 个版本的评分器评分：请先用 `fairtrial rescore` 统一",
        )
        console.print(Text(mixed, style="yellow"), soft_wrap=True)
    console.print(Text("  " + _noise(one.noise_floor)), soft_wrap=True)
    if one.noise_floor is not None and one.noise_floor.drifts:
        drift = say(
            "the largest seen is more than twice the floor: that is drift between the rounds, not noise, and "
            "the lines that follow the spread must not be taken from it",
            "实际最大差超过下限的两倍：这是轮次之间的漂移，不是噪声，不可据此采用跟随离散的线",
        )
        console.print(Words(Text(drift, style="yellow"), indent=2))
    if one.alignment is not None:
        console.print(Text("  " + _alignment(one.alignment)), soft_wrap=True)
    table = Table(box=None, header_style="dim")
    for title in (
        say("line", "认错线"),
        say("now", "现为"),
        say("proposed", "提议"),
        say("95 % of redrawn", "重抽的 95%"),
    ):
        table.add_column(title, justify="left" if title in ("line", "认错线") else "right")
    table.add_column(say("follows", "依据"))
    words = {"spread": say("the spread", "离散"), "power": say("power", "功效")}
    for line in one.lines:
        interval = "" if line.low is None else f"[{number(line.low)}, {number(line.high)}]"
        looser = say(", more lenient", "，更宽松") if line.looser else ""
        if line.line == "few_cases" and line.threshold > one.cases:
            looser = say(", more than the set has", "，超过问题集的用例数")
        table.add_row(
            line.line, f"{line.now:g}", f"{line.threshold:g}", Text(interval), words[line.follows] + looser
        )
    console.print(table)


def _noise(found: NoiseFloor | None) -> str:
    if found is None:
        return say(
            "noise floor: unknown, no two rounds share a fingerprint; run the unchanged agent again",
            "噪声下限：未知，没有两轮指纹相同；请让未改动的 Agent 再跑一轮",
        )
    return say(
        f"noise floor: {points(found.floor)} points between two rounds of an unchanged agent (95 %; "
        f"{found.pairs} pairs of {found.cases} cases or more; seen: up to {points(found.seen)})",
        f"噪声下限：未改动的 Agent 两轮之间 {points(found.floor)} 个百分点（95%；"
        f"{found.pairs} 对，每对至少 {found.cases} 个用例；实际最大 {points(found.seen)}）",
    )


def _alignment(found: Alignment) -> str:
    usual = (
        say("its history is too short to say more", "历史太短，无法再说")
        if found.usual_low is None
        else say(
            f"usually {number(found.usual_low)} to {number(found.usual_high)}"
            + (", so this is unusual" if found.unusual else ""),
            f"通常在 {number(found.usual_low)} 至 {number(found.usual_high)}"
            + ("，因此这次反常" if found.unusual else ""),
        )
    )
    doubled = {
        None: say("too few pairs to halve", "数对太少，无法对半"),
        True: say(
            f"doubling the sample from r = {number(found.half)} kept it",
            f"样本由半（r = {number(found.half)}）翻倍后保持",
        ),
        False: say(
            f"doubling the sample changed it from {number(found.half)}: noise",
            f"样本翻倍后由 {number(found.half)} 变了：是噪声",
        ),
    }
    return f"r = {number(found.r)}, n = {found.n}; {usual}; {doubled[found.kept]}"
