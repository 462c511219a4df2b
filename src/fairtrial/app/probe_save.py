"""The shrunk cases of an examination, put behind those of a file that people keep."""

import os
from pathlib import Path

from fairtrial.cases.load import load, load_or_refuse
from fairtrial.errors import BadInput, CannotRun
from fairtrial.report.probe import as_yaml
from fairtrial.schema.weakness import WeaknessMap
from fairtrial.text.language import say


def require_savable(file: Path) -> None:
    """Whether cases can be put behind those of `file`, YAML, that may not be there yet. Raises BadInput."""
    if file.suffix not in (".yaml", ".yml"):
        raise BadInput(
            say("cases are saved as YAML", "用例以 YAML 保存"),
            where=f"--save {file}",
            how=say("name a file .yaml", "请给出 .yaml 文件"),
        )
    if file.exists():
        load_or_refuse([file])


def save_cases(found: WeaknessMap, file: Path) -> int:
    """Append the shrunk cases that `file` has not; how many. All or nothing. Raises CannotRun."""
    before = file.read_text("utf-8") if file.exists() else ""
    known = {case.id for case in load_or_refuse([file]).cases} if before.strip() else set()
    cases = [one.shrunk.case for one in found.weaknesses if one.shrunk]
    new = [case for case in {case["id"]: case for case in cases}.values() if case["id"] not in known]
    if not new:
        return 0
    whole = file.with_name(f".{file.stem}.saving{file.suffix}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        whole.write_text(
            before + ("" if before.endswith("\n") or not before else "\n") + as_yaml(new), "utf-8"
        )
        loaded = load([whole]).case_set
        if loaded is None or len(loaded.cases) != len(known) + len(new):
            raise CannotRun(
                say("cases cannot be put behind what it holds", "无法在其内容之后追加用例"),
                where=str(file),
                how=say("make it a plain list; the cases are in the log", "请写成普通列表；用例在日志中"),
            )
        os.replace(whole, file)
    finally:
        whole.unlink(missing_ok=True)
    return len(new)
