"""Asks `holdline compare` about evaluations, in its own environment. Lines in and out: see ../__main__.py.

Said is a verdict that is no pass, each reason and each warning, but not those on how the result came out: how
many cases broke and were fixed, and which are flaky. Of one file alone it knows nothing: "unread".
"""

import contextlib
import io
import json
import sys

from holdline.cli import main


def said(files: list[str]) -> list[str]:
    if len(files) < 2:
        return ["unread"]
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main(["compare", *files, "--json"])
    except SystemExit:
        pass
    except Exception as error:  # a crash is heard, if not understood
        return [f"refused: {type(error).__name__}: {error}"[:200]]
    if not out.getvalue().strip():
        return [f"refused: {err.getvalue().strip()[-200:]}"]
    found = json.loads(out.getvalue())
    words = [
        *found["reasons"],
        *(w for w in found["warnings"] if not w.startswith("newly flaky") and "broke and" not in w),
    ]
    return words or ([found["verdict"]] if found["verdict"] != "PASS" else [])


for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"key": asked["key"], "said": said(asked["files"])}), flush=True)
