"""A working project to start from, written from the templates beside this file."""

from importlib.resources import files
from pathlib import Path

from fairtrial.errors import BadInput, CannotRun
from fairtrial.text.language import say

_FILES = {
    "fairtrial.toml": "fairtrial.toml",
    "problems.json": "problems.json",
    "golden.json": "golden.json",
    "agent.py": "agent.py",
    "ci-step.yml": "ci-step.yml",
    "gitignore": ".gitignore",  # a template called .gitignore would act on this repository
}


def write_project(folder: Path) -> list[Path]:
    """Write the files into `folder`, all or none; their paths. Raises BadInput if one is there already."""
    targets = {folder / name: source for source, name in _FILES.items()}
    there = [str(path) for path in targets if path.exists()]
    if there:
        raise BadInput(
            say(f"already there: {', '.join(there)}", f"已存在：{'，'.join(there)}"),
            where=str(folder),
            how=say(
                "choose an empty folder: fairtrial init FOLDER", "请选一个空文件夹：fairtrial init 文件夹"
            ),
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, source in targets.items():
            path.write_bytes((files("fairtrial.app") / "template" / source).read_bytes())
    except OSError as error:
        raise CannotRun(error.strerror or str(error), where=str(folder)) from error
    return list(targets)
