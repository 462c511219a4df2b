#!/bin/sh
# Makes .venv from the hash-locked requirements. Needs Python 3.11 or newer with venv, nothing else.
set -eu

say() { printf '%s\n' "$*" >&2; }

find_python() {
    for candidate in "${PYTHON:-python3.11}" python3.11 python3 python; do
        if command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    say "setup: no Python 3.11 or newer found (install one, or name it: make install PYTHON=/path/to/python3.11)"
    exit 2
}

python=$(find_python)
if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    if [ -f /etc/debian_version ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "setup: $python has no venv; installing python$version-venv"
        { apt-get update -qq && apt-get install -y -qq "python$version-venv"; } >&2 || true
    fi
    if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
        say "setup: $python has no venv module (Debian: apt-get install python$version-venv; or name another: make install PYTHON=…)"
        exit 2
    fi
fi

"$python" -m venv --clear .venv
say "setup: installing the pinned packages into .venv"
PIP_DISABLE_PIP_VERSION_CHECK=1 .venv/bin/python -m pip install --quiet --no-deps --require-hashes -r requirements.lock
PIP_DISABLE_PIP_VERSION_CHECK=1 .venv/bin/python -m pip install --quiet --no-deps --no-build-isolation -e .
say "setup: done, .venv/bin/fairtrial is ready"
