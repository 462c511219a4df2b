"""What all commands share: where output goes, and errors turned into exit codes."""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import TYPE_CHECKING, Any, TextIO

import typer

from fairtrial.errors import CannotRun, FairtrialError
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console
    from rich.segment import Segment


def stdout() -> "Console":
    """The console of results."""
    return _console(to_stderr=False)


def stderr(file: TextIO | None = None) -> "Console":
    """The console of everything that is no result: plans, progress, complaints; `file` in stderr's place."""
    return _console(to_stderr=True, file=file)


def _console(*, to_stderr: bool, file: TextIO | None = None) -> "Console":
    from rich.console import Console

    class Unheard(Console):
        """Goes on where nobody listens any more: Rich's own would end the process with 1, a verdict here.

        Into a file or a pipe, lines end without the blanks that fill a table.
        """

        def _render_buffer(self, buffer: "Iterable[Segment]") -> str:
            text = super()._render_buffer(buffer)
            return text if self.is_terminal else re.sub(r" +\n", "\n", text)

        def on_broken_pipe(self) -> None:
            self.quiet = True
            _leave(sys.stderr if to_stderr else sys.stdout)

    return Unheard(stderr=to_stderr, file=file, highlight=False)


def emit(document: dict[str, Any]) -> None:
    """One JSON document on stdout, UTF-8 whatever the locale."""
    import json

    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
    sys.stdout.flush()


def tell(
    as_json: bool, status: str, found: Any, show: "Callable[[Console, Any], None]", name: str = ""
) -> None:
    """What was found, as a document (flat, or as the field `name`) or as `show` says it."""
    if as_json:
        from fairtrial.report.documents import plainly

        emit({"status": status, **({name: plainly(found)} if name else plainly(found))})
    else:
        show(stdout(), found)


@contextmanager
def users_code() -> Iterator[None]:
    """What the user's own functions, and programs that they start, print goes to stderr.

    Stdout is for results.
    """
    try:
        ours = os.dup(sys.stdout.fileno())
    except (OSError, ValueError):  # stdout is no file
        with redirect_stdout(sys.stderr):
            yield
        return
    number = sys.stdout.fileno()
    try:
        sys.stdout.flush()
        os.dup2(sys.stderr.fileno(), number)
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(ours, number)
        os.close(ours)


@contextmanager
def silence() -> Iterator[TextIO]:
    """Nothing reaches stdout or stderr, whoever writes to them: rules, loggers, the interpreter, programs.

    Given is what stderr was.
    """
    try:
        kept = [(number, os.dup(number)) for number in (sys.stdout.fileno(), sys.stderr.fileno())]
    except (OSError, ValueError):  # they are no files
        told = sys.stderr
        with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
            yield told
        return
    nowhere_at = os.open(os.devnull, os.O_WRONLY)
    try:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
            os.dup2(nowhere_at, stream.fileno())
        with open(kept[1][1], "w", errors="backslashreplace", closefd=False) as told:
            yield told
    finally:
        for stream, (number, ours) in zip((sys.stdout, sys.stderr), kept, strict=True):
            stream.flush()
            os.dup2(ours, number)
            os.close(ours)
        os.close(nowhere_at)


@contextmanager
def door(as_json: bool = False) -> Iterator[None]:
    """Run a command: whatever goes wrong becomes one line on stderr and an exit code, never a traceback.

    With FAIRTRIAL_DEBUG set, an error that is none of ours is raised as it is.
    """
    try:
        yield
    except typer.Exit:
        raise
    except BrokenPipeError as error:  # a pager or `head` that has seen enough
        leave_stdout()
        raise typer.Exit(0) from error
    except KeyboardInterrupt as error:
        typer.secho(say("fairtrial: interrupted", "fairtrial：已中断"), err=True)
        raise typer.Exit(130) from error
    except Exception as error:
        ours = _as_ours(error)
        if ours is None:
            raise
        raise typer.Exit(refuse(ours, as_json)) from error


def refuse(error: FairtrialError, as_json: bool) -> int:
    """Say what went wrong, on stderr and, if asked for, as a document; the exit code."""
    if as_json:
        with suppress(OSError):
            told = {"what": error.what, "where": error.where, "how": error.how}
            emit({"status": "refused", "error": told})
    line = " ".join(str(error).split("\n"))
    typer.secho(visible(f"fairtrial: {line}"), fg=typer.colors.RED, err=True)
    return error.exit_code


def _as_ours(error: Exception) -> FairtrialError | None:
    """What to tell a person of any error; None to let it pass."""
    if isinstance(error, FairtrialError):
        return error
    if isinstance(error, OSError) and error.errno is not None:
        leave_stdout()
        return CannotRun(error.strerror or str(error), where=str(error.filename or ""))
    if os.environ.get("FAIRTRIAL_DEBUG"):
        return None
    what = f"{type(error).__name__}: {error}"
    return CannotRun(
        say(f"internal error: {what}", f"内部错误：{what}"),
        how=say(
            "please report it; FAIRTRIAL_DEBUG=1 shows where it is", "请报告；设 FAIRTRIAL_DEBUG=1 可见其位置"
        ),
    )


def leave_stdout() -> None:
    """Nobody reads stdout any more, or it takes nothing: do not try again when Python exits."""
    _leave(sys.stdout)


def _leave(stream: TextIO) -> None:
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
