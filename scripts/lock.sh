#!/bin/sh
# Compiles requirements.lock: every package of the product and of its development, pinned and hashed.
set -eu
trap 'rm -rf "$work"' EXIT
work=$(mktemp -d)
"${PYTHON:-python3.11}" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet pip-tools
"$work/venv/bin/pip-compile" --quiet --extra dev --generate-hashes --allow-unsafe --strip-extras \
    --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options --no-header --no-annotate \
    --output-file requirements.lock pyproject.toml
