"""What of the examiner's environment is used, and what of it an agent gets to know."""

from collections.abc import Iterable, Mapping

from fairtrial.errors import CannotRun
from fairtrial.text.language import say

# What programs need to be found, to write in the right place and language, and to reach the network.
_HARMLESS = frozenset({
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "LANG", "LANGUAGE", "TMPDIR", "TMP", "TEMP",
    "SYSTEMROOT", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "JAVA_HOME", "NODE_PATH",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
})  # fmt: skip
_HARMLESS_KINDS = ("LC_", "PYTHON", "XDG_")


def environ_value(name: str, environ: Mapping[str, str]) -> str:
    """The value of an environment variable, stripped. Raises CannotRun where it is unset or empty."""
    if value := environ.get(name, "").strip():
        return value
    raise CannotRun(
        say(f"the environment variable {name} is not set", f"没有设置环境变量 {name}"),
        how=say("export it, or write it into .env", "请 export 它，或写进 .env"),
    )


def passed_on(environ: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """What a program that is examined gets: what is harmless, and `names`. No key of the examiner's.

    Python programs write their lines at once, as they would on a terminal, whether they flush or not.
    Raises CannotRun where one of `names` is unset.
    """
    harmless = {"PYTHONUNBUFFERED": "1"}
    harmless |= {name: value for name, value in environ.items() if _is_harmless(name.upper())}
    return harmless | {name: environ_value(name, environ) for name in names}


def _is_harmless(name: str) -> bool:
    return name in _HARMLESS or name.startswith(_HARMLESS_KINDS)
