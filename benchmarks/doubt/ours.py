"""Asks fairtrial about evaluations. Lines in and out: see __main__.py.

Said is every line that is lit, but those on how large the evaluation is or what it does not tell: too few
cases or trials are no defect of what is there, and no table names its environment.
"""

import json
import sys
from pathlib import Path

from fairtrial.app.audit import audit

OF_THE_SIZE = {"few_cases", "few_trials", "single_trial", "no_fingerprint"}

for line in sys.stdin:
    asked = json.loads(line)
    found = audit([Path(file) for file in asked["files"]])
    said = [doubt.name for doubt in found.doubts if doubt.lit and doubt.name not in OF_THE_SIZE]
    print(json.dumps({"key": asked["key"], "said": said}), flush=True)
