"""The version of a vector store, told by the project's own function or command."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from fairtrial.agents.load import load_function
from fairtrial.errors import BadInput
from fairtrial.records.fingerprint import unknown
from fairtrial.schema.fingerprint import Part
from fairtrial.text.language import say

_SECONDS = 10


def store_version(function: str | None, command: Sequence[str], folder: Path) -> str | Part | None:
    """What the function returns or the command prints; None where neither is named.

    A part that is unknown, with the reason, where it fails or says nothing. Raises BadInput where there is no
    such function or program.
    """
    if function is not None:
        tell = load_function(str(folder / function) if ".py:" in function else function)
        try:
            told = tell()
        except (Exception, SystemExit) as error:
            return _failed(f"{type(error).__name__}: {error}")
    elif command:
        none = subprocess.DEVNULL
        try:
            done = subprocess.run(
                command, cwd=folder, stdin=none, capture_output=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return _failed(say(f"no answer within {_SECONDS} s", f"{_SECONDS} 秒内没有回答"))
        except OSError as error:
            raise BadInput(
                error.strerror or str(error), where=f"[fingerprint] retrieval_command: {command[0]}"
            ) from error
        if done.returncode:
            return _failed(say(f"exit code {done.returncode}", f"退出码 {done.returncode}"))
        told = done.stdout.decode("utf-8", "replace")
    else:
        return None
    return str(told).strip() or _failed(say("it said nothing", "没有输出"))


def _failed(why: str) -> Part:
    return unknown(say(f"its version could not be asked: {why}", f"无法取得版本：{why}"))
