#!/bin/sh
# Makes .venv beside this file: a framework, a model, and what serves it. The server is compiled: some minutes.
set -eu
cd "$(dirname "$0")"
"${PYTHON:-python3.11}" -m venv .venv
# Without the instructions of this machine alone: some processors show instructions that they may not be asked for.
export CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON"
# Nor one that was compiled with them before, and kept.
.venv/bin/python -m pip install --quiet --no-cache-dir -r requirements.txt
