"""What `check` found, for a terminal and as a document."""

from typing import Any

from rich.console import Console
from rich.text import Text

from fairtrial.report.documents import plainly
from fairtrial.schema.checked import Checked
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

_SHOWN = 8
"""Ids named of the cases that a null agent passes; all of them are in the JSON document."""


def check_document(found: Checked) -> dict[str, Any]:
    """`status` is `ok` or `refused`; the rest is what was found."""
    document: dict[str, Any] = plainly(found)
    return {"status": "ok" if found.good else "refused"} | document


def show_check(console: Console, found: Checked) -> None:
    """One line a remark (place first, so that editors jump there), then golden samples and null agents."""
    for remark in found.remarks:
        error = remark.severity == "error"
        word = say("error", "错误") if error else say("hint", "提示")
        line = Text(visible(f"{remark.where}: ")).append(word, style="bold red" if error else "yellow")
        line.append(visible(f": {remark.what}" + (f" ({remark.how})" if remark.how else "")))
        console.print(line, soft_wrap=True)
    if found.null_agents is not None:
        _show_null_agents(console, found)
    errors = sum(remark.severity == "error" for remark in found.remarks)
    if errors:
        many = "1 error" if errors == 1 else f"{errors} errors"
        text = say(f"{many}; nothing was called", f"{errors} 处错误；尚未发起任何调用")
    else:
        text = say(f"{found.cases} cases can be run; ", f"{found.cases} 个用例可以运行；") + (
            say(f"{found.golden} golden samples agree", f"{found.golden} 个金标准样本一致")
            if found.golden
            else say("no golden samples", "没有金标准样本")
        )
        if found.references:
            n = found.references
            text += say(f"; references that pass: {n}", f"；{n} 个用例的参考答案通过")
    console.print(Text(text, style="bold red" if errors else "bold green"))


def _show_null_agents(console: Console, found: Checked) -> None:
    for kind, passed in (found.null_agents or {}).items():
        share = len(passed) / found.cases if found.cases else 0.0
        names = ", ".join(passed[:_SHOWN]) + (" …" if len(passed) > _SHOWN else "")
        text = say(
            f"null agent {kind}: passes {len(passed)} of {found.cases} ({share:.0%})",
            f"空 Agent {kind}：通过 {len(passed)}/{found.cases}（{share:.0%}）",
        )
        if passed:
            ratio = found.nothing[kind].ret_ratio if found.nothing else None
            if ratio is not None:
                text += say(f", ret_ratio {ratio:.3f}", f"，ret_ratio {ratio:.3f}")
            text += say(": ", "：") + names
        style = "yellow" if passed else "dim"
        console.print(Text(visible(text), style=style), soft_wrap=True)
